import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { expectProblem, newApi, unknownMapId, type GetServers } from '../fixture.ts';

export function conditionsContract(servers: GetServers): void {
  test('[REST-41] single maps and runs carry a strong ETag, and a reader that has it gets 304', async () => {
    const api = await newApi(servers().first);
    const { id } = await api.createMap();
    const { run } = await api.record(id);
    for (const path of [`/api/v1/maps/${id}`, `/api/v1/runs/${run.id}`]) {
      const etag = (await api.get(path)).headers.get('ETag')!;
      expect(etag).toMatch(/^"[^"]+"$/);
      for (const header of [etag, `"other", W/${etag}`, '*']) {
        const known = await api.get(path, { 'If-None-Match': header });
        expect([known.status, known.body, known.headers.get('ETag')]).toEqual([304, undefined, etag]);
      }
      expect((await api.get(path, { 'If-None-Match': '"other"' })).status).toBe(200);
    }
    const before = (await api.get(`/api/v1/maps/${id}`)).headers.get('ETag')!;
    // Stages belong to their map, so writing a stage requires the map's ETag.
    expect((await api.get(`/api/v1/maps/${id}/stages?limit=1`)).headers.get('ETag')).toBe(before);
    await api.patch(`/api/v1/maps/${id}`, { name: 'Changed' });
    expect((await api.get(`/api/v1/maps/${id}`, { 'If-None-Match': before })).status).toBe(200);
  });

  test('[REST-41] an answer without an ETag is given whole, whatever the reader says to know', async () => {
    const api = await newApi(servers().first);
    const { id } = await api.createMap();
    for (const path of ['/api/v1/maps', `/api/v1/maps/${id}/runs`]) {
      // `fetch` would add `Cache-Control: no-cache`, which hides the behaviour under test.
      const headers = { Authorization: `Bearer ${api.key}`, 'If-None-Match': '*' };
      const [answer] = (await once(get(api.url + path, { headers }), 'response')) as [IncomingMessage];
      answer.resume();
      expect(answer.statusCode).toBe(200);
    }
  });

  test('[REST-42] a write with a stale If-Match is 412 and changes nothing', async () => {
    const api = await newApi(servers().first);
    const { id } = await api.createMap();
    const stage = await api.createStage(id, 'A');
    const path = `/api/v1/maps/${id}`;
    const stale = (await api.get(path)).headers.get('ETag')!;
    const patched = await api.patch(path, { name: 'One' }, { 'If-Match': stale });
    expect(patched.status).toBe(200);
    const headers = { 'If-Match': stale };
    for (const refused of [
      await api.patch(path, { name: 'Two' }, headers),
      await api.post(`${path}/stages/reorder`, { stage_ids: [stage.id] }, headers),
      await api.patch(`${path}/stages/${stage.id}`, { stage: 'B' }, headers),
      await api.patch(path, { name: 'Two' }, { 'If-Match': `W/${patched.headers.get('ETag')}` }),
    ]) {
      expectProblem(refused, 412, 'precondition_failed');
    }
    expect((await api.get(path)).headers.get('ETag')).toBe(patched.headers.get('ETag'));
    const fresh = { 'If-Match': patched.headers.get('ETag')! };
    const moved = await api.patch(`${path}/stages/${stage.id}`, { stage: 'B' }, fresh);
    expect(moved.status).toBe(200);
    const next = { 'If-Match': moved.headers.get('ETag')! };
    expect((await api.post(`${path}/stages/reorder`, { stage_ids: [stage.id] }, next)).status).toBe(200);
    expect((await api.patch(path, { name: 'Any' }, { 'If-Match': '*' })).status).toBe(200);
    expectProblem(await api.patch(`/api/v1/maps/${unknownMapId}`, { name: 'X' }, headers), 404, 'map_not_found');
  });

  test('[REST-86] a request that is refused without a condition is refused for the same reason with a stale one', async () => {
    const api = await newApi(servers().first);
    const { id } = await api.createMap();
    const stale = { 'If-Match': '"an-older-one"' };
    const path = `/api/v1/maps/${id}/stages/reorder`;
    expectProblem(await api.post(path, { stage_ids: [999] }, stale), 422, 'stage_ids_mismatch');
    expectProblem(await api.post(path, { stage_ids: [] }, stale), 412, 'precondition_failed');
  });

  test('[REST-56] a stage that the map does not have is 404 whatever the If-Match, and one that it has 412', async () => {
    const api = await newApi(servers().first);
    const { id } = await api.createMap();
    const stage = await api.createStage(id, 'A');
    const path = `/api/v1/maps/${id}/stages`;
    const fresh = (await api.get(`/api/v1/maps/${id}`)).headers.get('ETag')!;
    for (const etag of ['"stale"', fresh, '*']) {
      const headers = { 'If-Match': etag };
      expectProblem(await api.patch(`${path}/${stage.id + 1}`, { stage: 'B' }, headers), 404, 'stage_not_found');
      expectProblem(await api.post(`${path}/${stage.id + 1}/delete`, {}, headers), 404, 'stage_not_found');
    }
    const stale = { 'If-Match': '"stale"' };
    expectProblem(await api.patch(`${path}/${stage.id}`, { stage: 'B' }, stale), 412, 'precondition_failed');
    expectProblem(await api.post(`${path}/${stage.id}/delete`, {}, stale), 412, 'precondition_failed');
    expect((await api.get(path)).body.data).toEqual([stage]);
  });

  test('[REST-43] of writers with the same If-Match one wins, on whichever server', async () => {
    const { first, second } = servers();
    const api = await newApi(first);
    const { id } = await api.createMap();
    const headers = { 'If-Match': (await api.get(`/api/v1/maps/${id}`)).headers.get('ETag')! };
    const writers = Array.from({ length: 8 }, (_, index) =>
      (index % 2 === 0 ? api : api.at(second)).patch(`/api/v1/maps/${id}`, { name: `Writer ${index}` }, headers),
    );
    const statuses = (await Promise.all(writers)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, ...Array.from({ length: 7 }, () => 412)]);
  });
}
