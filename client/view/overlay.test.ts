import { expect, test } from 'vitest';
import { newMap } from '../../shared/domain/map.ts';
import { runOf, toRunSteps } from '../../shared/domain/run.ts';
import type { MapDoc } from '../../shared/schema/map.ts';
import type { RunDoc } from '../../shared/schema/run.ts';
import type { RecordBody } from '../storage/rows.ts';
import { Base } from './base.ts';
import { Overlay, type MutationToReplay } from './overlay.ts';

const at = '2026-03-01T08:00:00.000Z';
const mapIds = ['a', 'b', 'c'].map((digit) => `01a1fc69-d7f9-71cc-87c5-${digit.repeat(12)}`);
const [saw = '', drill = '', press = ''] = mapIds;
const steps = [{ stage_name: 'Cut', order: 1, duration_secs: 2 }];

const mapOf = (id: string, more: Partial<MapDoc> = {}): MapDoc => ({ ...newMap(id, { name: id }, at), ...more });
const runIn = (mapId: string, id: number, number: number): RunDoc =>
  runOf(
    {
      id,
      mapId,
      number,
      recordingSessionId: `session-${id}`,
      deviceId: null,
      start: { started_at: null },
      createdAt: at,
    },
    toRunSteps(steps),
  );

type Pulled = { id: string; body: RecordBody | undefined };
const ofMap = (doc: MapDoc): Pulled => ({ id: `map|${doc.id}`, body: { kind: 'map', doc } });
const ofRun = (doc: RunDoc): Pulled => ({ id: `run|${doc.id}`, body: { kind: 'run', doc } });

function baseOf(...pulled: Pulled[]): Base {
  const base = new Base({ entries: () => new Map<string, RecordBody>().entries() });
  base.applyWrites(pulled);
  return base;
}

const made = (name: MutationToReplay['name'], args: Record<string, unknown>): MutationToReplay => ({
  name,
  args,
  recorded_at: at,
});
const upload = (map_id: string, session: string, run_id: number) =>
  made('upload_recording', { map_id, recording_session_id: session, run_id, stage_ids: [run_id + 1], steps });

interface Case {
  base: Pulled[];
  replayed: MutationToReplay[];
  maps: [id: string, name: string, runs: number[]][];
}

const cases: Record<string, Case> = {
  'nothing pending': {
    base: [ofMap(mapOf(saw)), ofRun(runIn(saw, 7, 1))],
    replayed: [],
    maps: [[saw, saw, [7]]],
  },
  'a map that is made': {
    base: [ofMap(mapOf(saw))],
    replayed: [made('create_map', { map_id: drill, name: 'Drill' })],
    maps: [
      [drill, 'Drill', []],
      [saw, saw, []],
    ],
  },
  'two maps that are made, the latest first': {
    base: [],
    replayed: [made('create_map', { map_id: drill, name: 'Drill' }), made('create_map', { map_id: saw, name: 'Saw' })],
    maps: [
      [saw, 'Saw', []],
      [drill, 'Drill', []],
    ],
  },
  'a change of a map': {
    base: [ofMap(mapOf(saw))],
    replayed: [made('update_map', { map_id: saw, name: 'Saw' })],
    maps: [[saw, 'Saw', []]],
  },
  'a refused change, which changes nothing': {
    base: [ofMap(mapOf(saw))],
    replayed: [made('update_map', { map_id: drill, name: 'Drill' })],
    maps: [[saw, saw, []]],
  },
  'a recording, its run first': {
    base: [ofMap(mapOf(saw, { run_count: 1, last_run_number: 1 })), ofRun(runIn(saw, 7, 1))],
    replayed: [upload(saw, 'session-new', 2 ** 33)],
    maps: [[saw, saw, [2 ** 33, 7]]],
  },
  'a recording that the base has, once': {
    base: [ofMap(mapOf(saw)), ofRun(runIn(saw, 7, 1))],
    replayed: [upload(saw, 'session-7', 2 ** 33)],
    maps: [[saw, saw, [7]]],
  },
  'one recording twice, once': {
    base: [ofMap(mapOf(saw))],
    replayed: [upload(saw, 'session-new', 2 ** 33), upload(saw, 'session-new', 2 ** 34)],
    maps: [[saw, saw, [2 ** 33]]],
  },
  'a run that is deleted': {
    base: [ofMap(mapOf(saw, { run_count: 1 })), ofRun(runIn(saw, 7, 1))],
    replayed: [made('delete_run', { run_id: 7 })],
    maps: [[saw, saw, []]],
  },
  'a run without its map, not yet': {
    base: [ofRun(runIn(press, 7, 1))],
    replayed: [],
    maps: [],
  },
  'maps in the order of the server': {
    base: [ofMap(mapOf(saw, { created_version: 2 })), ofMap(mapOf(drill, { created_version: 9 })), ofMap(mapOf(press))],
    replayed: [],
    maps: [
      [drill, drill, []],
      [saw, saw, []],
      [press, press, []],
    ],
  },
};

