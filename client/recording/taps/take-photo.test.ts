import { expect, test } from 'vitest';
import { manualTimers } from '../../../test/device/manual-timers.ts';
import { untilSettled } from './take-photo.ts';

/** Makes photos that a test ends, and tells whether the finish still waits for them. */
function takeThree() {
  const timers = manualTimers();
  const ends: (() => void)[] = [];
  const photos = [0, 1, 2].map((at) => new Promise<void>((resolve) => (ends[at] = resolve)));
  let isWaiting = true;
  const waiting = untilSettled(photos, timers.clock).then(() => (isWaiting = false));
  const passed = async (ms: number) => {
    timers.pass(ms);
    await new Promise((done) => setImmediate(done));
    return isWaiting;
  };
  return { ends, passed, waiting };
}

test('[PHOTO-84] a finish waits for photos that come one after the other, however many there are', async () => {
  const { ends, passed, waiting } = takeThree();
  for (const end of ends) {
    expect(await passed(9_000)).toBe(true);
    end();
    await passed(0);
  }
  await waiting;
});

test('[PHOTO-84] a finish waits no more than ten seconds for the next photo', async () => {
  const { ends, passed } = takeThree();
  expect(await passed(9_000)).toBe(true);
  ends[0]!();
  expect(await passed(0)).toBe(true);
  expect(await passed(9_000)).toBe(true);
  expect(await passed(1_000)).toBe(false);
});
