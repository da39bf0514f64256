import { expect, test } from 'vitest';
import { problemOf, type CommonProblemCode } from '../../../../shared/protocol/problem.ts';
import { runOf, toRunSteps } from '../../../../shared/domain/run.ts';
import type { MutationName } from '../../../../shared/schema/mutation.ts';
import type { RunDoc } from '../../../../shared/schema/run.ts';
import type { OutboxContent } from '../content.ts';
import { randomIds } from '../../../core/ids.ts';
import { newDevice } from '../device.ts';
import { mutationPayload, type ForwardedEntry, type PendingEntry, type RefusedEntry } from '../entry.ts';
import { hasReturnedRun, returnedRunState, settleReturnedRuns } from './returned-runs.ts';

const recorded_at = '2026-03-01T08:00:00.000Z';
const step = (stage_name: string, order = 1) => ({ stage_name, order, duration_secs: 1 });
const head = { id: 7, mapId: 'm', number: 1, recordingSessionId: 's', deviceId: null, start: { started_at: null } };
const recorded: RunDoc = { ...runOf({ ...head, createdAt: recorded_at }, toRunSteps([step('Cut')])), version: 5 };
const corrected: RunDoc = { ...recorded, steps: toRunSteps([step('Saw')]), revision: 2, version: 9 };
const device = newDevice(randomIds);

const made = (name: MutationName, args: Record<string, unknown>) => ({
  client_id: device.client_id,
  recorded_at,
  proven_at: null,
  name,
  args: { run_id: 7, ...args },
});
const refused = (name: MutationName, args: Record<string, unknown>, code: CommonProblemCode = 'run_not_found') =>
  ({
    ...made(name, args),
    state: 'refused',
    number: { kind: 'numbered', seq: 1 },
    error: problemOf({ code, detail: '' }),
  }) satisfies RefusedEntry;
const correction = refused('correct_run', { steps: [step(' Cut it ', 4)] });
const stateAt = (run: RunDoc | undefined, entry: RefusedEntry) => returnedRunState(entry, () => run);

test('[RUN-14] [RUN-15] [RUN-16] a correction waits for its run, and then is sent, done or overtaken', () => {
  expect(stateAt(undefined, correction)).toBe('waiting');
  expect(stateAt(recorded, correction)).toBe('unchanged');
  expect(stateAt({ ...corrected, steps: toRunSteps([step('Cut it')]) }, correction)).toBe('done');
  expect(stateAt(corrected, correction)).toBe('overtaken');
  expect(stateAt(corrected, refused('correct_run', { steps: 'none' }))).toBe('overtaken');
  expect(stateAt(corrected, refused('correct_run', { steps: [] }, 'storage_limit_reached'))).toBeUndefined();
  expect(stateAt(undefined, refused('upload_recording', {}))).toBeUndefined();
});

test('[RUN-19] a deletion is never sent again by itself', () => {
  const deletion = refused('delete_run', {});
  for (const run of [undefined, recorded, corrected]) expect(stateAt(run, deletion)).toBeUndefined();
});

test('[RUN-14] [RUN-15] [RUN-16] fields are sent where the run has none, and not over newer ones', () => {
  const change = refused('update_run', { tags: [' early ', 'EARLY'], note: 'Loud' });
  expect(stateAt(recorded, change)).toBe('unchanged');
  expect(stateAt({ ...recorded, note: 'Loud' }, change)).toBe('unchanged');
  expect(stateAt({ ...recorded, note: 'Loud', tags: ['early'], name: 'First' }, change)).toBe('done');
  expect(stateAt({ ...recorded, note: 'Quiet' }, change)).toBe('overtaken');
  expect(stateAt({ ...recorded, note: 'Loud' }, refused('update_run', { note: '' }))).toBe('overtaken');
  expect(stateAt(recorded, refused('update_run', { excluded: null }))).toBe('done');
  // The run has one of the two fields that differ.
  expect(stateAt({ ...recorded, name: 'First' }, refused('update_run', { note: 'Loud', name: 'Last' }))).toBe(
    'overtaken',
  );
  // A value that is no list of texts is compared as it is.
  expect(stateAt({ ...recorded, tags: ['early'] }, refused('update_run', { tags: ['early', 1] }))).toBe('overtaken');
  expect(stateAt({ ...recorded, note: 'early' }, refused('update_run', { note: ['early'] }))).toBe('overtaken');
  expect(stateAt({ ...recorded, tags: ['early'] }, refused('update_run', { tags: 'early' }))).toBe('overtaken');
});

const content = (held: Partial<OutboxContent>): OutboxContent => ({
  device: { ...device, last_seq: 2 },
  pending: [],
  forwarded: [],
  refused: [],
  receipts: [],
  discarded: [],
  ...held,
});

test('[RUN-15] a change that the run has already is withdrawn, and other refusals stay', () => {
  const other = refused('update_run', { note: 'Loud' }, 'validation_failed');
  const held = content({ refused: [{ ...other, number: { kind: 'numbered', seq: 2 } }, correction] });
  const done = { ...corrected, steps: toRunSteps([step('Cut it')]) };
  expect(hasReturnedRun(held, () => done)).toBe(true);
  expect(settleReturnedRuns(held, () => done, recorded_at)).toEqual({ ...held, refused: [held.refused[0]] });
  expect(hasReturnedRun(held, () => undefined)).toBe(false);
  expect(hasReturnedRun(held, () => corrected)).toBe(false);
  expect(hasReturnedRun(held, (id) => (id === 8 ? recorded : undefined))).toBe(false);
});

test('[RUN-16] only an unsent change of the same kind and run goes before', () => {
  const unsent = (entry: RefusedEntry): ForwardedEntry => {
    const { error: _error, number: _number, ...fields } = entry;
    return { ...fields, state: 'forwarded', seq: 1, payload: mutationPayload };
  };
  const sentBeside = (...entries: RefusedEntry[]) =>
    hasReturnedRun(content({ refused: [correction], forwarded: entries.map(unsent) }), () => recorded);
  expect(sentBeside(correction)).toBe(false);
  expect(sentBeside(refused('update_run', { note: 'Loud' }))).toBe(true);
  expect(sentBeside(refused('correct_run', { run_id: 8, steps: [] }))).toBe(true);
});

test('[RUN-14] [RUN-16] what waited is sent once and in order, but not behind a newer correction that is still to be sent', () => {
  const second: RefusedEntry = {
    ...refused('correct_run', { steps: [step('Cut twice')] }),
    number: { kind: 'numbered', seq: 2 },
  };
  const waiting = content({ refused: [correction, second] });
  expect(settleReturnedRuns(waiting, () => undefined, recorded_at)).toEqual(waiting);
  const after = settleReturnedRuns(waiting, () => recorded, recorded_at);
  expect(after.refused).toEqual([]);
  expect(after.pending.map(({ seq, args }) => [seq, args])).toEqual([
    [3, correction.args],
    [4, second.args],
  ]);
  const newer: PendingEntry = {
    ...made('correct_run', { steps: [step('New')] }),
    state: 'pending',
    seq: 3,
    payload: mutationPayload,
  };
  const besideNewer = content({ device: { ...device, last_seq: 3 }, refused: [correction], pending: [newer] });
  expect(settleReturnedRuns(besideNewer, () => recorded, recorded_at)).toEqual(besideNewer);
  expect(settleReturnedRuns(content({ refused: [correction] }), () => corrected, recorded_at).refused).toEqual([
    correction,
  ]);
});
