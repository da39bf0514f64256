/** Edits and pauses of a draft: the durations keep their sum, and an undo is the exact inverse. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { notesLengthMax } from '../../shared/schema/limits.ts';
import type { Stamp } from '../core/clock.ts';
import type { TapAfterStart, StartedTap } from '../storage/rows.ts';
import { applyTap, startDraft, stepsToUpload, findTapRefusal, type Draft } from './draft.ts';
import { toRecorded, lastUndoable } from './recording.ts';

const at = (secs: number, boot_id = 'boot'): Stamp => ({ wall_ms: secs * 1000, monotonic_ms: secs * 1000, boot_id });
const started: StartedTap = {
  kind: 'started',
  at: at(0),
  recording_session_id: 'session',
  map_id: '0190a1b2-0000-7000-8000-000000000001',
  new_map_name: null,
};
const step = (stage_name: string, secs: number, boot_id?: string): TapAfterStart => ({
  kind: 'stepped',
  at: at(secs, boot_id),
  stage_name,
  work_type: null,
  notes: '',
});
const undo: TapAfterStart = { kind: 'undone', at: at(0) };
const draft = (...taps: TapAfterStart[]): Draft => taps.reduce(applyTap, startDraft(started));
const times = (made: Draft, end: number) =>
  stepsToUpload(made, at(end)).map(({ stage_name, duration_secs }) => [stage_name, duration_secs]);
const threeSteps = draft(step('Load', 0), step('Press', 10), step('Pack', 30));

test('[RECORDER-25] an edit gives a step another name, work type or note, and leaves its time', () => {
  const named = applyTap(threeSteps, { kind: 'edited', at: at(40), index: 1, stage_name: 'Weld' });
  const noted = applyTap(named, { kind: 'edited', at: at(41), index: 1, work_type: 'waste', notes: 'Crane late' });
  expect(stepsToUpload(noted, at(50))[1]).toEqual({
    stage_name: 'Weld',
    order: 2,
    duration_secs: 20,
    duration_estimated: false,
    work_type: 'waste',
    notes: 'Crane late',
  });
  expect(stepsToUpload(noted, at(50)).toSpliced(1, 1)).toEqual(stepsToUpload(threeSteps, at(50)).toSpliced(1, 1));
});

test('[RECORDER-26] a step is split, joined with the next, and its border is moved', () => {
  const split = applyTap(threeSteps, { kind: 'split', at: at(40), index: 1, after_ms: 4_500, stage_name: 'Wait' });
  expect(times(split, 50)).toEqual([
    ['Load', 10],
    ['Press', 4.5],
    ['Wait', 15.5],
    ['Pack', 20],
  ]);
  const moved = applyTap(split, { kind: 'border_moved', at: at(41), index: 2, by_ms: -5_500 });
  expect(times(moved, 50).slice(2)).toEqual([
    ['Wait', 10],
    ['Pack', 25.5],
  ]);
  const joined = applyTap(moved, { kind: 'joined', at: at(42), index: 2 });
  expect(times(joined, 50)).toEqual([
    ['Load', 10],
    ['Press', 4.5],
    ['Wait', 35.5],
  ]);
  expect(toRecorded(joined).steps.map(({ duration_secs }) => duration_secs)).toEqual([10, 4.5, null]);
});

test('[RECORDER-26] the current step is split at a time that is over, and its rest goes on', () => {
  const split = applyTap(threeSteps, { kind: 'split', at: at(45), index: 2, after_ms: 10_000 });
  expect(toRecorded(split)).toMatchObject({
    steps: [{}, {}, { duration_secs: 10 }, { started_at: '1970-01-01T00:00:40.000Z', duration_secs: null }],
    clock: { secs: -10, since: '1970-01-01T00:00:30.000Z' },
  });
  expect(times(applyTap(split, step('Ship', 60)), 70).slice(2)).toEqual([
    ['Pack', 10],
    ['Pack', 20],
    ['Ship', 10],
  ]);
});

test('[RECORDER-26] both parts of an estimated step are estimated', () => {
  const estimated = draft(step('Load', 0), step('Press', 10, 'another boot'));
  const split = applyTap(estimated, { kind: 'split', at: at(20, 'another boot'), index: 0, after_ms: 4_000 });
  expect(
    stepsToUpload(split, at(30, 'another boot')).map(({ duration_secs, duration_estimated }) => [
      duration_secs,
      duration_estimated,
    ]),
  ).toEqual([
    [4, true],
    [6, true],
    [20, false],
  ]);
});

test('[RECORDER-29] a pause belongs to no step, and ends with resume, with the next step or with an undo', () => {
  const paused = applyTap(threeSteps, { kind: 'paused', at: at(40) });
  expect(toRecorded(paused)).toMatchObject({
    clock: { secs: 10, since: null },
    paused_at: '1970-01-01T00:00:40.000Z',
  });
  const resumed = applyTap(paused, { kind: 'resumed', at: at(100) });
  expect(toRecorded(resumed)).toMatchObject({
    clock: { secs: 10, since: '1970-01-01T00:01:40.000Z' },
    paused_at: null,
  });
  expect(times(resumed, 105)[2]).toEqual(['Pack', 15]);
  expect(times(applyTap(paused, step('Ship', 90)), 95).slice(2)).toEqual([
    ['Pack', 10],
    ['Ship', 5],
  ]);
  expect(times(applyTap(paused, undo), 105)[2]).toEqual(['Pack', 75]);
  expect(applyTap(applyTap(paused, step('Ship', 90)), undo)).toEqual(paused);
  const split = applyTap(resumed, { kind: 'split', at: at(105), index: 2, after_ms: 12_000 });
  expect(times(split, 110).slice(2)).toEqual([
    ['Pack', 12],
    ['Pack', 8],
  ]);
});

test('[RECORDER-5] [RECORDER-28] an edit that cannot be made is refused in words', () => {
  const refusal = (tap: TapAfterStart, made = threeSteps) => findTapRefusal(made, tap);
  expect(refusal({ kind: 'edited', at: at(40), index: 3, stage_name: 'x' })).toMatch(/changed meanwhile/);
  expect(refusal({ kind: 'joined', at: at(40), index: 2 })).toMatch(/no next step/);
  for (const after_ms of [0, -1, 20_000]) {
    expect(refusal({ kind: 'split', at: at(40), index: 1, after_ms })).toMatch(/shorter/);
  }
  for (const by_ms of [-20_000, 10_000]) {
    expect(refusal({ kind: 'border_moved', at: at(40), index: 1, by_ms })).toMatch(/must keep some time/);
  }
  expect(refusal({ kind: 'resumed', at: at(40) })).toMatch(/not paused/);
  const paused = applyTap(threeSteps, { kind: 'paused', at: at(40) });
  expect(refusal({ kind: 'paused', at: at(41) }, paused)).toMatch(/paused already/);
  expect(refusal({ kind: 'paused', at: at(40) }, draft())).toMatch(/no step/);
  const notes = 'x'.repeat(notesLengthMax);
  const noted = [0, 1].map((index): TapAfterStart => ({ kind: 'edited', at: at(40), index, notes }));
  expect(refusal({ kind: 'joined', at: at(41), index: 0 }, noted.reduce(applyTap, threeSteps))).toMatch(
    /at most 10000/,
  );
});

test('[RECORDER-27] the recording says what an undo takes back', () => {
  const said = (...taps: TapAfterStart[]) => lastUndoable(taps.reduce(applyTap, threeSteps));
  expect(said()).toEqual({ kind: 'step', stage_name: 'Pack' });
  expect(said({ kind: 'edited', at: at(40), index: 0, stage_name: 'Take' })).toEqual({
    kind: 'edit',
    stage_name: 'Load',
  });
  expect(said({ kind: 'split', at: at(40), index: 1, after_ms: 1 })).toEqual({ kind: 'split', stage_name: 'Press' });
  expect(said({ kind: 'joined', at: at(40), index: 0 })).toEqual({ kind: 'join', stage_name: 'Load' });
  expect(said({ kind: 'paused', at: at(40) })).toEqual({ kind: 'pause', stage_name: 'Pack' });
  expect(lastUndoable(draft())).toBeNull();
});

test('[RECORDER-34] beside a tap of a newer app a recording takes steps, and is neither finished nor undone', () => {
  const unknown = { kind: 'rated', at: at(40) } as unknown as TapAfterStart;
  const made = draft(step('Load', 0), unknown);
  expect(findTapRefusal(made, step('Press', 50))).toBeUndefined();
  for (const tap of [
    undo,
    { kind: 'finished', at: at(50) },
    { kind: 'joined', at: at(50), index: 0 },
  ] as TapAfterStart[]) {
    expect(findTapRefusal(made, tap)).toMatch(/newer version/);
  }
});

/** Taps whose clocks drift apart, go back, and restart. */
const stamp = fc.record({
  wall_ms: fc.integer({ min: 0, max: 60_000 }),
  monotonic_ms: fc.double({ min: 0, max: 60_000, noNaN: true }),
  boot_id: fc.constantFrom('boot', 'boot', 'boot', 'another boot'),
});
const index = fc.nat(6);
const timing = fc.oneof(
  stamp.map((when): TapAfterStart => ({ kind: 'stepped', at: when, stage_name: 'cut', work_type: null, notes: '' })),
  stamp.map((when): TapAfterStart => ({ kind: 'paused', at: when })),
  stamp.map((when): TapAfterStart => ({ kind: 'resumed', at: when })),
);
const edit = fc.oneof(
  fc.record({ kind: fc.constant('split' as const), at: stamp, index, after_ms: fc.integer({ min: 1, max: 40_000 }) }),
  fc.record({ kind: fc.constant('joined' as const), at: stamp, index }),
  fc.record({
    kind: fc.constant('border_moved' as const),
    at: stamp,
    index,
    by_ms: fc.integer({ min: -30_000, max: 30_000 }),
  }),
  fc.record({ kind: fc.constant('edited' as const), at: stamp, index, notes: fc.string({ maxLength: 5 }) }),
);
const anyTap = fc.oneof({ weight: 2, arbitrary: timing }, { weight: 3, arbitrary: edit });

