import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createToken } from '../auth/auth-contract.ts';
import { expectProblem, newApi, steps, type GetServers } from '../fixture.ts';
import { randomWithPrintedSeed, type Random, randomBelow } from '../../random.ts';
import { pullAll, SyncClient } from '../sync-client.ts';

export function pushContract(servers: GetServers): void {
  test('[PUSH-2] what was applied is answered as the first time and not applied again', async () => {
    const client = new SyncClient(await newApi(servers().first));
    const batch = ['A', '', 'C'].map((name) => client.next('create_map', { name }));
    const firstTime = await client.push(batch.slice(0, 2));
    const again = await client.push(batch);
    expect(again.body.results.slice(0, 2)).toEqual(firstTime.body.results);
    expect(again.body.results).toMatchObject([{ status: 'applied' }, { status: 'rejected' }, { status: 'applied' }]);
    expect((await client.api.get('/api/v1/maps')).body.data).toHaveLength(2);
  });

  test('[PUSH-3] a rejected mutation consumes its seq, changes nothing and lets the later ones go on', async () => {
    const client = new SyncClient(await newApi(servers().first, 'free'));
    const batch = ['A', 'B', 'C'].map((name) => client.next('create_map', { name }));
    const bad = client.next('update_map', { map_id: randomUUID(), name: 'X' });
    const last = client.next('create_map', { nmae: 'E' });
    const { body } = await client.push([...batch, bad, last]);
    expect(body.last_seq).toBe(5);
    const errors = body.results.map(({ error }: { error?: { code: string } }) => error?.code);
    expect(errors).toEqual([undefined, undefined, 'map_cap_reached', 'map_not_found', 'validation_failed']);
    expect(body.results[2].error).toMatchObject({ status: 403, limit: 2, plan: 'free' });
  });

  test('[PUSH-4] a structurally broken mutation rejects itself and never the batch', async () => {
    const client = new SyncClient(await newApi(servers().first));
    const good = client.next('create_map', { name: 'A' });
    const broken = [
      { ...client.next('explode', {}) },
      { ...client.next('create_map', 'text') },
      { ...client.next('create_map', { name: 'A' }), recorded_at: 'soon' },
      { seq: client.next('create_map', {}).seq },
      { ...client.next('create_map', { name: 'A' }), extra: true },
    ];
    const { status, body } = await client.push([good, ...broken, client.next('create_map', { name: 'B' })]);
    expect(status).toBe(200);
    const statuses = body.results.map((result: { status: string }) => result.status);
    expect(statuses).toEqual(['applied', ...broken.map(() => 'rejected'), 'applied']);
    const paths = body.results[4].error.errors.map(({ path }: { path: string }) => path);
    expect(paths).toEqual(['/name', '/args', '/recorded_at']);
  });

  test('[PUSH-5] each mutation answers with the ids and versions of what it touched', async () => {
    const client = new SyncClient(await newApi(servers().first));
    const [map_id, made_id] = [randomUUID(), randomUUID()];
    const [stage_id, run_id, new_run_id] = [2 ** 31, 2 ** 32, 2 ** 33];
    const result = async (name: string, args: unknown) => (await client.apply(name, args)).result;
    const version = expect.any(Number);
    expect(await result('create_map', { map_id, name: 'A' })).toEqual({ id: map_id, version });
    expect(await result('update_map', { map_id, name: 'B' })).toEqual({ id: map_id, version });
    expect(await result('add_stage', { map_id, stage_id, stage: 'S' })).toEqual({ id: stage_id, map_id, order: 1 });
    expect(await result('update_stage', { map_id, stage_id, stage: 'T' })).toEqual({ id: stage_id, map_id, order: 1 });
    expect(await result('reorder_stages', { map_id, stage_ids: [stage_id] })).toEqual({ map_id, version });
    const replacement = { map_id, stages: [{ id: stage_id, stage: 'R' }], stage_ids: [2 ** 35] };
    expect(await result('replace_stages', replacement)).toEqual({ map_id, version });
    expect(await result('delete_stage', { map_id, stage_id })).toEqual({ id: stage_id, map_id });
    const upload = { map_id, run_id, steps: steps('A'), recording_session_id: 's', stage_ids: [2 ** 34] };
    expect(await result('upload_recording', upload)).toEqual({
      map: { id: map_id, version },
      run: { id: run_id, map_id, number: 1 },
      recording_session_id: 's',
    });
    const made = await result('record_new_map', { map_id: made_id, run_id: new_run_id, name: 'N', steps: steps('A') });
    expect(made).toMatchObject({ map: { id: made_id }, run: { id: new_run_id, map_id: made_id, number: 1 } });
    expect(await result('delete_run', { run_id })).toEqual({ id: run_id });
    expect(await result('delete_map', { map_id })).toEqual({ id: map_id, version });
    expect(await result('restore_map', { map_id })).toEqual({ id: map_id, version });
    expect((await client.api.get(`/api/v1/maps/${map_id}`)).body.stages).toMatchObject([{ id: 2 ** 34 }]);
  });

  test('[PUSH-6] an id that another record has, or had, is rejected as taken', async () => {
    const client = new SyncClient(await newApi(servers().first));
    const [map_id, run_id, stage_id] = [randomUUID(), 2 ** 35, 2 ** 36];
    await client.apply('create_map', { map_id, name: 'A' });
    await client.apply('add_stage', { map_id, stage_id, stage: 'S' });
    await client.apply('upload_recording', { map_id, run_id, steps: steps('A') });
    await client.apply('delete_run', { run_id });
    const errors = [
      await client.apply('create_map', { map_id, name: 'B' }),
      await client.apply('add_stage', { map_id, stage_id, stage: 'S' }),
      await client.apply('upload_recording', { map_id, run_id, steps: steps('B') }),
      await client.apply('upload_recording', { map_id, stage_ids: [stage_id], steps: steps('B') }),
    ].map(({ error }) => [error.code, error.field]);
    expect(errors).toEqual(['map_id', 'stage_id', 'run_id', 'stage_ids'].map((field) => ['id_taken', field]));
  });

  test('[PUSH-8] nothing new writes nothing', async () => {
    const client = new SyncClient(await newApi(servers().first));
    const batch = [client.next('create_map', { name: 'A' }), client.next('create_map', { name: '' })];
    const { cursor } = (await client.push(batch)).body;
    for (let count = 0; count < 3; count++) expect((await client.push(batch)).body.cursor).toBe(cursor);
    expect((await client.push([])).body).toEqual({ results: [], last_seq: 2, cursor });
    const acked = (await client.push([], { acked: 2 })).body.cursor;
    expect(acked).not.toBe(cursor);
    expect((await client.push([], { acked: 2 })).body.cursor).toBe(acked);
  });

  test('[PUSH-9] a client belongs to one device of one account for ever', async () => {
    const { first } = servers();
    const api = await newApi(first);
    const client = new SyncClient(api);
    await client.push([client.next('create_map', { name: 'A' })]);
    const scopes = ['read' as const, 'record' as const, 'write' as const];
    const otherKey = await createToken(first, api, { scopes });
    const device = await createToken(first, api, { scopes, deviceId: randomUUID() });
    const stranger = await newApi(first);
    const batch = [client.next('create_map', { name: 'B' })];
    expectProblem(await client.push(batch, { api: device }), 403, 'forbidden');
    expectProblem(await client.push(batch, { api: stranger }), 403, 'forbidden');
    expect((await client.push(batch, { api: otherKey })).status).toBe(200);
    expect((await stranger.get('/api/v1/maps')).body.data).toEqual([]);
  });

  test('[PUSH-10] [PUSH-44] a mutation beyond the scopes of its token is rejected by itself, and a noop needs none', async () => {
    const { first } = servers();
    const api = await newApi(first);
    const { id: map_id } = await api.createMap();
    const deviceId = randomUUID();
    const wearable = await createToken(first, api, { scopes: ['read', 'record'], deviceId });
    const client = new SyncClient(wearable);
    const { body } = await client.push([
      client.next('update_map', { map_id, name: 'X' }),
      client.next('upload_recording', { map_id, steps: steps('A') }),
      client.next('record_new_map', { name: 'N', steps: steps('A') }),
      client.next('noop', {}),
    ]);
    expect(body.results.map(({ error }: { error?: { code: string } }) => error?.code)).toEqual([
      'forbidden',
      undefined,
      undefined,
      'withdrawn',
    ]);
    expect((await api.get(`/api/v1/runs/${body.results[1].result.run.id}`)).body.device_id).toBe(deviceId);
    const reader = await createToken(first, api, { scopes: ['read'] });
    expectProblem(await new SyncClient(reader).push([]), 403, 'forbidden');
  });

  test('[PUSH-11] without the protocol header a sync request is 400, and of an older protocol 426', async () => {
    const api = await newApi(servers().first);
    for (const path of ['/api/v1/sync/pull', '/api/v1/sync/events']) {
      expectProblem(await api.get(path), 400, 'protocol_missing');
      expectProblem(await api.get(path, { 'Gemba-Protocol': 'one' }), 400, 'protocol_missing');
      expectProblem(await api.get(path, { 'Gemba-Protocol': '0' }), 426, 'protocol_too_old');
    }
    expectProblem(
      await api.post('/api/v1/sync/push', { of: 'old' }, { 'Gemba-Protocol': '0' }),
      426,
      'protocol_too_old',
    );
    expectProblem(await api.post('/api/v1/sync/push', {}), 400, 'protocol_missing');
  });

  test('[PUSH-13] a recording is the same over REST and push', async () => {
    const api = await newApi(servers().first);
    const client = new SyncClient(api);
    const { id: map_id } = await api.createMap();
    const recording = { steps: steps('A'), recording_session_id: 'both' };
    const { result } = await client.apply('upload_recording', { ...recording, map_id, run_id: 2 ** 37 });
    const overRest = await api.post(`/api/v1/maps/${map_id}/recording`, recording);
    expect(overRest.headers.get('Idempotency-Replayed')).toBe('true');
    expect(overRest.body.run.id).toBe(result.run.id);
    expect((await client.apply('upload_recording', { ...recording, map_id })).result).toEqual(result);
    const other = await client.apply('upload_recording', { ...recording, map_id, steps: steps('B') });
    expect(other.error.code).toBe('recording_session_mismatch');
  });

  test('[MUTATE-6] a batch leaves the same records as its mutations one by one', async () => {
    const random = randomWithPrintedSeed();
    const mapIds = [randomUUID(), randomUUID()];
    const mutations = Array.from({ length: 80 }, (_, index) => randomMutation(random, mapIds, index));
    const accounts = [await newApi(servers().first), await newApi(servers().first)];
    const [inOne, oneByOne] = accounts.map((api) => new SyncClient(api)) as [SyncClient, SyncClient];
    const { body } = await inOne.push(mutations.map(([name, args]) => inOne.next(name, args)));
    const statuses = [];
    for (const [name, args] of mutations) statuses.push((await oneByOne.apply(name, args)).status);
    expect(body.results.map(({ status }: { status: string }) => status)).toEqual(statuses);
    expect(statuses).toContain('rejected');
    const records = async (client: SyncClient) =>
      (await pullAll(client)).changes
        .map(({ kind, id, doc }) => ({ kind, id, doc: withoutVersionsAndTimes(doc) }))
        .toSorted((a, b) => (String(a.id) < String(b.id) ? -1 : 1));
    expect(await records(inOne)).toEqual(await records(oneByOne));
  });
}

