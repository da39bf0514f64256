import { isoTime, type Stamp } from '../core/clock.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stepsPerRecordingMax } from '../../shared/schema/limits.ts';
import type { StartedTap, TapAfterStart } from '../storage/rows.ts';
import { startDraft, stepsToUpload, applyTap, findTapRefusal, type Draft } from './draft.ts';
import { lastUndoable, toRecorded } from './recording.ts';
import { isUndoable } from './taps/undoable-taps.ts';

const at = (secs: number): Stamp => ({ wall_ms: secs * 1000, monotonic_ms: secs * 1000, boot_id: 'boot' });
const started: StartedTap = {
  kind: 'started',
  at: at(0),
  recording_session_id: 'session',
  map_id: '0190a1b2-0000-7000-8000-000000000001',
  new_map_name: null,
};
const step = (stage_name: string, secs: number): TapAfterStart => ({
  kind: 'stepped',
  at: at(secs),
  stage_name,
  work_type: null,
  notes: '',
});
const note = (text: string): TapAfterStart => ({ kind: 'noted', at: at(0), text });
const undo: TapAfterStart = { kind: 'undone', at: at(0) };
const draft = (...taps: TapAfterStart[]): Draft => taps.reduce(applyTap, startDraft(started));

test('[RECORDER-3] a step lasts from its tap to the next one, the last to the end', () => {
  expect(stepsToUpload(draft(step('cut', 10), step('weld', 14.5)), at(20))).toEqual([
    { stage_name: 'cut', order: 1, duration_secs: 4.5, duration_estimated: false, notes: '' },
    { stage_name: 'weld', order: 2, duration_secs: 5.5, duration_estimated: false, notes: '' },
  ]);
});

test('[RECORDER-4] [RECORDER-14] undo takes back the last step, and the one before is under way again, its clock never stopped', () => {
  expect(stepsToUpload(draft(step('cut', 10), step('weld', 14), undo), at(20))).toMatchObject([
    { stage_name: 'cut', duration_secs: 10 },
  ]);
});

test('[RECORDER-4] undo takes back a note before the step that it belongs to', () => {
  const noted = draft(step('cut', 1), note('blade'), note('worn'));
  expect(noted.steps[0]?.notes).toBe('blade\nworn');
  expect(applyTap(noted, undo).steps[0]?.notes).toBe('blade');
  expect([undo, undo, undo].reduce(applyTap, noted).steps).toEqual([]);
});

test('[RECORDER-5] taps that cannot be taken are refused in words', () => {
  expect(findTapRefusal(draft(), note('x'))).toMatch(/begin one first/);
  expect(findTapRefusal(draft(), undo)).toMatch(/nothing to undo/);
  expect(findTapRefusal(draft(step('cut', 1)), note('x'.repeat(10_001)))).toMatch(/at most 10000/);
  expect(findTapRefusal(draft({ kind: 'discarded', at: at(1) }), step('cut', 2))).toMatch(/discarded/);
  const full = draft(...Array.from({ length: stepsPerRecordingMax }, (_, index) => step('cut', index)));
  expect(findTapRefusal(full, step('weld', 5_000))).toMatch(/at most 1000 steps/);
  expect(findTapRefusal(draft(step('cut', 1)), step('weld', 2))).toBeUndefined();
});

test('[RECORDER-6] any taps with an undo after each extra one are the taps without them', () => {
  const tap = fc.oneof(
    fc.record({ name: fc.string(), secs: fc.nat() }).map(({ name, secs }) => step(name, secs)),
    fc.string().map(note),
  );
  fc.assert(
    fc.property(fc.array(tap), fc.array(tap), (taps, extra) => {
      const before = draft(step('first', 0), ...taps);
      const after = [...extra, ...extra.map(() => undo)].reduce(applyTap, before);
      expect(after).toEqual(before);
    }),
  );
});

