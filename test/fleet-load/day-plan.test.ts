import { expect, test } from 'vitest';
import { phaseAt, planDay, watchesEvents, type PlannedAct } from './day-plan.ts';

const day = { devices: 400, dayMs: 240_000, recordingsPerDevice: 3, seed: 7 };
const acts = planDay(day);
const actsOf = (device: number, all = acts): PlannedAct[] => all.filter((one) => one.device === device);

test('[LOAD-5] the same seed gives the same day, and another seed another', () => {
  expect(planDay(day)).toEqual(acts);
  expect(planDay({ ...day, seed: 8 })).not.toEqual(acts);
});

test('[LOAD-9] each device starts in the first tenth of the day, records three times, and ends in the last 15 %', () => {
  for (let device = 0; device < day.devices; device++) {
    const own = actsOf(device);
    expect(own[0]).toMatchObject({ act: 'start' });
    expect(own[0]!.atMs).toBeLessThanOrEqual(24_000);
    expect(own.at(-1)).toMatchObject({ act: 'end' });
    expect(own.at(-1)!.atMs).toBeGreaterThanOrEqual(204_000);
    expect(own.filter(({ act }) => act === 'record')).toHaveLength(3);
  }
});

test('[LOAD-9] of 400 devices 20 % to 40 % are without a network from the break until the end of the shift', () => {
  const offline = Array.from({ length: day.devices }, (_, device) => actsOf(device)).filter(
    (own) => own.findLast(({ act }) => act === 'disconnect' || act === 'connect')?.act === 'disconnect',
  );
  expect(offline.length / day.devices).toBeGreaterThan(0.2);
  expect(offline.length / day.devices).toBeLessThan(0.4);
  for (const own of offline) expect(own.findLast(({ act }) => act === 'disconnect')?.atMs).toBe(132_000);
});

test('[LOAD-9] a device without an event stream polls at multiples of 60 s while it is awake, and one with a stream does not', () => {
  let count = 0;
  for (let device = 0; device < day.devices; device++) {
    const polls = actsOf(device).filter(({ act }) => act === 'poll');
    if (watchesEvents(device)) expect(polls).toEqual([]);
    for (const [index, { atMs }] of polls.entries()) {
      const gapMs = index === 0 ? 60_000 : atMs - polls[index - 1]!.atMs;
      expect(Math.abs(gapMs - Math.round(gapMs / 60_000) * 60_000)).toBeLessThanOrEqual(1);
    }
    count += polls.length;
  }
  // A fifth of some 2.8 polls of each of 360 devices happens.
  expect(count).toBeGreaterThan(100);
  expect(count).toBeLessThan(350);
});

test('a moment belongs to the phase that has not ended, and what comes after the day to the last one', () => {
  expect([0, 99, 100, 449, 450, 850, 5_000].map((ms) => phaseAt(ms, 1_000))).toEqual([
    'shift start',
    'shift start',
    'morning',
    'morning',
    'break',
    'shift end',
    'shift end',
  ]);
});