test.each(Object.entries(cases))('[DEVICE-14] the overlay shows %s', (_what, { base, replayed, maps }) => {
  const overlay = new Overlay(baseOf(...base), null);
  for (const body of replayed) overlay.replay(body);
  const shown = overlay.allMaps().map(({ id, name }) => [id, name, overlay.runsOf(id).map((run) => run.id)]);
  expect(shown).toEqual(maps);
});

test('[DEVICE-14] a rehearsal keeps nothing', () => {
  const overlay = new Overlay(baseOf(ofMap(mapOf(saw))), null);
  expect(overlay.dryRun(made('update_map', { map_id: saw, name: 'Saw' })).ok).toBe(true);
  expect(overlay.dryRun(made('update_map', { map_id: drill, name: 'Drill' })).ok).toBe(false);
  expect(overlay.allMaps().map(({ name }) => name)).toEqual([saw]);
});

test('[DEVICE-14] the base forgets what was removed, and finds runs by map and session', () => {
  const base = baseOf(ofMap(mapOf(saw)), ofMap(mapOf(drill)), ofRun(runIn(saw, 7, 1)), ofRun(runIn(saw, 8, 2)));
  base.applyWrites([
    { id: 'run|7', body: undefined },
    { id: `map|${drill}`, body: undefined },
    ofRun(runIn(drill, 8, 1)),
  ]);
  expect([...base.maps.keys()]).toEqual([saw]);
  expect([...base.runs.keys()]).toEqual([8]);
  expect([...(base.runIdsOfMap.get(saw) ?? []), ...(base.runIdsOfMap.get(drill) ?? [])]).toEqual([8]);
  expect([...base.runIdOfSession]).toEqual([['session-8', 8]]);
});

test('[DEVICE-14] a run that takes the place of another of its session is found by it, whichever is written first', () => {
  const [gone, taker] = [ofRun(runIn(saw, 7, 1)), ofRun({ ...runIn(saw, 9, 1), recording_session_id: 'session-7' })];
  const removed = { id: gone.id, body: undefined };
  for (const written of [
    [taker, removed],
    [removed, taker],
  ]) {
    const base = baseOf(ofMap(mapOf(saw)), gone);
    base.applyWrites(written);
    expect([...base.runIdOfSession]).toEqual([['session-7', 9]]);
    const overlay = new Overlay(base, null);
    overlay.replay(upload(saw, 'session-7', 11));
    expect(overlay.runsOf(saw).map(({ id }) => id)).toEqual([9]);
  }
});

test('[ATTENTION-10] the base holds a map or a stage of the same id and name', () => {
  const stage = {
    id: 5,
    map_id: saw,
    stage: 'Cut',
    order: 1,
    cycle_time_hrs: 0,
    wait_time_hrs: 0,
    work_type: 'valuable',
    value_add: true,
  } as const;
  const base = baseOf(ofMap(mapOf(saw, { name: 'Saw', stages: [stage] })));
  expect(base.hasRecordCreatedBy(made('create_map', { map_id: saw, name: ' Saw ' }))).toBe(true);
  expect(base.hasRecordCreatedBy(made('create_map', { map_id: saw, name: 'Press' }))).toBe(false);
  expect(base.hasRecordCreatedBy(made('add_stage', { map_id: saw, stage_id: 5, stage: 'Cut' }))).toBe(true);
  expect(base.hasRecordCreatedBy(made('add_stage', { map_id: saw, stage_id: 6, stage: 'Cut' }))).toBe(false);
  expect(base.hasRecordCreatedBy(made('delete_map', { map_id: saw }))).toBe(false);
});