test('[RECORDER-9] whatever is undone in between, what stands is what its own taps make, up to 1,000 steps', () => {
  const tap = fc.oneof(
    { weight: 3, arbitrary: fc.nat().map((secs) => step('cut', secs)) },
    { weight: 2, arbitrary: fc.string().map(note) },
    { weight: 2, arbitrary: fc.constant(undo) },
    {
      weight: 1,
      arbitrary: fc.constantFrom<TapAfterStart>({ kind: 'discarded', at: at(1) }, { kind: 'restored', at: at(2) }),
    },
  );
  fc.assert(
    fc.property(fc.array(tap, { maxLength: 200 }), (taps) => {
      let whole = draft();
      const kept: TapAfterStart[] = [];
      for (const one of taps) {
        if (findTapRefusal(whole, one) !== undefined) continue;
        whole = applyTap(whole, one);
        if (one.kind !== 'undone') kept.push(one);
        else kept.splice(kept.findLastIndex(isUndoable), 1);
      }
      expect(whole).toEqual(draft(...kept));
    }),
  );
  const thousand = Array.from({ length: stepsPerRecordingMax }, (_, index) => step(`step ${index}`, index));
  const undone = thousand.map(() => undo).slice(1);
  expect([...undone, ...thousand.slice(1), ...undone].reduce(applyTap, draft(...thousand))).toEqual(
    draft(thousand[0]!),
  );
});

const discardedFrom = (from: Stamp, to: Stamp): TapAfterStart[] => [
  { kind: 'discarded', at: from },
  { kind: 'restored', at: to },
];
const uploaded = (secs: number, ...taps: TapAfterStart[]) => stepsToUpload(draft(...taps), at(secs));

test('[RECORDER-7] a discarded recording is restored as it stood, and no step has the time in between', () => {
  const discarded = draft(step('cut', 10), note('blade'), { kind: 'discarded', at: at(12) });
  expect(toRecorded(discarded).clock).toEqual({ secs: 2, since: null });
  expect(findTapRefusal(discarded, step('weld', 13))).toMatch(/discarded/);
  const restored = applyTap(discarded, { kind: 'restored', at: at(14) });
  expect(findTapRefusal(restored, { kind: 'restored', at: at(15) })).toMatch(/restored already/);
  expect(findTapRefusal(restored, step('weld', 15))).toBeUndefined();
  expect(toRecorded(restored)).toMatchObject({ clock: { secs: 2, since: isoTime(14_000) }, paused_at: null });
  expect(lastUndoable(restored)).toMatchObject({ kind: 'note' });
  expect(stepsToUpload(restored, at(20))).toEqual([
    { stage_name: 'cut', order: 1, duration_secs: 8, duration_estimated: false, notes: 'blade' },
  ]);
});

test('[RECORDER-7] after an undo, too, no step has the time between discard and restore', () => {
  const [first, second] = [discardedFrom(at(20), at(50)), discardedFrom(at(60), at(100))];
  const taps = [step('cut', 0), step('weld', 10), ...first, ...second];
  expect(uploaded(110, ...taps)).toMatchObject([{ duration_secs: 10 }, { duration_secs: 30 }]);
  expect(uploaded(110, ...taps, undo)).toMatchObject([{ stage_name: 'cut', duration_secs: 40 }]);
  expect(uploaded(110, ...taps, undo, undo)).toEqual([]);
  expect(uploaded(120, ...taps, step('pack', 110), undo, undo)).toMatchObject([{ duration_secs: 50 }]);
});

test('[RECORDER-7] a recording that was discarded during a pause is restored during that pause', () => {
  const pause: TapAfterStart = { kind: 'paused', at: at(10) };
  const resume: TapAfterStart = { kind: 'resumed', at: at(60) };
  const taps = [step('cut', 0), pause, ...discardedFrom(at(20), at(50))];
  expect(toRecorded(draft(...taps)).paused_at).toBe(isoTime(10_000));
  expect(uploaded(70, ...taps, resume)).toMatchObject([{ duration_secs: 20 }]);
  // Without the pause the step lasts until the discard, and from the restore on.
  expect(uploaded(70, ...taps, undo)).toMatchObject([{ duration_secs: 40 }]);
});

test('[RECORDER-7] a step keeps its time where a discard has a later time than the clock, which was set back', () => {
  const late: Stamp = { ...at(20), wall_ms: 900_000 };
  expect(uploaded(60, step('cut', 10), ...discardedFrom(late, at(50)))).toMatchObject([
    { duration_secs: 20, duration_estimated: false },
  ]);
  const rebooted = (secs: number): Stamp => ({ ...at(secs), boot_id: 'next' });
  const steps = stepsToUpload(draft(step('cut', 10), ...discardedFrom(late, rebooted(50))), rebooted(60));
  expect(steps).toMatchObject([{ duration_secs: 50, duration_estimated: true }]);
});