const sumMs = (made: Draft, end: Stamp) =>
  stepsToUpload(made, end).reduce((sum, { duration_secs }) => sum + Math.round(duration_secs * 1000), 0);

test('[RECORDER-26] whatever is edited, the durations add up to those of the same taps without an edit, and none is negative', () => {
  fc.assert(
    fc.property(fc.array(anyTap, { maxLength: 60 }), stamp, (taps, end) => {
      let edited = draft(step('first', 0));
      let plain = edited;
      for (const tap of taps) {
        if (findTapRefusal(edited, tap) !== undefined) continue;
        edited = applyTap(edited, tap);
        if (['stepped', 'paused', 'resumed'].includes(tap.kind)) plain = applyTap(plain, tap);
        expect(sumMs(edited, end)).toBe(sumMs(plain, end));
        expect(stepsToUpload(edited, end).every(({ duration_secs }) => duration_secs >= 0)).toBe(true);
        const estimated = (made: Draft) => stepsToUpload(made, end).some((one) => one.duration_estimated);
        expect(estimated(edited)).toBe(estimated(plain));
      }
    }),
  );
});

test('[RECORDER-27] an undo after each tap restores the draft exactly', () => {
  fc.assert(
    fc.property(fc.array(anyTap, { maxLength: 60 }), (taps) => {
      const before = [draft(step('first', 0))];
      for (const tap of taps) {
        const last = before.at(-1) ?? draft();
        if (findTapRefusal(last, tap) === undefined) before.push(applyTap(last, tap));
      }
      let made = before.at(-1) ?? draft();
      for (const earlier of before.toReversed().slice(1)) {
        made = applyTap(made, undo);
        expect(made).toEqual(earlier);
      }
    }),
  );
});
