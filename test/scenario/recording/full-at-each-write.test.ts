/** A storage that has no room for one of the writes of a worker's acts: the act is refused, and works the next time. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { AnyRxStorage } from '../../rx-storage.ts';
import { device, memoryStorage } from '../../device/devices.ts';
import { finishAll, performAct, shownBy } from '../../device/recorder-acts.ts';
import {
  actDrawer,
  afterAct,
  mayBeRefused,
  nothingRecorded,
  shows,
  type ModelState,
} from '../../device/recorder-model.ts';
import { randomWithPrintedSeed, randomBelow } from '../../random.ts';
import { offline } from './recording-phone.ts';

const sequences = 12;
const actsPerSequence = 40;
const failuresInARowMax = 3;

/** A storage that refuses some writes, each of its collections alike. */
function fillingStorage(isFull: () => boolean): AnyRxStorage {
  const storage = memoryStorage();
  return {
    ...storage,
    createStorageInstance: async (params) => {
      const instance = await storage.createStorageInstance(params);
      const write = instance.bulkWrite.bind(instance);
      const noRoom = () => new DOMException('no room', 'QuotaExceededError');
      instance.bulkWrite = (rows, context) => (isFull() ? Promise.reject(noRoom()) : write(rows, context));
      return instance;
    },
  };
}

test('[RECORDER-40] an act whose write finds no room is refused, and taken once when it is tried again', async () => {
  const random = randomWithPrintedSeed();
  let refusals = 0;
  for (let sequence = 0; sequence < sequences; sequence++) {
    let failures = 0;
    let isArmed = false;
    const storage = fillingStorage(() => isArmed && failures > 0 && failures-- > 0);
    const name = `device-${randomUUID()}`;
    const gemba = await device({ ...offline, name, storage });
    const { map_id } = await gemba.createMap({ name: 'Saw' });
    isArmed = true;
    const draw = actDrawer(random);
    let state: ModelState = nothingRecorded;
    const log: string[] = [];
    for (let count = 0; count < actsPerSequence; count++) {
      const act = draw(state, false);
      failures = random() < 0.4 ? 1 + randomBelow(random, failuresInARowMax) : 0;
      let refusal = await performAct(gemba, map_id, act);
      for (let tries = 0; refusal === 'storage_full' && tries < 2 * failuresInARowMax; tries++) {
        refusals++;
        refusal = await performAct(gemba, map_id, act);
      }
      failures = 0;
      log.push(`${JSON.stringify(act)} ${refusal}`);
      if (refusal === null) state = afterAct(state, act);
      else expect(mayBeRefused(state, act), log.slice(-12).join('\n')).toBe(true);
      const shown = await shownBy(gemba, map_id);
      expect(shows(shown, state), `${log.slice(-12).join('\n')}\n${JSON.stringify(shown)}`).toBe(true);
    }
    await finishAll(gemba, map_id);
    const { runs } = await shownBy(gemba, map_id);
    const cycles = state.finished.map(({ under }) => under.steps);
    expect(runs).toEqual(state.under && state.under.steps.length > 0 ? [...cycles, state.under.steps] : cycles);
    await gemba.close();
  }
  expect(refusals).toBeGreaterThan(sequences);
});
