/** A replayed answer is equal byte by byte, whatever order the database keeps fields in. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { newApi, steps, type Received, type GetServers } from '../fixture.ts';
import { SyncClient } from '../sync-client.ts';

const newIdempotencyHeader = () => ({ 'Idempotency-Key': randomUUID() });

/** Matches the text of an object that begins with the fields of this record. */
const beginsWith = (record: object) => expect.stringContaining(JSON.stringify(record).slice(0, -1) + ',');

export function verbatimContract(servers: GetServers): void {
  test('[STORE-37] the answer to a repeated request has the bytes of the first, on another server too', async () => {
    const api = await newApi(servers().first);
    const other = api.at(servers().second);
    const twice = async (send: (through: typeof api) => Promise<Received>): Promise<Received> => {
      const [first, again] = [await send(api), await send(other)];
      expect(again.headers.get('Idempotency-Replayed')).toBe('true');
      expect(again.text).toBe(first.text);
      return first;
    };
    const keys = Array.from({ length: 4 }, newIdempotencyHeader);
    const made = await twice((through) => through.post('/api/v1/maps', { name: 'A', industry: 'X' }, keys[0]));
    const path = `/api/v1/maps/${made.body.id}`;
    await twice((through) => through.post(`${path}/stages`, { stage: 'Cut', work_type: 'waste' }, keys[1]));
    await twice((through) => through.patch(path, { description: 'D' }, keys[2]));
    await twice((through) => through.post(`${path}/delete`, {}, keys[3]));
    await api.post(`${path}/restore`);
    const recording = { recording_session_id: randomUUID(), steps: steps('Cut', 'Weld') };
    const { body } = await twice((through) => through.post(`${path}/recording`, recording));
    const recordedNew = { name: 'B', recording_session_id: randomUUID(), steps: steps('Saw') };
    await twice((through) => through.post('/api/v1/recording/new', recordedNew));
    await api.post(`/api/v1/runs/${body.run.id}/delete`);
    await twice((through) => through.post(`${path}/recording`, recording));
  });

  test('[STORE-37] [STORE-46] a record that is read has the bytes that its writing was answered with', async () => {
    const api = await newApi(servers().first);
    const other = api.at(servers().second);
    const made = await api.post('/api/v1/maps', { name: 'A', description: 'D' });
    const path = `/api/v1/maps/${made.body.id}`;
    expect((await other.get(path)).text).toEqual(beginsWith(made.body));
    const listed = await other.get('/api/v1/maps');
    expect(JSON.stringify(listed.body.data)).toBe(`[${made.text}]`);

    const recorded = await api.post('/api/v1/recording/new', { name: 'B', steps: steps('Saw', 'Weld') });
    const { map, run } = recorded.body;
    expect((await other.get(`/api/v1/maps/${map.id}`)).text).toBe(JSON.stringify(map));
    expect((await other.get(`/api/v1/runs/${run.id}`)).text).toBe(JSON.stringify(run));
    const { steps: _, ...record } = run;
    const runs = await other.get(`/api/v1/maps/${map.id}/runs`);
    expect(JSON.stringify(runs.body.data)).toBe(JSON.stringify([record]));

    const patched = await api.patch(`/api/v1/maps/${map.id}`, { name: 'C' });
    expect((await other.get(`/api/v1/maps/${map.id}`)).text).toEqual(beginsWith(patched.body));
    const { analytics: _analytics, ...doc } = (await api.get(`/api/v1/maps/${map.id}`)).body;
    const { changes } = (await new SyncClient(other).pull()).body;
    const docs = changes.map((change: { doc: unknown }) => JSON.stringify(change.doc));
    expect(docs.slice(1)).toEqual([JSON.stringify(run), JSON.stringify(doc)]);
  });

  test('[STORE-37] the remembered answers to a push have the bytes of the first', async () => {
    const client = new SyncClient(await newApi(servers().first));
    const [mapId, session] = [randomUUID(), randomUUID()];
    const mutations = [
      client.next('create_map', { map_id: mapId, name: 'A' }),
      client.next('add_stage', { map_id: mapId, stage: 'Cut' }),
      client.next('upload_recording', { map_id: mapId, recording_session_id: session, steps: steps('Saw') }),
      client.next('upload_recording', { map_id: mapId, recording_session_id: session, steps: steps('Other') }),
      client.next('create_map', { nme: 'A' }),
    ];
    const first = await client.push(mutations);
    const again = await client.push(mutations, { api: client.api.at(servers().second) });
    expect(first.body.results.map(({ status }: { status: string }) => status)).toContain('rejected');
    expect(again.text).toBe(first.text);
    const own = { client_id: client.id };
    const [pulled, pulledAgain] = [await client.pull(own), await client.pull(own)];
    expect(pulledAgain.text).toBe(pulled.text);
    const rejected = first.body.results.filter(({ status }: { status: string }) => status === 'rejected');
    const { doc } = pulled.body.changes.at(-1);
    const errors = rejected.map(({ seq, error }: { seq: number; error: unknown }) => ({ seq, error }));
    expect(JSON.stringify(doc.rejections)).toBe(JSON.stringify(errors));
  });
}
