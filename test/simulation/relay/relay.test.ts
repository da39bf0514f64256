import { expect, test } from 'vitest';
import { givenSeed } from '../../random.ts';
import { simulateRelay } from './simulate-relay.ts';

const seedsToTry = givenSeed === undefined ? [1, 2, 3, 4, 5, 6, 7, 8] : [givenSeed];

test('[RELAY-62] [SIM-38] [SIM-42] watches that never have a network lose and double nothing, whatever happens to carriers, channels and server', async () => {
  for (const seed of seedsToTry) {
    const { failures, trace } = await simulateRelay(seed);
    expect(failures, `GEMBA_SEED=${seed}\n${trace.join('\n')}`).toEqual([]);
  }
});
