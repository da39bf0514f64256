import { expect, test } from 'vitest';
import { expectProblem, expectWrongFields, newApi, type Api, type GetServers } from '../fixture.ts';

async function readStageNames(api: Api, mapId: string): Promise<string[]> {
  const { data } = (await api.get(`/api/v1/maps/${mapId}/stages`)).body;
  expect(data.map(({ order }: { order: number }) => order)).toEqual(data.map((_: unknown, index: number) => index + 1));
  return data.map(({ stage }: { stage: string }) => stage);
}

export function stagesContract(servers: GetServers): void {
  test('[REST-19] a stage goes to the end, or in at its order', async () => {
    const api = await newApi(servers().first);
    const { id } = await api.createMap();
    const path = `/api/v1/maps/${id}/stages`;
    const added = await api.post(path, { stage: ' B ', cycle_time_hrs: 1.5, value_add: true });
    expect(added.status).toBe(201);
    expect(added.body).toMatchObject({ map_id: id, stage: 'B', order: 1, cycle_time_hrs: 1.5, wait_time_hrs: 0 });
    expect(added.body).toMatchObject({ work_type: 'valuable', value_add: true });
    await api.post(path, { stage: 'A', order: 1 });
    await api.post(path, { stage: 'C', order: 50 });
    expect(await readStageNames(api, id)).toEqual(['A', 'B', 'C']);
    const wrong = { order: 0, cycle_time_hrs: -1, wait_time_hrs: 'x', work_type: 'fun', value_add: 1, name: 'x' };
    const paths = ['/stage', '/order', '/cycle_time_hrs', '/wait_time_hrs', '/work_type', '/value_add', '/name'];
    expectWrongFields(await api.post(path, wrong), paths);
  });

  test('[REST-20] a stage is changed, moved and deleted', async () => {
    const api = await newApi(servers().first);
    const { id } = await api.createMap();
    const made = [];
    for (const name of ['A', 'B', 'C']) made.push(await api.createStage(id, name));
    const path = `/api/v1/maps/${id}/stages/${made[2]!.id}`;
    const patched = await api.patch(path, { order: 1, wait_time_hrs: 2 });
    expect(patched).toMatchObject({ status: 200, body: { id: made[2]!.id, stage: 'C', order: 1, wait_time_hrs: 2 } });
    expect(await readStageNames(api, id)).toEqual(['C', 'A', 'B']);
    expectWrongFields(await api.patch(path, { stage: '', order: 1.5, id: 4 }), ['/stage', '/order', '/id']);
    const deleted = await api.post(`/api/v1/maps/${id}/stages/${made[0]!.id}/delete`);
    expect(deleted).toMatchObject({ status: 200, body: { id: made[0]!.id, stage: 'A' } });
    expect(await readStageNames(api, id)).toEqual(['C', 'B']);
    expectProblem(await api.post(`/api/v1/maps/${id}/stages/${made[0]!.id}/delete`), 404, 'stage_not_found');
  });

  test('[REST-21] reorder takes a permutation, answers with the list, and refuses all else', async () => {
    const api = await newApi(servers().first);
    const { id } = await api.createMap();
    const ids: number[] = [];
    for (const name of ['A', 'B', 'C']) ids.push((await api.createStage(id, name)).id);
    const path = `/api/v1/maps/${id}/stages/reorder`;
    const reordered = await api.post(path, { stage_ids: ids.toReversed() });
    expect(reordered.status).toBe(200);
    expect(reordered.body.next_cursor).toBeNull();
    expect(reordered.body.data.map(({ stage }: { stage: string }) => stage)).toEqual(['C', 'B', 'A']);
    for (const stage_ids of [ids.slice(1), [...ids, 77], [ids[0], ids[0], ids[1]], []]) {
      expectProblem(await api.post(path, { stage_ids }), 422, 'stage_ids_mismatch');
    }
    expectWrongFields(await api.post(path, { stage_ids: ['1'] }), ['/stage_ids/0']);
    expectWrongFields(await api.post(path, {}), ['/stage_ids']);
    expect(await readStageNames(api, id)).toEqual(['C', 'B', 'A']);
  });

  test('[STAGE-13] [STAGE-15] replace gives a map the listed stages in one step, and changes nothing the second time', async () => {
    const api = await newApi(servers().first);
    const { id } = await api.createMap();
    const [a, b] = [await api.createStage(id, 'A'), await api.createStage(id, 'B')];
    const path = `/api/v1/maps/${id}/stages/replace`;
    const replaced = await api.post(path, { stages: [{ stage: 'C' }, { id: a.id, stage: 'A2', wait_time_hrs: 1 }] });
    expect(replaced.status).toBe(200);
    expect(replaced.body.data).toMatchObject([
      { stage: 'C', order: 1, cycle_time_hrs: 0 },
      { id: a.id, stage: 'A2', order: 2, wait_time_hrs: 1, aliases: ['A'] },
    ]);
    expect(replaced.body.data[0].id).not.toBe(b.id);
    const ids = replaced.body.data.map((stage: { id: number }) => stage.id);
    const map = await api.get(`/api/v1/maps/${id}`);
    expect(map.body).toMatchObject({ stage_count: 2 });
    await api.post(path, {
      stages: [
        { id: ids[0], stage: 'C' },
        { id: ids[1], stage: 'A2' },
      ],
    });
    expect((await api.get(`/api/v1/maps/${id}`)).body).toEqual(map.body);
    const twice = [
      { id: a.id, stage: 'A' },
      { id: a.id, stage: 'B' },
    ];
    expectWrongFields(await api.post(path, { stages: twice }), ['/stages/1/id']);
    expectWrongFields(await api.post(path, { stages: [{ stage: '' }] }), ['/stages/0/stage']);
    expectWrongFields(await api.post(path, {}), ['/stages']);
    expect(await readStageNames(api, id)).toEqual(['C', 'A2']);
  });
}
