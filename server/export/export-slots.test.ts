import { expect, test } from 'vitest';
import { createExportSlots } from './export-slots.ts';

/** Work that ends when it is told to. */
function heldWork() {
  let end = () => {};
  const held = new Promise<void>((resolve) => (end = resolve));
  return { work: () => held, end };
}

test('[EXPORT-10] an account has two slots, and a process has sixteen', () => {
  const slots = createExportSlots();
  const first = slots.take('a');
  expect(slots.take('a').ok).toBe(true);
  expect(slots.take('a')).toMatchObject({ ok: false, error: { code: 'rate_limited' } });
  const others = Array.from({ length: 14 }, (_, index) => slots.take(`other ${index}`).ok);
  expect(others).not.toContain(false);
  const refused = slots.take('b');
  expect(refused).toMatchObject({ error: { code: 'unavailable', members: { retry_after_secs: 5 } } });
  if (first.ok) first.release();
  expect(slots.take('b').ok).toBe(true);
});

test('[EXPORT-42] an account makes one file at a time, so that another need not wait for both of its own', async () => {
  const slots = createExportSlots();
  const begun: string[] = [];
  const read = (accountId: string, name: string, work: () => Promise<void>) =>
    slots.runReader(accountId, () => {
      begun.push(name);
      return work();
    });
  const [one, two, three, four] = [heldWork(), heldWork(), heldWork(), heldWork()];
  const all = [
    read('a', 'a1', one.work),
    read('a', 'a2', two.work),
    read('b', 'b1', three.work),
    read('c', 'c1', four.work),
  ];
  await Promise.resolve();
  expect(begun).toEqual(['a1', 'b1']);
  three.end();
  await all[2];
  expect(begun).toEqual(['a1', 'b1', 'c1']);
  one.end();
  await all[0];
  expect(begun).toEqual(['a1', 'b1', 'c1', 'a2']);
  two.end();
  four.end();
  await Promise.all(all);
});

test('[EXPORT-42] work that fails gives its turn to the next', async () => {
  const slots = createExportSlots();
  await expect(slots.runReader('a', async () => Promise.reject(new Error('it failed')))).rejects.toThrow('it failed');
  expect(await slots.runReader('a', async () => 'done')).toBe('done');
});
