import { expect, test } from 'vitest';
import { TurnQueue } from './turns.ts';

function setUp({ atOnceMax = 9, turnsOf = {} }: { atOnceMax?: number; turnsOf?: Record<string, number> } = {}) {
  const began: string[] = [];
  const ends: Record<string, () => void> = {};
  const bugs: unknown[] = [];
  const left = { ...turnsOf };
  const turns = new TurnQueue<string>({
    atOnceMax,
    async turn(key) {
      began.push(key);
      await new Promise<void>((resolve) => (ends[key] = resolve));
      left[key] = (left[key] ?? 1) - 1;
      if (key === 'broken') throw new Error('broken');
      return left[key] > 0;
    },
    onBug: (bug) => void bugs.push(bug),
  });
  const end = async (key: string) => {
    ends[key]!();
    await new Promise(setImmediate);
  };
  return { turns, began, end, bugs };
}

test('[HOOK-12] a key that needs many turns lets the others have theirs in between', async () => {
  const { turns, began, end } = setUp({ atOnceMax: 1, turnsOf: { busy: 3 } });
  for (const key of ['busy', 'a', 'b']) turns.request(key);
  for (const key of ['busy', 'a', 'b', 'busy']) await end(key);
  expect(began).toEqual(['busy', 'a', 'b', 'busy', 'busy']);
  await end('busy');
  await turns.settled();
  expect(began).toHaveLength(5);
});

test('[HOOK-12] no more turns than `atOnceMax` run at once, and a key that fails takes no place', async () => {
  const { turns, began, end, bugs } = setUp({ atOnceMax: 2 });
  for (const key of ['broken', 'slow', 'c', 'd']) turns.request(key);
  expect(began).toEqual(['broken', 'slow']);
  await end('broken');
  await end('c');
  expect(began).toEqual(['broken', 'slow', 'c', 'd']);
  expect(bugs).toEqual([new Error('broken')]);
});

test('[HOOK-4] a key has one turn at a time, and one that asks meanwhile gets another', async () => {
  const { turns, began, end } = setUp();
  for (let asks = 0; asks < 3; asks++) turns.request('a');
  expect(began).toEqual(['a']);
  await end('a');
  expect(began).toEqual(['a', 'a']);
  await end('a');
  expect(began).toEqual(['a', 'a']);
});

test('[HOOK-12] nothing begins once it is closed', async () => {
  const { turns, began, end } = setUp({ atOnceMax: 1, turnsOf: { a: 2 } });
  turns.request('a');
  turns.request('b');
  const closed = turns.close();
  await end('a');
  await closed;
  turns.request('c');
  expect(began).toEqual(['a']);
});
