import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { simulate } from '../fleet/simulate.ts';

/** A history keeps some MB while it runs, and code that runs for the first time stays. */
const leftBytesMax = 400_000;
const histories = 5;

test('[SIM-37] histories one after the other leave their memory behind', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const run = async (times: number) => {
    for (let time = 0; time < times; time++) {
      const { failures } = await simulate({ seed: 3, setting: { acts: 25, devices: 2 } });
      expect(failures).toEqual([]);
    }
    collect();
    return process.memoryUsage().heapUsed;
  };
  const before = await run(2);
  const after = await run(histories);
  expect((after - before) / histories).toBeLessThan(leftBytesMax);
});