const kindsOfMutation = ['upload', 'upload', 'upload', 'delete_run', 'delete_run', 'stage', 'rename', 'bin', 'restore'];

/** Few run ids make uploads collide and let deletions find a run. */
function randomMutation(random: Random, mapIds: string[], index: number): [string, object] {
  if (index < mapIds.length) return ['create_map', { map_id: mapIds[index], name: `Map ${index}` }];
  const map_id = mapIds[randomBelow(random, mapIds.length)]!;
  const run_id = 2 ** 31 + randomBelow(random, 12);
  switch (kindsOfMutation[randomBelow(random, kindsOfMutation.length)]) {
    case 'upload': {
      const recording_session_id = `s${randomBelow(random, 40)}`;
      return [
        'upload_recording',
        { map_id, run_id, recording_session_id, steps: steps('A', `B${randomBelow(random, 2)}`) },
      ];
    }
    case 'delete_run':
      return ['delete_run', { run_id }];
    case 'stage':
      return ['add_stage', { map_id, stage: 'S', order: 1 + randomBelow(random, 3) }];
    case 'rename':
      return ['update_map', { map_id, name: `Name ${index}` }];
    case 'bin':
      return ['delete_map', { map_id }];
    default:
      return ['restore_map', { map_id }];
  }
}

/** Leaves out versions, which also count other writes, and times, which differ. `hasRunAt` says whether a time is set. */
function withoutVersionsAndTimes(doc: Record<string, unknown> | undefined): object | undefined {
  if (!doc) return undefined;
  const kept = Object.entries(doc).filter(([name]) => !name.endsWith('version') && !name.endsWith('_at'));
  return { ...Object.fromEntries(kept), hasRunAt: doc['last_run_at'] !== null };
}
