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

  test('[STAGE-11] [COMPARE-7] a name that a stage gets later counts for earlier runs', async () => {
    const api = await newApi(servers().first);
    const { id } = await api.createMap();
    const first = await api.post(`/api/v1/maps/${id}/recording`, { steps: [step('Step 1', 10)] });
    const [stage] = first.body.map.stages;
    const renamed = await api.patch(`/api/v1/maps/${id}/stages/${stage.id}`, { stage: 'Load' });
    expect(renamed.body).toMatchObject({ stage: 'Load', aliases: ['Step 1'] });
    const second = await api.post(`/api/v1/maps/${id}/recording`, { steps: [step('Load', 20)] });
    expect(second.body.map.stages).toMatchObject([{ stage: 'Load', aliases: ['Step 1'] }]);
    const compared = await api.post('/api/v1/runs/compare', { run_ids: [first.body.run.id, second.body.run.id] });
    expect(compared.body.stages).toMatchObject([{ stage_name: 'Load', runs: 2, avg_secs: 15 }]);
    const [now] = second.body.map.stages;
    const path = `/api/v1/maps/${id}/stages/${now.id}`;
    const { body } = await api.patch(path, { aliases: [] });
    expect(body).not.toHaveProperty('aliases');
    const unnamed = await api.post('/api/v1/runs/compare', { run_ids: [first.body.run.id, second.body.run.id] });
    expect(unnamed.body.stages).toMatchObject([{ stage_name: 'Step 1' }, { stage_name: 'Load' }]);
    expectWrongFields(await api.patch(path, { aliases: [' '] }), ['/aliases/0']);
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

  test('[RUN-1] [RUN-6] [RUN-7] [RUN-9] a run is named, tagged, noted and excluded', async () => {
    const api = await newApi(servers().first);
    const { id } = await api.createMap();
    const { run } = await api.record(id);
    const map = (await api.get(`/api/v1/maps/${id}`)).body;
    const path = `/api/v1/runs/${run.id}`;
    const said = { name: 'Early', tags: ['shift A', 'new jig'], note: 'cold', excluded: { reason: 'power cut' } };
    const changed = await api.patch(path, said, { 'If-Match': `"${run.id}-${run.version}"` });
    expect(changed.status).toBe(200);
    expect(changed.body).toEqual({ ...run, ...said, version: map.version + 2 });
    expect(changed.headers.get('ETag')).toBe(`"${run.id}-${changed.body.version}"`);
    expect((await api.get(path)).body).toEqual(changed.body);
    const { steps: _steps, ...record } = changed.body;
    expect((await api.get(`/api/v1/maps/${id}/runs`)).body.data).toEqual([record]);
    expect((await api.get(`/api/v1/maps/${id}`)).body).toEqual(map);

    const stale = await api.patch(path, { name: 'Late' }, { 'If-Match': `"${run.id}-${run.version}"` });
    expectProblem(stale, 412, 'precondition_failed');
    expect((await api.patch(path, { name: 'Early' })).body.version).toBe(changed.body.version);
    expect((await api.patch(path, { excluded: null })).body).toMatchObject({ excluded: null, name: 'Early' });
    expectProblem(await api.patch(`/api/v1/runs/${unknownRunId}`, { name: 'X' }), 404, 'run_not_found');
    expectWrongFields(await api.patch(path, { tags: ['a', 'a'] }), ['/tags']);
    expectWrongFields(await api.patch(path, { tags: ['x'.repeat(51)] }), ['/tags/0']);
    expectWrongFields(await api.patch(path, { tags: Array.from({ length: 21 }, (_, index) => `${index}`) }), ['/tags']);
    expectWrongFields(await api.patch(path, { excluded: { reason: ' ' } }), ['/excluded/reason']);
    expectWrongFields(await api.patch(path, { excluded: {}, steps: [] }), ['/excluded/reason', '/steps']);
    const wrong = await api.patch(path, { excluded: 'power cut' });
    expectWrongFields(wrong, ['/excluded']);
    expect(wrong.body.errors[0].message).toBe('must be null, or an object with a reason');
  });

  test('[RUN-2] [RUN-3] [RUN-5] a run is corrected, and its recording comes again as at first', async () => {
    const api = await newApi(servers().first);
    const { id } = await api.createMap();
    const recording = { steps: [step('Load', 60), step('Wait', 40, 2)], recording_session_id: 'to-correct' };
    const first = await api.post(`/api/v1/maps/${id}/recording`, recording);
    const { run } = first.body;
    const path = `/api/v1/runs/${run.id}`;
    const corrected = await api.post(`${path}/correct`, { steps: [step('Load', 50), step('Clamp', 10, 2)] });
    expect(corrected.body).toMatchObject({
      revision: 2,
      step_count: 2,
      total_time_secs: 60,
      recorded_steps: run.steps,
    });
    await api.patch(path, { name: 'Put right' });
    const again = await api.post(`${path}/correct`, { steps: [step('Load', 55)] }, { 'Idempotency-Key': 'again' });
    expect(again.body).toMatchObject({ revision: 3, name: 'Put right', recorded_steps: run.steps });
    expect(
      (await api.post(`${path}/correct`, { steps: [step('Load', 55)] }, { 'Idempotency-Key': 'again' })).body,
    ).toEqual(again.body);
    expect((await api.get(path)).body).toEqual(again.body);
    const { steps: _steps, recorded_steps: _recorded, ...record } = again.body;
    expect((await api.get(`/api/v1/maps/${id}/runs`)).body.data).toEqual([record]);
    const replayed = await api.post(`/api/v1/maps/${id}/recording`, recording);
    expect(replayed.headers.get('Idempotency-Replayed')).toBe('true');
    expect(replayed.body).toEqual(first.body);
    expectWrongFields(await api.post(`${path}/correct`, { steps: [step('A', 1), step('B', 1)] }), ['/steps/1/order']);
    expectWrongFields(await api.post(`${path}/correct`, { steps: [] }), ['/steps']);
  });

  test('[RUN-1] [RUN-2] one push records, changes, corrects and deletes runs', async () => {
    const api = await newApi(servers().first);
    const { id } = await api.createMap();
    const stored = (await api.record(id)).run;
    const recorded_at = new Date().toISOString();
    const [kept, gone] = [2 ** 40, 2 ** 41];
    const mutations = [
      { name: 'upload_recording', args: { map_id: id, run_id: kept, steps: steps('A', 'B') } },
      { name: 'update_run', args: { run_id: kept, name: 'Kept' } },
      { name: 'correct_run', args: { run_id: kept, steps: steps('C') } },
      { name: 'correct_run', args: { run_id: stored.id, steps: steps('D') } },
      { name: 'update_run', args: { run_id: stored.id, tags: ['old'] } },
      { name: 'upload_recording', args: { map_id: id, run_id: gone, steps: steps('A') } },
      { name: 'update_run', args: { run_id: gone, name: 'Gone' } },
      { name: 'delete_run', args: { run_id: gone } },
      { name: 'update_run', args: { run_id: gone, name: 'Again' } },
    ].map((mutation, index) => ({ seq: index + 1, recorded_at, ...mutation }));
    const push = { client_id: crypto.randomUUID(), acked_seq: 0, mutations };
    const { body } = await api.post('/api/v1/sync/push', push, { 'Gemba-Protocol': '1' });
    expect(body.results.map(({ status }: { status: string }) => status)).toEqual([
      ...Array.from({ length: 8 }, () => 'applied'),
      'rejected',
    ]);
    expect(body.results[2].result).toMatchObject({ id: kept, map_id: id });
    const shown = (await api.get(`/api/v1/runs/${kept}`)).body;
    expect(shown).toMatchObject({ name: 'Kept', revision: 2, steps: [{ stage_name: 'C' }] });
    expect(shown.recorded_steps).toMatchObject([{ stage_name: 'A' }, { stage_name: 'B' }]);
    expect((await api.get(`/api/v1/runs/${stored.id}`)).body).toMatchObject({
      tags: ['old'],
      recorded_steps: stored.steps,
    });
    const changes = (await api.get('/api/v1/sync/pull', { 'Gemba-Protocol': '1' })).body.changes;
    expect(changes.find((change: { id: unknown }) => change.id === kept)?.doc).toEqual(shown);
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
