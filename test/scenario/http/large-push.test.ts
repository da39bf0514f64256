import { randomBytes } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { operatorActor } from '../../../server/core/caller.ts';
import { openServer } from '../../../server/app.ts';
import { createAccountQueue } from '../../../server/mutate/account-queue.ts';
import { createAccount } from '../../../server/auth/new-account.ts';
import { openPostgresStore } from '../../../server/store/postgres/postgres-store.ts';
import { createClientOwners } from '../../../server/sync/client-owners.ts';
import { push } from '../../../server/sync/push.ts';
import { readMutations } from '../../../server/sync/read-mutations.ts';
import { mutationsPerPushMax, stagesPerMapMax } from '../../../shared/schema/limits.ts';
import { BenchDevice } from '../../bench/recordings.ts';
import { postgresAtHand, startPostgres } from '../../postgres.ts';
import { expectProblem, newApi, steps, temporaryFolder } from '../../contract/fixture.ts';
import { pairedDevice } from '../../contract/pairing.ts';
import { SyncClient } from '../../contract/sync-client.ts';
import { waitMsMax } from '../../timeouts.ts';

async function openClient() {
  const { dataDir, remove } = temporaryFolder();
  const server = await openServer({ dataDir, port: 0, host: '127.0.0.1' });
  onTestFinished(async () => {
    await server.close();
    remove();
  });
  const client = new SyncClient(await newApi(server));
  const transact = vi.spyOn(server.store, 'transact');
  return { client, transact, server };
}

test('[PUSH-24] [PUSH-32] the longest push of heavy work lets others in between, with one answer for each mutation', async () => {
  const { client, transact, server } = await openClient();
  const map = (await client.apply('create_map', { name: 'A' })).result;
  const brokenAt = 700;
  const batch = Array.from({ length: mutationsPerPushMax }, (_, index) =>
    client.next('add_stage', index === brokenAt ? {} : { map_id: map.id, stage: `S${index}`, order: 1 }),
  );
  const other = await newApi(server);
  transact.mockClear();
  let isPushed = false;
  const pushing = client.push(batch, { acked: 1 }).finally(() => (isPushed = true));
  await vi.waitFor(() => expect(transact).toHaveBeenCalled(), { timeout: waitMsMax, interval: 1 });
  expect((await other.post('/api/v1/maps', { name: 'B' })).status).toBe(201);
  expect(isPushed).toBe(false);
  const { body } = await pushing;
  expect(transact.mock.calls.length).toBeGreaterThan(10);
  expect(body.last_seq).toBe(1 + batch.length);
  expect(body.results.map(({ seq }: { seq: number }) => seq)).toEqual(batch.map(({ seq }) => seq));
  const refused = body.results.filter(({ status }: { status: string }) => status === 'rejected');
  // The stages beyond the maximum of a map are refused, too.
  expect(refused).toHaveLength(mutationsPerPushMax - stagesPerMapMax);
  expect(refused[0].seq).toBe(batch[brokenAt]!.seq);
  const again = await client.push(batch);
  expect(again.body).toMatchObject({ results: body.results, last_seq: body.last_seq });
  const { stages } = (await client.api.get(`/api/v1/maps/${map.id}`)).body;
  expect(stages).toHaveLength(stagesPerMapMax);
  expect(stages[0]).toMatchObject({ stage: `S${stagesPerMapMax}`, order: 1 });
});

test('[PUSH-1] a gap at the end of a long push applies nothing of it', async () => {
  const { client } = await openClient();
  const batch = Array.from({ length: 1_000 }, () => client.next('add_stage', {}));
  const refused = await client.push([...batch.slice(0, -2), batch.at(-1)]);
  expectProblem(refused, 409, 'sequence_gap');
  expect(refused.body.expected_seq).toBe(1);
  expect((await client.push([])).body).toMatchObject({ results: [], last_seq: 0 });
});

test.skipIf(!postgresAtHand())('[PUSH-15] a push takes the same few statements, whatever its length', async () => {
  const postgres = await startPostgres();
  onTestFinished(() => postgres!.stop());
  let statements: string[] = [];
  const url = await postgres!.createDatabase();
  const store = await openPostgresStore({ url, onStatement: (text) => statements.push(text) });
  onTestFinished(() => store.close());
  const world = { now: Date.now, randomBytes };
  const { account } = await createAccount({ store, world }, { name: 'A', plan: 'team' });
  const services = { store, world, queue: createAccountQueue(store, world), owners: createClientOwners(store) };
  const caller = {
    accountId: account.id,
    deviceId: null,
    tokenHash: '',
    actor: operatorActor,
    scopes: ['record' as const, 'write' as const],
  };
  const device = new BenchDevice();
  await push(services, caller, device.mapBatch());
  const statementsOf = async (request: Parameters<typeof push>[2]) => {
    statements = [];
    expect(await push(services, caller, request)).toMatchObject({ ok: true });
    return statements.filter((text) => !/notify/i.test(text));
  };
  const [oneEdit, manyEdits] = [await statementsOf(device.edits(1)), await statementsOf(device.edits(10_000))];
  expect(manyEdits).toEqual(oneEdit);
  const [oneRun, manyRuns] = [await statementsOf(device.recordings(1)), await statementsOf(device.recordings(4_000))];
  expect(manyRuns).toEqual(oneRun);
  expect(manyRuns.length).toBeLessThan(20);
});

test('[AUTH-40] a token that is revoked between the transactions of a heavy push writes nothing more', async () => {
  const { client, transact, server } = await openClient();
  const { id: map_id } = await client.api.createMap();
  const phone = await pairedDevice(server, client.api, { kind: 'phone' });
  const ofPhone = new SyncClient(phone);
  const batch = Array.from({ length: 5_000 }, (_, index) =>
    ofPhone.next('add_stage', { map_id, stage: `S${index}`, order: 1 }),
  );
  transact.mockClear();
  const pushing = ofPhone.push(batch);
  await vi.waitFor(() => expect(transact).toHaveBeenCalled(), { timeout: waitMsMax, interval: 1 });
  expect((await client.api.post(`/api/v1/devices/${phone.id}/revoke`)).status).toBe(200);
  expectProblem(await pushing, 401, 'unauthorized');
  const written = async () => (await client.api.get(`/api/v1/maps/${map_id}`)).body.stage_count;
  const count = await written();
  expect(count).toBeLessThan(batch.length);
  expectProblem(await ofPhone.push(batch), 401, 'unauthorized');
  expect(await written()).toBe(count);
});

test('[PUSH-30] [PUSH-33] others have turns while a push of many long recordings is read', async () => {
  const recording = (seq: number) => ({
    seq,
    name: 'record_new_map',
    args: { name: `Map ${seq}`, steps: steps(...Array.from({ length: 1_000 }, (_, index) => `Step ${index}`)) },
    recorded_at: '2026-04-01T09:30:00.000Z',
  });
  const mutations = Array.from({ length: 40 }, (_, index) => recording(index + 1));
  const world = { now: Date.now, randomBytes };
  const isRead = new AbortController();
  const reading = readMutations(mutations, { scopes: ['record'] }, world).finally(() => isRead.abort());
  let turns = 0;
  for (; !isRead.signal.aborted; turns += 1) await nextTurn();
  expect((await reading).map(({ seq }) => seq)).toEqual(mutations.map(({ seq }) => seq));
  expect(turns).toBeGreaterThan(2);
});
