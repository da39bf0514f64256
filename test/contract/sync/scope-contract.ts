import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { expectProblem, expectWrongFields, newApi, type Api, type GetServers, type Received } from '../fixture.ts';
import { protocol, pullAll, SyncClient } from '../sync-client.ts';

const dayMs = 86_400_000;

async function recordRuns(api: Api, mapId: string, count: number): Promise<Received['body'][]> {
  const runs: Received['body'][] = [];
  for (let made = 0; made < count; made++) runs.push((await api.record(mapId)).run);
  return runs;
}

const idsOf = (runs: readonly { id: number | string }[]) => runs.map(({ id }) => id);
const pulledRuns = (changes: Received['body'][]) => changes.filter(({ kind }) => kind === 'run');

function loadRuns(api: Api, query: Record<string, string | number>): Promise<Received> {
  const text = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  return api.get(`/api/v1/sync/runs?${text}`, protocol);
}

export function scopeContract(servers: GetServers): void {
  test('[SCOPE-1] [SCOPE-2] a first pull brings all maps and only the runs of the scope, in pages of any size', async () => {
    const api = await newApi(servers().first);
    const client = new SyncClient(api);
    const [old, busy] = [await api.createMap(), await api.createMap()];
    const ancient = await recordRuns(api, old.id, 2);
    servers().advance(3 * dayMs);
    const oldRuns = await recordRuns(api, old.id, 1);
    const busyRuns = await recordRuns(api, busy.id, 4);
    const all = [...ancient, ...oldRuns, ...busyRuns];
    for (const [scope, expected] of [
      [{ runs_max: 3 }, busyRuns.slice(1)],
      [{ runs_days: 1 }, [...oldRuns, ...busyRuns]],
      [{ runs_per_map: 2 }, [ancient[1], ...oldRuns, ...busyRuns.slice(2)]],
      [{ runs_max: 5, runs_per_map: 3, runs_days: 2 }, [...oldRuns, ...busyRuns.slice(1)]],
      [{ runs_max: 7, runs_days: 36_500, runs_per_map: 50_000 }, all],
    ] as const) {
      for (const limit of [1, 3, 500]) {
        const { changes, cursor } = await pullAll(client, { ...scope, limit });
        const runs = pulledRuns(changes);
        expect(new Set(idsOf(runs))).toEqual(new Set(idsOf(expected)));
        expect(runs).toHaveLength(expected.length);
        for (const run of runs) expect(run.doc).toEqual(all.find(({ id }) => id === run.id));
        const maps = changes.filter(({ kind }) => kind === 'map');
        expect(new Set(idsOf(maps))).toEqual(new Set([old.id, busy.id]));
        expect((await client.pull({ ...scope, cursor })).body).toMatchObject({ changes: [], cursor, has_more: false });
      }
      const whole = await client.pull({ ...scope, limit: 500 });
      expect(whole.body).toMatchObject({ has_more: false, partial: expected.length < all.length });
    }
    expect((await client.pull()).body).not.toHaveProperty('partial');
  });

  test('[SCOPE-3] each wrong field of a scope is named', async () => {
    const client = new SyncClient(await newApi(servers().first));
    const wrong = { runs_max: 0, runs_days: 'x', runs_per_map: 50_001 };
    expectWrongFields(await client.pull(wrong), ['/runs_max', '/runs_days', '/runs_per_map']);
    expectWrongFields(await client.pull({ runs_max: 1.5 }), ['/runs_max']);
    expectWrongFields(await client.pull({ runs_max: 3, cursor: 'Zm9v' }), ['/cursor']);
  });

  test('[SCOPE-4] a first pull ends on a consistent state, whatever happens between its pages', async () => {
    const api = await newApi(servers().first);
    const client = new SyncClient(api);
    const { id } = await api.createMap();
    const runs = await recordRuns(api, id, 5);
    const held = new Map<number, Received['body']>();
    const maps = new Map<string, Received['body']>();
    let cursor = '';
    const between = [
      () => api.post(`/api/v1/runs/${runs[3].id}/delete`),
      () => api.patch(`/api/v1/runs/${runs[4].id}`, { name: 'Changed' }),
      () => api.record(id),
      () => api.post(`/api/v1/runs/${runs[2].id}/delete`),
    ];
    for (let more = true; more;) {
      const { body } = await client.pull({ runs_max: 4, limit: 1, cursor });
      for (const { kind, id: changed, doc } of body.changes) {
        if (kind === 'map') maps.set(changed, doc);
        else if (doc) held.set(changed, doc);
        else held.delete(changed);
      }
      ({ cursor, has_more: more } = body);
      await between.shift()?.();
    }
    const listed = (await api.get(`/api/v1/maps/${id}/runs`)).body.data;
    for (const doc of held.values()) expect(doc).toEqual((await api.get(`/api/v1/runs/${doc.id}`)).body);
    expect(new Set(held.keys())).toEqual(new Set([runs[1].id, runs[4].id, listed[0].id]));
    expect(maps.get(id)).toMatchObject({ run_count: 4, last_run_number: 6 });
    expect((await client.pull({ runs_max: 4, cursor })).body.changes).toEqual([]);
  });

  test("[SCOPE-5] the client's own record comes last, also where its mutations are older than the pull", async () => {
    const api = await newApi(servers().first);
    const client = new SyncClient(api);
    const map_id = randomUUID();
    await client.apply('create_map', { map_id, name: 'Mine' });
    await client.push([client.next('create_map', { name: '' })]);
    const [run] = await recordRuns(api, map_id, 1);
    for (const limit of [1, 500]) {
      const { changes } = await pullAll(client, { runs_max: 5, limit, client_id: client.id });
      expect(changes.map(({ kind, id }) => [kind, id])).toEqual([
        ['map', map_id],
        ['run', run.id],
        ['client', client.id],
      ]);
      expect(changes.at(-1)).toMatchObject({ doc: { last_seq: 2, rejections: [{ seq: 2 }] } });
    }
  });

  test("[SCOPE-5] a page has no more changes than its limit, with the client's own record too", async () => {
    const api = await newApi(servers().first);
    const client = new SyncClient(api);
    const map_id = randomUUID();
    await client.apply('create_map', { map_id, name: 'Mine' });
    const [run] = await recordRuns(api, map_id, 1);
    const pages: string[][] = [];
    let cursor = '';
    for (let more = true; more;) {
      const { body } = await client.pull({ runs_max: 5, limit: 1, client_id: client.id, cursor });
      pages.push(body.changes.map(({ kind }: { kind: string }) => kind));
      ({ cursor, has_more: more } = body);
      if (pages.length === 1) await api.patch(`/api/v1/runs/${run.id}`, { name: 'Renamed' });
    }
    expect(pages.filter((kinds) => kinds.length > 0)).toEqual([['map'], ['run'], ['run'], ['client']]);
  });

  test('[SCOPE-6] [SCOPE-7] a cursor brings every later change and deletion, and is refused after too many', async () => {
    const api = await newApi(servers().first);
    const client = new SyncClient(api);
    const { id } = await api.createMap();
    const runs = await recordRuns(api, id, 5);
    const scope = { runs_max: 2 };
    const { cursor } = await pullAll(client, scope);
    await api.patch(`/api/v1/runs/${runs[0].id}`, { name: 'Out of scope' });
    await api.post(`/api/v1/runs/${runs[1].id}/delete`);
    const later = await pullAll(client, { ...scope, cursor });
    expect(pulledRuns(later.changes)).toMatchObject([
      { id: runs[0].id, deleted: false, doc: { name: 'Out of scope' } },
      { id: runs[1].id, deleted: true },
    ]);
    for (let more = 0; more < 4; more++) await api.patch(`/api/v1/maps/${id}`, { name: `Name ${more}` });
    expect((await client.pull({ ...scope, cursor })).status).toBe(200);
    await api.patch(`/api/v1/runs/${runs[4].id}`, { name: 'One too many' });
    expectWrongFields(await client.pull({ ...scope, cursor }), ['/cursor']);
    expect((await client.pull({ runs_max: 3, cursor })).status).toBe(200);
    expect((await client.pull({ cursor })).status).toBe(200);
  });

  test('[SCOPE-8] whole runs by their ids or of a map, in pages', async () => {
    const api = await newApi(servers().first);
    const client = new SyncClient(api);
    const [{ id }, other] = [await api.createMap(), await api.createMap()];
    const runs = await recordRuns(api, id, 5);
    const [strange] = await recordRuns(api, other.id, 1);
    await api.post(`/api/v1/runs/${runs[2].id}/delete`);
    const { cursor } = await pullAll(client);
    const ids = [runs[4].id, strange.id, runs[2].id, 999_999].join(',');
    const byIds = await loadRuns(api, { cursor, ids });
    expect(byIds.status).toBe(200);
    expect(byIds.body).toEqual({ runs: [runs[4], strange], newer: [], epoch: expect.any(String) });
    expect(byIds.headers.get('Gemba-Next-Cursor')).toBeNull();

    const walked: number[] = [];
    let page: string | null = '';
    for (let pages = 0; page !== null; pages++) {
      expect(pages).toBeLessThan(10);
      const query = { cursor, map_id: id, limit: 2, before: 5, ...(page === '' ? {} : { page }) };
      const received = await loadRuns(api, query);
      walked.push(...idsOf(received.body.runs).map(Number).toReversed());
      page = received.headers.get('Gemba-Next-Cursor');
    }
    expect(walked).toEqual([runs[3].id, runs[1].id, runs[0].id]);
  });

  test('[SCOPE-8] a page of large runs ends early and goes on', async () => {
    const api = await newApi(servers().first);
    const { id } = await api.createMap();
    const notes = 'x'.repeat(10_000);
    const large = Array.from({ length: 80 }, (_, index) => ({
      stage_name: `S${index}`,
      order: index + 1,
      duration_secs: 1,
      notes,
    }));
    const runs: Received['body'][] = [];
    for (let made = 0; made < 7; made++) runs.push((await api.record(id, { steps: large })).run);
    const { cursor } = await pullAll(new SyncClient(api));
    const first = await loadRuns(api, { cursor, map_id: id });
    expect(first.body.runs.length).toBeLessThan(7);
    const page = first.headers.get('Gemba-Next-Cursor')!;
    const second = await loadRuns(api, { cursor, map_id: id, page });
    expect(idsOf([...first.body.runs, ...second.body.runs])).toEqual(idsOf(runs));
    expect(second.headers.get('Gemba-Next-Cursor')).toBeNull();
    const scoped = await pullAll(new SyncClient(api), { runs_max: 10 });
    expect(idsOf(pulledRuns(scoped.changes))).toEqual(idsOf(runs).toReversed());
    expect(scoped.pages).toBeGreaterThan(1);
  });

  test('[SCOPE-9] a run that changed after the cursor is only named, and the next pull brings it', async () => {
    const api = await newApi(servers().first);
    const client = new SyncClient(api);
    const { id } = await api.createMap();
    const [first, second] = await recordRuns(api, id, 2);
    const { cursor } = await pullAll(client, { runs_max: 1 });
    await api.patch(`/api/v1/runs/${first.id}`, { name: 'Later' });
    const { body } = await loadRuns(api, { cursor, ids: `${first.id},${second.id}` });
    expect(body).toMatchObject({ runs: [second], newer: [first.id] });
    const later = await pullAll(client, { runs_max: 1, cursor });
    expect(pulledRuns(later.changes)).toMatchObject([{ id: first.id, doc: { name: 'Later' } }]);
    const again = await loadRuns(api, { cursor: later.cursor, ids: first.id });
    expect(again.body).toMatchObject({ runs: [{ id: first.id, name: 'Later' }], newer: [] });
  });

  test('[SCOPE-10] runs on demand are refused with what is wrong, and never of another account', async () => {
    const api = await newApi(servers().first);
    const stranger = await newApi(servers().first);
    const { id } = await api.createMap();
    const [run] = await recordRuns(api, id, 1);
    const { cursor } = await pullAll(new SyncClient(api));
    for (const [query, paths] of [
      [{ ids: run.id }, ['/cursor']],
      [{ ids: run.id, cursor: 'x' }, ['/cursor']],
      [{ cursor }, ['/ids']],
      [{ cursor, ids: run.id, map_id: id }, ['/ids']],
      [{ cursor, ids: 'x' }, ['/ids']],
      [{ cursor, ids: Array.from({ length: 201 }, (_, index) => index + 1).join(',') }, ['/ids']],
      [{ cursor, map_id: 'x', limit: 0, before: 0 }, ['/before', '/limit', '/map_id']],
      [{ cursor, map_id: id, page: 'x' }, ['/page']],
    ] as const) {
      expectWrongFields(await loadRuns(api, query as Record<string, string>), [...paths]);
    }
    expectProblem(
      await loadRuns(stranger, { cursor, ids: run.id, account_id: api.accountId }),
      403,
      'account_mismatch',
    );
    const foreign = await loadRuns(stranger, { cursor, ids: run.id });
    expect(foreign.body).toMatchObject({ runs: [], newer: [] });
    expect((await loadRuns(stranger, { cursor, map_id: id })).body.runs).toEqual([]);
  });
}
