import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { expectProblem, expectWrongFields, newApi, steps, unknownMapId, type GetServers } from '../fixture.ts';

export function mapsContract(servers: GetServers): void {
  test('[REST-12] a map is created with defaults, its place and its version', async () => {
    const api = await newApi(servers().first);
    const created = await api.post('/api/v1/maps', { name: '  Order to delivery ', industry: 'Retail' });
    expect(created.status).toBe(201);
    const { body } = created;
    expect(body).toMatchObject({
      name: 'Order to delivery',
      industry: 'Retail',
      description: '',
      state: 'current',
      archived: false,
      deleted: false,
      deleted_at: null,
      stage_count: 0,
      run_count: 0,
    });
    expect(body.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    expect(created.headers.get('Location')).toBe(`/api/v1/maps/${body.id}`);
    const fetched = await api.get(`/api/v1/maps/${body.id}`);
    expect(fetched.body).toMatchObject({ ...body, stages: [], analytics: { stage_count: 0, pce: null } });
    expect(fetched.headers.get('ETag')).toBe(created.headers.get('ETag'));
  });

  test('[REST-13] a client may bring the id of its map, which no other map can have', async () => {
    const api = await newApi(servers().first);
    const id = randomUUID();
    expect(await api.createMap({ id: id.toUpperCase() })).toMatchObject({ id });
    expectProblem(await api.post('/api/v1/maps', { id, name: 'Again' }), 409, 'id_taken');
    expect((await api.get(`/api/v1/maps/${id.toUpperCase()}`)).body.name).toBe('Map');
  });

  test('[REST-14] [REST-81] a patch changes what it names and leaves the rest', async () => {
    const api = await newApi(servers().first);
    const map = await api.createMap({ description: 'Kept' });
    const patched = await api.patch(`/api/v1/maps/${map.id}`, { name: 'New', state: 'future', archived: true });
    expect(patched.status).toBe(200);
    expect(patched.body).toMatchObject({ name: 'New', state: 'future', archived: true, description: 'Kept' });
    expect(patched.body.version).toBeGreaterThan(map.version);
    const same = await api.patch(`/api/v1/maps/${map.id}`, { name: ' New ' });
    expect(same.body.version).toBe(patched.body.version);
    expectWrongFields(await api.patch(`/api/v1/maps/${map.id}`, { id: unknownMapId, archived: 'yes', deleted: true }), [
      '/id',
      '/archived',
      '/deleted',
    ]);
  });

  test('[REST-15] deleting and restoring a map are idempotent and answer with the record', async () => {
    const api = await newApi(servers().first);
    const { id } = await api.createMap();
    const deleted = await api.post(`/api/v1/maps/${id}/delete`);
    expect(deleted).toMatchObject({ status: 200, body: { id, deleted: true, deleted_at: expect.any(String) } });
    expect((await api.post(`/api/v1/maps/${id}/delete`)).body).toEqual(deleted.body);
    const restored = await api.post(`/api/v1/maps/${id}/restore`);
    expect(restored).toMatchObject({ status: 200, body: { id, deleted: false, deleted_at: null } });
    expect((await api.post(`/api/v1/maps/${id}/restore`)).body).toEqual(restored.body);
  });

  test('[REST-16] [REST-82] a map in the recycle bin is 404 map_deleted to readers and 409 map_deleted to writers', async () => {
    const api = await newApi(servers().first);
    const { id } = await api.createMap();
    const { run } = await api.record(id);
    const path = `/api/v1/maps/${id}`;
    await api.post(`${path}/delete`);
    for (const read of [path, `${path}/stages`, `${path}/runs`]) expectProblem(await api.get(read), 404, 'map_deleted');
    expectProblem(await api.patch(path, { name: 'X' }), 409, 'map_deleted');
    expectProblem(await api.post(`${path}/stages`, { stage: 'X' }), 409, 'map_deleted');
    expectProblem(await api.post(`${path}/recording`, { steps: steps('X') }), 409, 'map_deleted');
    expect((await api.get(`/api/v1/runs/${run.id}`)).status).toBe(200);
    expect((await api.post(`/api/v1/runs/${run.id}/delete`)).status).toBe(200);
  });

  test('[REST-17] an id that cannot be one is a 404 of its record', async () => {
    const api = await newApi(servers().first);
    const { id } = await api.createMap();
    expectProblem(await api.get('/api/v1/maps/1'), 404, 'map_not_found');
    expectProblem(await api.patch(`/api/v1/maps/${id}/stages/first`, { stage: 'X' }), 404, 'stage_not_found');
    expectProblem(await api.patch(`/api/v1/maps/${id}/stages/99`, { stage: 'X' }), 404, 'stage_not_found');
    for (const wrong of ['0', '-1', '1.5', 'x', '99999999999999999999']) {
      expectProblem(await api.get(`/api/v1/runs/${wrong}`), 404, 'run_not_found');
    }
  });

  test('[REST-18] a free account gets two maps however many requests race, on however many servers', async () => {
    const { first, second } = servers();
    const api = await newApi(first, 'free');
    const attempts = Array.from({ length: 12 }, (_, index) => {
      const at = index % 2 === 0 ? api : api.at(second);
      return index % 3 === 0
        ? at.post('/api/v1/recording/new', { name: 'R', steps: steps('A') })
        : at.post('/api/v1/maps', { name: 'M' });
    });
    const answers = await Promise.all(attempts);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(2);
    for (const refused of answers.filter(({ status }) => status !== 201)) {
      expectProblem(refused, 403, 'map_cap_reached');
      expect(refused.body).toMatchObject({ limit: 2, plan: 'free' });
    }
    const { data } = (await api.get('/api/v1/maps')).body;
    await api.post(`/api/v1/maps/${data[0].id}/delete`);
    expect((await api.post('/api/v1/maps', { name: 'Third' })).status).toBe(201);
    expectProblem(await api.post(`/api/v1/maps/${data[0].id}/restore`), 403, 'map_cap_reached');
  });
}
