import { EMPTY } from 'rxjs';
import { expect, test } from 'vitest';
import { lazyInspector } from './lazy-inspector.ts';

test('[DEV-15] an inspector whose code did not load at the opening gets the engine when it loads later', async () => {
  const engine = {};
  let failures = 2;
  const attached = await new Promise((attach) => {
    const load = () => (failures-- > 0 ? Promise.reject(new Error('No network')) : Promise.resolve({ attach }));
    lazyInspector(load, 1).attach(engine, EMPTY);
  });
  expect([attached, failures]).toEqual([engine, -1]);
});

test('[DEV-15] of two engines the later one is attached, also where the first load failed after the second', async () => {
  const [first, second] = [{}, {}];
  const loads: { resolve: (part: { attach: (engine: object) => void }) => void; reject: (error: Error) => void }[] = [];
  const attached: object[] = [];
  const inspector = lazyInspector(() => new Promise((resolve, reject) => loads.push({ resolve, reject })), 1);
  inspector.attach(first, EMPTY);
  inspector.attach(second, EMPTY);
  loads[1]!.reject(new Error('No network'));
  loads[0]!.reject(new Error('No network'));
  await expect.poll(() => loads.length).toBe(3);
  loads[2]!.resolve({ attach: (engine) => attached.push(engine) });
  await expect.poll(() => attached.length).toBe(1);
  expect([attached[0] === second, loads.length]).toEqual([true, 3]);
});
