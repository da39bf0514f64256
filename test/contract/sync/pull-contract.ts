import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { packedMediaType } from '../../../shared/packed/column.ts';
import { unpackBody } from '../../../shared/packed/unpack.ts';
import { createToken } from '../auth/auth-contract.ts';
import { expectProblem, expectWrongFields, newApi, steps, type GetServers } from '../fixture.ts';
import { protocol, pullAll, SyncClient, type PulledChanges } from '../sync-client.ts';

export function pullContract(servers: GetServers): void {
  test('[PULL-1] what changed after the cursor comes once, at its latest, as the records that REST answers', async () => {
    const api = await newApi(servers().first);
    const client = new SyncClient(api);
    const { id } = await api.createMap();
    const { run } = await api.record(id);
    await api.patch(`/api/v1/maps/${id}`, { name: 'Changed' });
    const { changes, cursor } = (await client.pull()).body;
    const { analytics: _analytics, ...map } = (await api.get(`/api/v1/maps/${id}`)).body;
    expect(changes).toEqual([
      { kind: 'run', id: run.id, version: run.version, deleted: false, doc: run },
      { kind: 'map', id, version: map.version, deleted: false, doc: map },
    ]);
    expect((await client.pull({ cursor })).body).toMatchObject({ changes: [], has_more: false, cursor });
    await api.post(`/api/v1/maps/${id}/delete`);
    expect((await client.pull({ cursor })).body.changes).toMatchObject([
      { kind: 'map', deleted: false, doc: { deleted: true } },
    ]);
    expect((await client.pull({ kinds: 'map' })).body.changes).toHaveLength(1);
  });

  test('[SYNC-34] [SYNC-76] maps of one push are listed in the order in which they were made, and the pull tells that order', async () => {
    const api = await newApi(servers().first);
    const client = new SyncClient(api);
    const ids = [randomUUID(), randomUUID(), randomUUID()];
    const made = ids.map((map_id, index) => client.next('create_map', { map_id, name: `Map ${index}` }));
    // Changing the first map in the same push keeps its position in the list.
    await client.push([...made, client.next('update_map', { map_id: ids[0], name: 'Changed' })]);
    const listed = (await api.get('/api/v1/maps')).body.data;
    expect(listed.map(({ id }: { id: string }) => id)).toEqual(ids.toReversed());
    const docs = (await pullAll(client)).changes.filter(({ kind }) => kind === 'map').map(({ doc }) => doc);
    const newestFirst = docs.toSorted((a, b) => b.created_version - a.created_version);
    expect(newestFirst.map(({ id }) => id)).toEqual(ids.toReversed());
    expect(listed).toEqual(newestFirst.map(({ stages: _stages, ...record }) => record));
  });

  test('[PACKED-1] [PACKED-2] a pull that accepts the packed form gets it, and unpacks to the bytes of the plain one', async () => {
    const api = await newApi(servers().first);
    const client = new SyncClient(api);
    const { id } = await api.createMap();
    for (let run = 0; run < 5; run++) await api.record(id);
    const { run } = await api.record(id);
    await api.post(`/api/v1/runs/${run.id}/delete`);
    const pull = (accept: string) =>
      api.get(`/api/v1/sync/pull?client_id=${client.id}`, { ...protocol, Accept: accept });
    const plain = await pull('*/*');
    const packed = await pull(`${packedMediaType}, application/json;q=0.5`);
    expect(plain.headers.get('Content-Type')).toBe('application/json; charset=utf-8');
    expect(packed.headers.get('Content-Type')).toBe(packedMediaType);
    for (const { headers } of [plain, packed]) expect(headers.get('Vary')).toBe('Accept, Accept-Encoding');
    expect(packed.text).not.toBe(plain.text);
    expect(JSON.stringify(unpackBody(JSON.parse(packed.text)))).toBe(plain.text);
  });

  test('[PULL-17] each page but the last has the cursor of the next one in a header', async () => {
    const api = await newApi(servers().first);
    const client = new SyncClient(api);
    const { id } = await api.createMap();
    for (let run = 0; run < 3; run++) await api.record(id);
    for (const scope of ['', '&runs_max=3']) {
      const named: (string | null)[] = [];
      const cursors: string[] = [];
      for (let cursor = '', more = true; more;) {
        const query = `client_id=${client.id}&limit=2&cursor=${cursor}${scope}`;
        const { body, headers } = await api.get(`/api/v1/sync/pull?${query}`, protocol);
        named.push(headers.get('Gemba-Next-Cursor'));
        cursors.push((cursor = body.cursor));
        more = body.has_more;
      }
      expect(cursors.length).toBeGreaterThan(1);
      expect(named).toEqual([...cursors.slice(0, -1), null]);
    }
  });

  test('[PULL-2] a deleted run is a change without a document, and nothing to who begins', async () => {
    const api = await newApi(servers().first);
    const client = new SyncClient(api);
    const { id } = await api.createMap();
    const runs = [(await api.record(id)).run, (await api.record(id)).run];
    const { cursor } = await pullAll(client);
    await api.post(`/api/v1/runs/${runs[0].id}/delete`);
    const after = (await client.pull({ cursor })).body.changes;
    expect(after).toContainEqual({ kind: 'run', id: runs[0].id, version: expect.any(Number), deleted: true });
    for (const limit of [1, 500]) {
      const { changes } = await pullAll(client, { limit });
      expect(changes.map((change) => change.id)).toEqual([runs[1].id, id]);
    }
  });

  test('[PULL-3] a run that is deleted during a first walk does not stay behind', async () => {
    const api = await newApi(servers().first);
    const client = new SyncClient(api);
    const { id } = await api.createMap();
    const { run } = await api.record(id);
    await api.createMap();
    const page = (await client.pull({ limit: 2 })).body;
    expect(page).toMatchObject({ has_more: true, changes: [{ id }, { id: run.id }] });
    await api.post(`/api/v1/runs/${run.id}/delete`);
    const { changes } = await pullAll(client, { limit: 1, cursor: page.cursor });
    expect(changes).toContainEqual(expect.objectContaining({ kind: 'run', id: run.id, deleted: true }));
  });

  test("[PULL-4] [PULL-11] the caller's own client record travels behind the effects of its mutations", async () => {
    const api = await newApi(servers().first);
    const [client, other] = [new SyncClient(api), new SyncClient(api)];
    await other.apply('create_map', { name: 'Other' });
    const batch = ['A', '', 'C'].map((name) => client.next('create_map', { name }));
    await client.push(batch);
    const { changes } = (await client.pull({ client_id: client.id.toUpperCase() })).body;
    expect(changes.map(({ kind }: { kind: string }) => kind)).toEqual(['map', 'map', 'map', 'client']);
    const rejections = [{ seq: 2, error: expect.objectContaining({ code: 'validation_failed' }) }];
    expect(changes.at(-1)).toMatchObject({ id: client.id, deleted: false, doc: { last_seq: 3, rejections } });
    await client.push([], { acked: 3 });
    const acked = (await client.pull({ client_id: client.id, kinds: 'map' })).body.changes.at(-1);
    expect(acked).toMatchObject({ kind: 'client', doc: { last_seq: 3, rejections: [] } });
  });

  test("[PULL-5] [PULL-12] a pull with someone else's client is refused, and with an unclaimed one claims nothing", async () => {
    const { first } = servers();
    const api = await newApi(first);
    const stranger = await newApi(first);
    const client = new SyncClient(api);
    expect((await stranger.get(`/api/v1/sync/pull?client_id=${client.id}`, { 'Gemba-Protocol': '1' })).status).toBe(
      200,
    );
    await client.apply('create_map', { name: 'A' });
    const refused = await stranger.get(`/api/v1/sync/pull?client_id=${client.id}`, { 'Gemba-Protocol': '1' });
    expectProblem(refused, 403, 'forbidden');
    const device = await createToken(first, api, { scopes: ['read'], deviceId: randomUUID() });
    const ofDevice = await device.get(`/api/v1/sync/pull?client_id=${client.id}`, { 'Gemba-Protocol': '1' });
    expectProblem(ofDevice, 403, 'forbidden');
    const withoutRequestId = ({ body }: typeof refused) => ({ ...body, request_id: undefined });
    expect(withoutRequestId(refused)).toEqual(withoutRequestId(ofDevice));
  });

  test('[PULL-10] [PULL-14] [PULL-15] who carries on the client of another device of the account pulls its record and pushes after it, a stranger never', async () => {
    const { first } = servers();
    const api = await newApi(first);
    const stranger = await newApi(first);
    const client = new SyncClient(api);
    await client.apply('create_map', { name: 'A' });
    const device = await createToken(first, api, { scopes: ['read', 'write'], deviceId: randomUUID() });
    const path = `/api/v1/sync/pull?client_id=${client.id}`;
    expect((await device.get(path, protocol)).body.client_id).toBe(client.id);
    const pulled = (await device.get(`${path}&carried=true`, protocol)).body.changes;
    expect(pulled.at(-1)).toMatchObject({ kind: 'client', doc: { last_seq: 1 } });
    const next = client.next('create_map', { name: 'B' });
    const { body } = await client.push([next], { api: device, carried: true });
    expect(body).toMatchObject({ last_seq: 2 });
    expect((await client.push([next])).body.results).toEqual(body.results);
    const refused = await stranger.get(`${path}&carried=true`, protocol);
    expectProblem(refused, 403, 'forbidden');
    expect(refused.body.client_id).toBe(client.id);
    expectProblem(await client.push([], { api: stranger, carried: true }), 403, 'forbidden');
  });

  test('[PULL-9] [PULL-13] a pull tells whose records it brings, and what names another account is refused and changes nothing', async () => {
    const { first } = servers();
    const [client, stranger] = [new SyncClient(await newApi(first)), new SyncClient(await newApi(first))];
    const { account_id } = (await client.pull()).body;
    expect((await client.pull({ account_id: account_id.toUpperCase() })).body.account_id).toBe(account_id);
    const create = stranger.next('create_map', { name: 'Theirs' });
    expectProblem(await stranger.pull({ account_id }), 403, 'account_mismatch');
    expectProblem(await stranger.push([create], { account_id }), 403, 'account_mismatch');
    expect((await pullAll(stranger)).changes).toEqual([]);
    // The refused request did not claim the client id either.
    expect((await client.api.post('/api/v1/sync/push', pushOf(stranger.id, account_id), protocol)).status).toBe(200);
  });

  test('[PULL-6] wrong parameters are named', async () => {
    const client = new SyncClient(await newApi(servers().first));
    const wrong = await client.pull({ limit: 1001, kinds: 'map,client', client_id: 'x', cursor: 'y' });
    expectWrongFields(wrong, ['/limit', '/kinds', '/client_id']);
    for (const cursor of ['y', 'LTE', 'MS4x.', '!']) expectWrongFields(await client.pull({ cursor }), ['/cursor']);
  });

  test('[PULL-7] a cursor from beyond what the store holds leads back to what it holds', async () => {
    const api = await newApi(servers().first);
    const client = new SyncClient(api);
    await api.createMap();
    const { changes: _changes, ...end } = (await client.pull()).body;
    const beyond = Buffer.from('1000').toString('base64url');
    expect((await client.pull({ cursor: beyond })).body).toEqual({ changes: [], ...end });
  });

  test('[PULL-8] walks among concurrent writers end on a consistent cut', async () => {
    const { first, second } = servers();
    const api = await newApi(first);
    const reader = new SyncClient(api.at(second));
    const { id: mapId } = await api.createMap();
    const writers = [0, 1, 2].map(async (writer) => {
      const client = new SyncClient(writer === 0 ? api : api.at(second));
      for (let count = 0; count < 8; count++) {
        const names = [client.next('upload_recording', { map_id: mapId, steps: steps(`W${writer}`) })];
        names.push(client.next('create_map', { name: `W${writer}-${count}` }));
        expect((await client.push(names)).status).toBe(200);
      }
    });
    const state = { writing: true };
    const done = Promise.all(writers).then(() => void (state.writing = false));
    const records = new Map<string, PulledChanges['changes'][number]>();
    let cursor = '';
    for (let walks = 0; state.writing || walks === 0; walks++) {
      const walked = await pullAll(reader, { limit: 3, cursor });
      cursor = walked.cursor;
      for (const change of walked.changes) records.set(`${change.kind} ${change.id}`, change);
      const runs = [...records.values()].filter(({ kind }) => kind === 'run');
      const { run_count, last_run_number } = records.get(`map ${mapId}`).doc;
      expect({ run_count, last_run_number }).toEqual({ run_count: runs.length, last_run_number: runs.length });
    }
    await done;
    const last = await pullAll(reader, { limit: 3, cursor });
    for (const change of last.changes) records.set(`${change.kind} ${change.id}`, change);
    expect(records.size).toBe(1 + 3 * 8 * 2);
  });
}

const pushOf = (client_id: string, account_id: string) => ({ client_id, account_id, acked_seq: 0, mutations: [] });
