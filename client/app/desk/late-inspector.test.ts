import { EMPTY } from 'rxjs';
import { expect, test } from 'vitest';
import { lateInspector } from './late-inspector.ts';

test('[DEV-15] an inspector whose code did not load at the opening gets the engine when it loads later', async () => {
  const engine = {};
  let failures = 2;
  const attached = await new Promise((attach) => {
    const load = () => (failures-- > 0 ? Promise.reject(new Error('No network')) : Promise.resolve({ attach }));
    lateInspector(load, 1).attach(engine, EMPTY);
  });
  expect([attached, failures]).toEqual([engine, -1]);
});
