import { expect, test } from 'vitest';
import { expectProblem, expectWrongFields, type GetServers, newApi, step, steps, unknownRunId } from '../fixture.ts';

export function runsContract(servers: GetServers): void {
  test('[REST-31] the runs of a map are numbered, newest first, and a number is never given twice', async () => {
    const api = await newApi(servers().first);
    const { id } = await api.createMap();
    const runs = [];
    for (let count = 0; count < 3; count++) runs.push((await api.record(id)).run);
    await api.post(`/api/v1/runs/${runs[2].id}/delete`);
    await api.record(id);
    const { data } = (await api.get(`/api/v1/maps/${id}/runs`)).body;
    expect(data.map(({ number }: { number: number }) => number)).toEqual([4, 2, 1]);
    expect(data[0]).not.toHaveProperty('steps');
    expect(data[0]).toMatchObject({ map_id: id, total_time_secs: 60, step_count: 1 });
  });

  test('[REST-32] a run is deleted for good', async () => {
    const api = await newApi(servers().first);
    const { id } = await api.createMap();
    const [older, newer] = [(await api.record(id)).run, (await api.record(id)).run];
    const deleted = await api.post(`/api/v1/runs/${newer.id}/delete`);
    expect(deleted).toMatchObject({ status: 200, body: { id: newer.id, map_id: id, number: 2 } });
    expectProblem(await api.post(`/api/v1/runs/${newer.id}/delete`), 404, 'run_not_found');
    expectProblem(await api.get(`/api/v1/runs/${newer.id}`), 404, 'run_not_found');
    expect((await api.get(`/api/v1/maps/${id}`)).body).toMatchObject({ run_count: 1, last_run_at: older.created_at });
  });

  test('[REST-33] runs are compared stage by stage, also across maps', async () => {
    const api = await newApi(servers().first);
    const maps = [await api.createMap(), await api.createMap()];
    const one = (await api.record(maps[0]!.id, { steps: [step('Cut', 10), step('Sew', 4, 2), step('cut ', 20, 3)] }))
      .run;
    const two = (await api.record(maps[1]!.id, { steps: [step('CUT', 50)] })).run;
    const compared = await api.post('/api/v1/runs/compare', { run_ids: [two.id, one.id] });
    expect(compared.status).toBe(200);
    expect(compared.body.runs.map((run: { id: number }) => run.id)).toEqual([two.id, one.id]);
    expect(compared.body.stages).toEqual([
      expect.objectContaining({
        stage_name: 'Cut',
        runs: 2,
        min_secs: 30,
        max_secs: 50,
        avg_secs: 40,
        median_secs: 40,
        per_run: [
          { run_id: two.id, secs: 50 },
          { run_id: one.id, secs: 30 },
        ],
        cv: Math.SQRT2 / 4,
      }),
      expect.objectContaining({ stage_name: 'Sew', runs: 1, avg_secs: 4 }),
    ]);
  });

  test('[REST-34] a comparison names the runs that are missing and the fields that are wrong', async () => {
    const api = await newApi(servers().first);
    const { id } = await api.createMap();
    const { run } = await api.record(id);
    const refused = await api.post('/api/v1/runs/compare', { run_ids: [unknownRunId, run.id] });
    expectProblem(refused, 404, 'run_not_found');
    expect(refused.body.missing).toEqual([unknownRunId]);
    for (const run_ids of [[], [run.id, run.id], Array.from({ length: 51 }, (_, index) => index + 1)]) {
      expectWrongFields(await api.post('/api/v1/runs/compare', { run_ids }), ['/run_ids']);
    }
    expectWrongFields(await api.post('/api/v1/runs/compare', { run_ids: ['x'] }), ['/run_ids/0']);
    expectWrongFields(await api.post('/api/v1/runs/compare', { runs: [1] }), ['/run_ids', '/runs']);
  });

  test('[STAT-15] a study names its wrong fields', async () => {
    const api = await newApi(servers().first);
    const { id } = await api.createMap();
    const { run } = await api.record(id);
    const compare = (study: object) => api.post('/api/v1/runs/compare', { run_ids: [run.id], ...study });
    expectWrongFields(await compare({ confidence: 0.94 }), ['/confidence']);
    expectWrongFields(await compare({ precision: 0, allowance: 1 }), ['/precision', '/allowance']);
    expectWrongFields(await compare({ allowance_basis: 'shift', takt_secs: 0 }), ['/allowance_basis', '/takt_secs']);
    expectWrongFields(await compare({ ratings: [{ run_id: run.id, rating: 3 }] }), ['/ratings/0/rating']);
    const ratings = [run.id, run.id + 1, run.id].map((run_id) => ({ run_id, rating: 1 }));
    expectWrongFields(await compare({ ratings }), ['/ratings/1/run_id', '/ratings/2/run_id']);
  });

  test('[MUTATE-1] deleting a run leaves last_run_at to the newest run that is left, in whatever batch', async () => {
    const api = await newApi(servers().first);
    const { id } = await api.createMap();
    const older = (await api.record(id)).run;
    const client_id = crypto.randomUUID();
    const runId = 2 ** 40;
    const recorded_at = new Date().toISOString();
    const upload = { map_id: id, run_id: runId, steps: steps('A') };
    const mutations = [
      { seq: 1, name: 'upload_recording', args: upload, recorded_at },
      { seq: 2, name: 'delete_run', args: { run_id: runId }, recorded_at },
    ];
    const push = { client_id, acked_seq: 0, mutations };
    const pushed = await api.post('/api/v1/sync/push', push, { 'Gemba-Protocol': '1' });
    expect(pushed.body.results).toMatchObject([{ status: 'applied' }, { status: 'applied', result: { id: runId } }]);
    expect((await api.get(`/api/v1/maps/${id}`)).body).toMatchObject({ run_count: 1, last_run_at: older.created_at });
  });
}
