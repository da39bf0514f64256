import { expect, test } from 'vitest';
import { accountLimitsDefault } from '../../store/account-limits.ts';
import { runRow } from '../../../test/contract/store/records.ts';
import type { LoadedRows, ReadSet } from '../../store/transaction.ts';
import { emptyReadSet } from './read-set.ts';
import { WorkingSet } from './working-set.ts';

const mapId = '018f9e4a-2b6c-7d31-8a55-3c1f0e9d7b42';
const origin = { deviceId: null, fingerprint: '', now: '2026-07-01T08:00:00.000Z' };

const loaded: LoadedRows = {
  account: {
    id: '018f9e4a-0a01-7f22-8c44-5d6e7f809a1b',
    name: 'Test',
    plan: 'team',
    additional_seats: 0,
    seats_limited: false,
    created_at: origin.now,
    version: 0,
    next_id: 1,
    live_maps: 0,
    revocations: 0,
    bytes: 0,
    was_restored: false,
    keys_made: 0,
    key_bytes_made: 0,
  },
  maps: [],
  runs: [],
  runsWithSteps: [],
  takenStageIds: [],
  clients: [],
  appliedMutations: [],
  idempotentReplies: [],
  clientCounts: [],
  rejectionCounts: [],
  revokedTokens: [],
};

const workingSet = (readSet: Partial<ReadSet>, rows: Partial<LoadedRows> = {}): WorkingSet =>
  new WorkingSet({ ...loaded, ...rows }, { ...emptyReadSet(), ...readSet }, accountLimitsDefault);

test('[MUTATE-40] a key that was read and has no row is absent', () => {
  const set = workingSet({
    mapIds: [mapId],
    runIds: [5],
    runIdsToDelete: [6],
    recordingSessionIds: ['session'],
    deviceMadeStageIds: [{ map_id: mapId, id: 7 }],
    clientIds: ['client'],
    idempotencyKeys: ['key'],
    tokenHashes: ['hash'],
  });
  expect([set.map(mapId), set.run(5), set.run(6), set.recordingSession('session')]).toEqual(Array(4).fill(undefined));
  expect([set.isRunIdTaken(5), set.isStageIdTaken(mapId, 7), set.isRevoked('hash')]).toEqual([false, false, false]);
  expect([set.clients.get('client'), set.idempotencyKeys.get('key')]).toEqual([undefined, undefined]);
});

test('[MUTATE-40] a key that was not read is a bug, and not an absent row', () => {
  const set = workingSet({});
  const reads = [
    () => set.map(mapId),
    () => set.run(5),
    () => set.runWithSteps(5),
    () => set.isRunIdTaken(5),
    () => set.recordingSession('session'),
    () => set.clients.get('client'),
    () => set.idempotencyKeys.get('key'),
    () => set.isRevoked('hash'),
    () => set.applyMutation({ name: 'delete_map', args: { map_id: mapId } }, origin),
  ];
  for (const read of reads) expect(read).toThrow('read set');
  expect(() => workingSet({ mapIds: [mapId] }).isStageIdTaken(mapId, 7)).toThrow('read set');
});

test('[MUTATE-40] the steps of a run that was loaded without them are a bug, and not an empty list', () => {
  const { doc, ...fields } = runRow(3, { mapId, number: 1 });
  const { steps: _steps, ...record } = doc!;
  const row = { ...fields, doc: record };
  const set = workingSet({ runIdsToDelete: [row.id] }, { runs: [row] });
  expect(set.run(row.id)).toEqual(row.doc);
  expect(() => set.runWithSteps(row.id)).toThrow('read set');
});

test('[MUTATE-40] a row that the transaction made needs no reading', () => {
  const set = workingSet({ mapIds: [mapId] });
  expect(set.applyMutation({ name: 'create_map', args: { map_id: mapId, name: 'Map' } }, origin)).toMatchObject({
    ok: true,
  });
  expect(set.map(mapId)).toMatchObject({ name: 'Map', version: 1 });
});

test('[STAGE-17] an id for a new stage that no stage got leaves no row', () => {
  const deviceMadeStageIds = [2 ** 31, 2 ** 31 + 1, 2 ** 31 + 2].map((id) => ({ map_id: mapId, id }));
  const rowsAfter = (set: WorkingSet) => set.writes()?.takenStageIds.map(({ id }) => id - 2 ** 31);
  const set = workingSet({ mapIds: [mapId], deviceMadeStageIds });
  set.applyMutation({ name: 'create_map', args: { map_id: mapId, name: 'Map' } }, origin);
  set.applyMutation({ name: 'add_stage', args: { map_id: mapId, stage: 'Cut', stage_id: 2 ** 31 } }, origin);
  const replace = (stages: { id?: number; stage: string }[]) => {
    const args = { map_id: mapId, stages, stage_ids: [2 ** 31 + 1, 2 ** 31 + 2] };
    return set.applyMutation({ name: 'replace_stages', args }, origin);
  };
  replace([{ id: 2 ** 31, stage: 'Cut' }, { stage: 'Weld' }]);
  expect(rowsAfter(set)).toEqual([0, 2]);
  replace([
    { id: 2 ** 31, stage: 'Cut' },
    { id: 2 ** 31 + 2, stage: 'Weld' },
  ]);
  expect(rowsAfter(set)).toEqual([0, 2]);
});
