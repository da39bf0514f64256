import { createHash, randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { expectProblem, expectWrongFields, newApi, step, steps, type Received, type GetServers } from '../fixture.ts';

/** Sorted keys and no white space are the form of RFC 8785 for simple steps. */
const digestOf = (given: object[]): string => {
  const sorted = given.map((fields) =>
    Object.fromEntries(Object.entries(fields).toSorted(([a], [b]) => (a < b ? -1 : 1))),
  );
  return createHash('sha256').update(JSON.stringify(sorted)).digest('hex');
};

function expectReplay(again: Received, firstTime: Received): void {
  expect(again.status).toBe(firstTime.status);
  expect(again.body).toEqual(firstTime.body);
  expect(again.headers.get('Idempotency-Replayed')).toBe('true');
  expect(again.headers.get('Location')).toBe(firstTime.headers.get('Location'));
}

export function recordingsContract(servers: GetServers): void {
  test('[REST-22] a recording replaces the stages of its map and becomes its next run', async () => {
    const api = await newApi(servers().first);
    const { id } = await api.createMap();
    await api.createStage(id, 'Old');
    const sent = [
      { stage_name: 'Second', order: 20, duration_secs: 1800, work_type: 'valuable', notes: 'n', photos: ['p'] },
      { stage_name: 'First', order: 10, duration_secs: 1800 },
    ];
    const started_at = '2026-04-01T09:30:00Z';
    const recorded = await api.post(`/api/v1/maps/${id}/recording`, {
      steps: sent,
      started_at,
      digest: digestOf(sent),
    });
    expect(recorded.status).toBe(200);
    const { map, run, recording_session_id } = recorded.body;
    expect(map.stages).toMatchObject([
      { stage: 'First', order: 1, cycle_time_hrs: 0.5, wait_time_hrs: 0, work_type: 'incidental' },
      { stage: 'Second', order: 2, cycle_time_hrs: 0.5, work_type: 'valuable', value_add: true },
    ]);
    expect(map).toMatchObject({ id, run_count: 1, analytics: { pce: 0.5, run_count: 1 } });
    expect(run).toMatchObject({ map_id: id, number: 1, total_time_secs: 3600, pce: 0.5, recording_session_id });
    expect(run.started_at).toBe('2026-04-01T09:30:00.000Z');
    expect((await api.get(`/api/v1/runs/${run.id}`)).body).toEqual(run);
    expect((await api.get(`/api/v1/maps/${id}`)).body).toEqual(map);
  });

  test('[REST-23] a recording makes a new map', async () => {
    const api = await newApi(servers().first);
    const made = await api.post('/api/v1/recording/new', { name: ' New ', steps: steps('A', 'B') });
    expect(made.status).toBe(201);
    expect(made.body.map).toMatchObject({ name: 'New', stage_count: 2, run_count: 1 });
    expect(made.headers.get('Location')).toBe(`/api/v1/maps/${made.body.map.id}`);
    expectWrongFields(await api.post('/api/v1/recording/new', { steps: [], run_id: 1 }), [
      '/name',
      '/steps',
      '/run_id',
    ]);
  });

  test('[REST-24] steps that contradict each other or their digest are refused', async () => {
    const api = await newApi(servers().first);
    const { id } = await api.createMap();
    const path = `/api/v1/maps/${id}/recording`;
    const twice = [...steps('A'), ...steps('B')];
    expectWrongFields(await api.post(path, { steps: twice }), ['/steps/1/order']);
    expectWrongFields(await api.post(path, { steps: steps('A'), digest: digestOf(steps('B')) }), ['/digest']);
    expectWrongFields(await api.post(path, { steps: steps('A'), digest: 'x' }), ['/digest']);
    expect((await api.get(`/api/v1/maps/${id}/runs`)).body.data).toEqual([]);
  });

  test('[REST-50] the order of a step is any safe integer that no other step has', async () => {
    const api = await newApi(servers().first);
    const orders = [2 ** 53 - 1, 0, -(2 ** 53 - 1), -1];
    const sent = orders.map((order) => ({ stage_name: `S${order}`, order, duration_secs: 1 }));
    const { body } = await api.post('/api/v1/recording/new', { name: 'A', steps: sent });
    const placed = body.run.steps.map(({ stage_name, order }: { stage_name: string; order: number }) => [
      order,
      stage_name,
    ]);
    expect(placed).toEqual(orders.toSorted((a, b) => a - b).map((order, index) => [index + 1, `S${order}`]));
  });

  test('[REST-25] the session id comes in the field or the header, and may not contradict itself', async () => {
    const api = await newApi(servers().first);
    const { id } = await api.createMap();
    const path = `/api/v1/maps/${id}/recording`;
    const body = { steps: steps('A') };
    const inHeader = await api.post(path, body, { 'Idempotency-Key': 's-1' });
    expect(inHeader.body.recording_session_id).toBe('s-1');
    expectReplay(await api.post(path, { ...body, recording_session_id: 's-1' }), inHeader);
    const both = await api.post(path, { ...body, recording_session_id: 's-1' }, { 'Idempotency-Key': 's-2' });
    expectWrongFields(both, ['/recording_session_id']);
    expectWrongFields(await api.post(path, body, { 'Idempotency-Key': 'not ok' }), ['/Idempotency-Key']);
    expectWrongFields(await api.post(path, { ...body, recording_session_id: '' }), ['/recording_session_id']);
    const [one, other] = [await api.post(path, body), await api.post(path, body)];
    expect(one.body.recording_session_id).not.toBe(other.body.recording_session_id);
  });

  test('[REST-26] the same session gives the first answer again, also after the map was changed or deleted', async () => {
    const api = await newApi(servers().first);
    const { id } = await api.createMap();
    const sent = { steps: steps('A', 'B'), recording_session_id: 'one' };
    const firstTime = await api.post(`/api/v1/maps/${id}/recording`, sent);
    expect(firstTime.headers.get('Idempotency-Replayed')).toBeNull();
    await api.patch(`/api/v1/maps/${id}`, { name: 'Changed' });
    await api.record(id, { steps: steps('C') });
    expectReplay(await api.post(`/api/v1/maps/${id}/recording`, sent), firstTime);
    await api.post(`/api/v1/maps/${id}/delete`);
    expectReplay(await api.post(`/api/v1/maps/${id.toUpperCase()}/recording`, sent), firstTime);
    const made = { name: 'New', steps: steps('A'), recording_session_id: 'two' };
    const newMap = await api.post('/api/v1/recording/new', made);
    expectReplay(await api.post('/api/v1/recording/new', made), newMap);
  });

  test('[REST-27] the same session with other steps or another target changes nothing', async () => {
    const api = await newApi(servers().first);
    const [one, other] = [await api.createMap(), await api.createMap()];
    const recording_session_id = randomUUID();
    await api.record(one.id, { recording_session_id });
    const version = (await api.get(`/api/v1/maps/${one.id}`)).body.version;
    for (const refused of [
      await api.post(`/api/v1/maps/${one.id}/recording`, { recording_session_id, steps: steps('Other') }),
      await api.post(`/api/v1/maps/${other.id}/recording`, { recording_session_id, steps: steps('Cut') }),
      await api.post('/api/v1/recording/new', { name: 'Map', recording_session_id, steps: steps('Cut') }),
    ]) {
      expectProblem(refused, 422, 'recording_session_mismatch');
    }
    expect((await api.get(`/api/v1/maps/${one.id}`)).body.version).toBe(version);
    expect((await api.get(`/api/v1/maps/${other.id}`)).body.run_count).toBe(0);
  });

  test('[REST-28] after its run was deleted a session still answers with its ids, and nothing comes back', async () => {
    const api = await newApi(servers().first);
    const { id } = await api.createMap();
    const sent = { steps: steps('A'), recording_session_id: 'gone' };
    const firstTime = await api.post(`/api/v1/maps/${id}/recording`, sent);
    const runId = firstTime.body.run.id;
    await api.post(`/api/v1/runs/${runId}/delete`);
    const again = await api.post(`/api/v1/maps/${id}/recording`, sent);
    expect(again.status).toBe(200);
    expect(again.headers.get('Idempotency-Replayed')).toBe('true');
    expect(again.body).toMatchObject({ recording_session_id: 'gone', map: { id }, run: { id: runId } });
    expectProblem(await api.get(`/api/v1/runs/${runId}`), 404, 'run_not_found');
    expect((await api.get(`/api/v1/maps/${id}`)).body.run_count).toBe(0);
  });

  test('[REST-29] copies of a recording that arrive at once, on two servers, make one run', async () => {
    const { first, second } = servers();
    const api = await newApi(first);
    const sent = { name: 'New', steps: steps('A', 'B'), recording_session_id: 'at-once' };
    const copies = Array.from({ length: 10 }, (_, index) =>
      (index % 2 === 0 ? api : api.at(second)).post('/api/v1/recording/new', sent),
    );
    const answers = await Promise.all(copies);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    for (const { body } of answers) expect(body).toEqual(answers[0]!.body);
    expect(answers.filter(({ headers }) => headers.get('Idempotency-Replayed') === null)).toHaveLength(1);
    expect((await api.get('/api/v1/maps')).body.data).toHaveLength(1);
  });

  test('[REST-30] a refused recording uses up nothing', async () => {
    const api = await newApi(servers().first, 'free');
    const maps = [await api.createMap(), await api.createMap()];
    const sent = { name: 'Third', steps: steps('A'), recording_session_id: 'again' };
    expectProblem(await api.post('/api/v1/recording/new', sent), 403, 'map_cap_reached');
    await api.post(`/api/v1/maps/${maps[0]!.id}/delete`);
    expect((await api.post('/api/v1/recording/new', sent)).status).toBe(201);
    const toBin = { steps: steps('A'), recording_session_id: 'bin' };
    expectProblem(await api.post(`/api/v1/maps/${maps[0]!.id}/recording`, toBin), 409, 'map_deleted');
    expect((await api.post(`/api/v1/maps/${maps[1]!.id}/recording`, toBin)).status).toBe(200);
  });

  test('[RECORDING-13] [RECORDING-14] [RECORDING-20] a recording keeps or merges the stages, and comes again alike', async () => {
    const api = await newApi(servers().first);
    const { id } = await api.createMap();
    await api.post(`/api/v1/maps/${id}/stages`, { stage: 'Load', cycle_time_hrs: 1, wait_time_hrs: 4 });
    const path = `/api/v1/maps/${id}/recording`;
    const shown = ({ stages }: { stages: { stage: string; cycle_time_hrs: number; wait_time_hrs: number }[] }) =>
      stages.map(({ stage, cycle_time_hrs, wait_time_hrs }) => [stage, cycle_time_hrs, wait_time_hrs]);

    const keep = { steps: steps('Crane'), recording_session_id: 'keep', stages: 'keep' };
    const kept = await api.post(path, keep);
    expect(shown(kept.body.map)).toEqual([['Load', 1, 4]]);
    expect(kept.body.run).toMatchObject({ number: 1, step_count: 1 });

    const merge = { steps: [step('load', 36), step('Press', 72, 2)], recording_session_id: 'merge', stages: 'merge' };
    const merged = await api.post(path, merge);
    expect(shown(merged.body.map)).toEqual([
      ['Load', 0.01, 4],
      ['Press', 0.02, 0],
    ]);
    expect(merged.body.map.analytics.total_wait_time_hrs).toBe(4);

    const replaced = await api.post(path, { steps: steps('Weld') });
    expect(shown(replaced.body.map)).toMatchObject([['Weld', expect.any(Number), 0]]);
    const sentAgain = [
      { sent: keep, first: kept },
      { sent: merge, first: merged },
      { sent: { ...merge, stages: 'replace' }, first: merged },
    ];
    for (const { sent, first } of sentAgain) {
      const again = await api.post(path, sent);
      expect(again.headers.get('Idempotency-Replayed')).toBe('true');
      expect(again.body).toEqual(first.body);
    }
    expectWrongFields(await api.post(path, { steps: steps('A'), stages: 'append' }), ['/stages']);

    await api.post(`/api/v1/runs/${merged.body.run.id}/delete`);
    expect((await api.post(path, merge)).body.map).not.toHaveProperty('stages');
  });

  test('[RECORDING-19] a merge beyond 5,000 stages is refused', async () => {
    const api = await newApi(servers().first);
    const { id } = await api.createMap();
    const named = (prefix: string, count: number) =>
      Array.from({ length: count }, (_, index) => step(`${prefix} ${index}`, 1, index + 1));
    for (const prefix of ['a', 'b', 'c', 'd', 'e']) {
      const sent = { steps: named(prefix, 1_000), stages: 'merge' };
      expect((await api.post(`/api/v1/maps/${id}/recording`, sent)).status).toBe(200);
    }
    const again = { steps: named('a', 1_000), stages: 'merge' };
    expect((await api.post(`/api/v1/maps/${id}/recording`, again)).body.map.stage_count).toBe(5_000);
    expectWrongFields(await api.post(`/api/v1/maps/${id}/recording`, { steps: named('f', 1), stages: 'merge' }), [
      '/steps',
    ]);
    expect((await api.get(`/api/v1/maps/${id}`)).body).toMatchObject({ stage_count: 5_000, run_count: 6 });
  });
}
