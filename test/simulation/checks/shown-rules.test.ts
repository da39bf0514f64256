import { expect, test } from 'vitest';
import type { ShownValues } from './shown.ts';
import { problemsOf } from './shown-rules.ts';

const map = { id: 'm', name: 'Saw', deleted: false, pending: false, stage_count: 1, run_count: 1, created_version: 3 };
const run = {
  id: 7,
  map_id: 'm',
  number: 1,
  pending: false,
  step_count: 1,
  recording_session_id: 's',
  steps: [{ order: 1, stage_name: 'Cut' }],
};
const status = { phase: 'idle', pending: 0, pending_steps: 0, oldest_pending_at: null, attention: 0, error: null };

/** Returns the kinds of what is wrong in values that differ in this from right ones. */
function kindsOf(changed: object): string[] {
  const right = {
    maps: [map],
    deletedMaps: [],
    fullMaps: new Map([['m', { ...map, stages: [{ id: 1, order: 1, stage: 'Cut' }] }]]),
    runs: new Map([['m', [run]]]),
    runDocs: new Map([[7, run]]),
    custody: new Map([['s', 'server']]),
    recording: null,
    discarded: [],
    status,
    report: { pending: 0, attention: 0 },
    attention: [],
    discardedChanges: [],
    runsOnServer: undefined,
    latestRuns: new Map(),
  };
  const problems = problemsOf({ ...right, ...changed } as unknown as ShownValues);
  return [...new Set(problems.map(({ kind }) => kind))];
}

test('[SIM-31] what is right is not called wrong', () => {
  expect(kindsOf({})).toEqual([]);
});

test('[SIM-31] a map or a run is in its list what it is alone', () => {
  expect(kindsOf({ maps: [{ ...map, name: 'Drill' }] })).toEqual(['torn view']);
  expect(kindsOf({ maps: [{ ...map, stage_count: 2 }] })).toEqual(['torn view']);
  expect(kindsOf({ runDocs: new Map([[7, { ...run, number: 2 }]]) })).toEqual(['torn view']);
  expect(kindsOf({ runDocs: new Map() })).toEqual(['torn view']);
});

test('[SIM-31] nothing is shown twice or out of order', () => {
  const again = { ...run, id: 8, number: 2 };
  const docs = new Map([[7, run] as const, [8, again] as const]);
  expect(kindsOf({ runs: new Map([['m', [again, run]]]), runDocs: docs })).toEqual(['shown twice']);
  const other = { ...again, recording_session_id: 't' };
  const others = new Map([[7, run] as const, [8, other] as const]);
  expect(kindsOf({ runs: new Map([['m', [other, run]]]), runDocs: others })).toEqual([]);
  expect(kindsOf({ runs: new Map([['m', [run, other]]]), runDocs: others })).toEqual(['out of order']);
  const refused = { seq: 4 };
  const two = { status: { ...status, attention: 2 }, report: { pending: 0, attention: 2 } };
  expect(kindsOf({ ...two, attention: [refused, refused] })).toEqual(['shown twice']);
});

test('[SIM-34] what waits is counted', () => {
  expect(kindsOf({ attention: [{ seq: 4 }] })).toEqual(['wrong count']);
  expect(kindsOf({ report: { pending: 1, attention: 0 } })).toEqual(['wrong count']);
  const waiting = { ...run, pending: true };
  const shown = { runs: new Map([['m', [waiting]]]), runDocs: new Map([[7, waiting]]), custody: new Map() };
  expect(kindsOf(shown)).toEqual(['wrong count']);
  const counted = { ...status, pending: 1, pending_steps: 1, oldest_pending_at: '2026-01-05T06:00:00.000Z' };
  expect(kindsOf({ ...shown, status: counted })).toEqual([]);
  expect(kindsOf({ ...shown, status: { ...counted, pending_steps: 0 } })).toEqual(['wrong count']);
});

test('[SIM-33] a recording is not safe while its run is pending', () => {
  const waiting = { ...run, pending: true };
  const counted = { ...status, pending: 1, pending_steps: 1, oldest_pending_at: '2026-01-05T06:00:00.000Z' };
  const shown = { runs: new Map([['m', [waiting]]]), runDocs: new Map([[7, waiting]]), status: counted };
  expect(kindsOf(shown)).toEqual(['custody false']);
});

const latest = { runs: [run], chart: null, fromServer: 0, missing: 1, state: 'complete' };
const withLatest = (changed: object) =>
  kindsOf({
    runsOnServer: { count: 1, ofMap: new Map([['m', 1]]) },
    latestRuns: new Map([['m', { ...latest, ...changed }]]),
  });

test('[SIM-41] the runs that a device lacks are those of its maps', () => {
  expect(withLatest({})).toEqual([]);
  const ofMap = (missing: number, count = missing) => ({ runsOnServer: { count, ofMap: new Map([['m', missing]]) } });
  expect(kindsOf(ofMap(1))).toEqual([]);
  expect(kindsOf(ofMap(1, 2))).toEqual(['wrong count']);
  expect(kindsOf(ofMap(0))).toEqual(['wrong count']);
  expect(kindsOf(ofMap(2))).toEqual(['wrong count']);
  expect(withLatest({ missing: 2 })).toEqual(['wrong count']);
});

test('[SIM-41] the latest runs are sorted, each once, and as many as were asked for', () => {
  const at = (id: number, started_at: string) => ({ ...run, id, started_at });
  const [first, second] = [at(1, '2026-01-05T06:00:00Z'), at(2, '2026-01-05T07:00:00Z')];
  expect(withLatest({ runs: [first, second] })).toEqual([]);
  expect(withLatest({ runs: [second, first] })).toEqual(['torn view']);
  expect(withLatest({ runs: [first, first] })).toEqual(['torn view']);
  expect(withLatest({ runs: [first, second, { ...second, id: 3 }, { ...second, id: 4 }] })).toEqual(['torn view']);
  expect(withLatest({ runs: [first, second], fromServer: 3 })).toEqual(['torn view']);
  expect(withLatest({ chart: {} })).toEqual(['torn view']);
  const all = { runsOnServer: { count: 0, ofMap: new Map() } };
  const loading = new Map([['m', { ...latest, missing: 0, state: 'loading' }]]);
  expect(kindsOf({ ...all, latestRuns: loading })).toEqual(['torn view']);
});
