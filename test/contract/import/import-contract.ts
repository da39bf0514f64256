import { expect, test } from 'vitest';
import { createToken } from '../auth/auth-contract.ts';
import { download } from '../export/export-client.ts';
import { expectProblem, expectWrongFields, newApi, steps, type Api, type GetServers } from '../fixture.ts';
import { createMaps, fileOf, importFile } from './import-client.ts';

const columns = 'map_name,recording_session_id,stage_name,duration_secs\n';

export function importContract(servers: GetServers): void {
  const newAccountApi = (plan?: 'free' | 'team') => newApi(servers().first, plan);
  const mapsOf = async (api: Api) => (await api.get('/api/v1/maps')).body.data;
  const runsOf = async (api: Api, mapId: string) => (await api.get(`/api/v1/maps/${mapId}/runs?limit=200`)).body.data;

  test('[IMPORT-1] a file is text/csv in UTF-8 of up to 8 MiB, and needs the scope write', async () => {
    const api = await newAccountApi();
    const recorder = await createToken(servers().first, api, { scopes: ['read', 'record'] });
    expectProblem(await importFile(recorder, fileOf(1)), 403, 'forbidden');
    for (const type of ['application/json', 'text/plain', 'text/csv; charset=iso-8859-1']) {
      const refused = await importFile(api, fileOf(1), { headers: { 'Content-Type': type } });
      expectProblem(refused, 415, 'unsupported_media_type');
    }
    expectProblem(await importFile(api, 'x'.repeat(8 * 1024 * 1024 + 1)), 413, 'payload_too_large');
    expectWrongFields(await importFile(api, fileOf(1), { query: { dry_run: 'maybe', create: 'true' } }), [
      '/dry_run',
      '/create',
    ]);
    const headers = { 'Content-Type': 'text/csv; charset="UTF-8"; header=present' };
    expect((await importFile(api, fileOf(1), { headers, query: createMaps })).status).toBe(200);
  });

  test('[IMPORT-5] [IMPORT-6] a dry run reports all errors, the import refuses the file, and nothing is written', async () => {
    const api = await newAccountApi();
    const file = `${fileOf(2)}\n,7,Drill,x\nAssembly,8,,1`;
    const errors = [
      { line: 4, column: 'map_name', code: 'cell_required', message: 'is required' },
      { line: 4, column: 'duration_secs', code: 'number_expected', message: 'must be a number, such as 12.5' },
      { line: 5, column: 'stage_name', code: 'name_invalid', params: { limit: 200 } },
    ];
    const dry = await importFile(api, file, { query: { ...createMaps, dry_run: 'true' } });
    expect([dry.status, dry.body]).toMatchObject([200, { dry_run: true, new: 2, errors, errors_total: 3 }]);
    const refused = await importFile(api, file, { query: createMaps });
    expectProblem(refused, 422, 'import_invalid');
    expect(refused.body.report).toEqual({ ...dry.body, dry_run: false });
    expect(await mapsOf(api)).toEqual([]);

    const fitting = await importFile(api, fileOf(2), { query: { ...createMaps, dry_run: 'true' } });
    const report = {
      recordings: 2,
      new: 2,
      already_there: 0,
      deleted: 0,
      steps: 2,
      maps: [{ map_id: null, name: 'Assembly', new: true, recordings: 2 }],
      ignored_columns: [],
      errors: [],
      errors_total: 0,
      warnings: [],
      warnings_total: 0,
    };
    expect(fitting.body).toEqual({ dry_run: true, ...report });
    expect(await mapsOf(api)).toEqual([]);
    const made = await importFile(api, fileOf(2), { query: createMaps });
    const [map] = await mapsOf(api);
    expect(made.body).toEqual({ dry_run: false, ...report, maps: [{ ...report.maps[0], map_id: map.id }] });
    expect(map).toMatchObject({ name: 'Assembly', run_count: 2, stage_count: 1 });
  });

  test('[IMPORT-12] [IMPORT-13] a file that is sent again makes nothing twice, also after a run was deleted', async () => {
    const api = await newAccountApi();
    await importFile(api, fileOf(3), { query: createMaps });
    const [map] = await mapsOf(api);
    const [newest] = await runsOf(api, map.id);
    await api.post(`/api/v1/runs/${newest.id}/delete`, {});
    const again = await importFile(api.at(servers().second), fileOf(4));
    expect(again.body).toMatchObject({
      recordings: 4,
      new: 1,
      already_there: 2,
      deleted: 1,
      maps: [{ map_id: map.id, new: false }],
    });
    expect((await runsOf(api, map.id)).map(({ number }: { number: number }) => number)).toEqual([4, 2, 1]);
  });

  test('[IMPORT-13] a session with other steps or of another map is named, and no run changes', async () => {
    const api = await newAccountApi();
    const [one, other] = [await api.createMap({ name: 'One' }), await api.createMap({ name: 'Other' })];
    await api.record(one.id, { recording_session_id: 's', steps: steps('Cut') });
    expect((await importFile(api, `${columns}One,s,Cut,60`)).body).toMatchObject({ new: 0, already_there: 1 });
    const before = await api.get('/api/v1/events');
    for (const row of ['One,s,Cut,61', 'Other,s,Cut,60']) {
      const refused = await importFile(api, `${columns}One,new,Cut,1\n${row}`);
      expectProblem(refused, 422, 'import_invalid');
      expect(refused.body.report.errors).toMatchObject([{ line: 3, column: 'recording_session_id' }]);
    }
    expect((await api.get('/api/v1/events')).text).toBe(before.text);
    expect(await runsOf(api, other.id)).toEqual([]);
  });

  test('[IMPORT-29] a start that was corrected in the file is named, and makes no second run', async () => {
    const api = await newAccountApi();
    const map = await api.createMap({ name: 'One' });
    const file = (start: string) => `${columns.trim()},started_at\nOne,s,Cut,60,${start}`;
    await importFile(api, file('2026-07-01T08:00:00Z'));
    expect((await importFile(api, file('2026-07-01T10:00:00.5+02:00'))).body).toMatchObject({ already_there: 1 });
    const corrected = file('2026-07-01T09:00:00Z');
    const dry = await importFile(api, corrected, { query: { dry_run: 'true' } });
    const params = { recording_session_id: 's', started_at: '2026-07-01T08:00:00.000Z' };
    const errors = [{ line: 2, column: 'started_at', code: 'session_with_other_start', params }];
    expect(dry.body).toMatchObject({ new: 0, already_there: 0, errors });
    const refused = await importFile(api, corrected);
    expectProblem(refused, 422, 'import_invalid');
    expect(refused.body.report).toMatchObject({ errors });
    const runs = await runsOf(api, map.id);
    expect(runs.map(({ started_at }: { started_at: string }) => started_at)).toEqual([params.started_at]);
  });

  test('[IMPORT-30] a repeated key gets the first report, also after the map was renamed, and no other file', async () => {
    const api = await newAccountApi();
    const headers = { 'Idempotency-Key': 'import-1' };
    const send = (file: string) => importFile(api, file, { headers, query: createMaps });
    expectProblem(await send(`${fileOf(1)}\nx`), 422, 'import_invalid');
    const first = await send(fileOf(2));
    expect([first.status, first.body]).toMatchObject([200, { new: 2 }]);
    const [map] = await mapsOf(api);
    await api.send('PATCH', `/api/v1/maps/${map.id}`, { body: { name: 'Renamed' } });
    const again = await send(fileOf(2));
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect(again.headers.get('Idempotency-Replayed')).toBe('true');
    expectProblem(await send(fileOf(3)), 422, 'idempotency_key_mismatch');
    expect(await runsOf(api, map.id)).toHaveLength(2);
  });

  test('[IMPORT-31] a dry run names the map that a new name looks like', async () => {
    const api = await newAccountApi();
    const map = await api.createMap({ name: 'Press line' });
    const file = `${columns}press  line,s,Cut,1`;
    const { body } = await importFile(api, file, { query: { ...createMaps, dry_run: 'true' } });
    const params = { map_name: 'Press line', map_id: map.id };
    const warnings = [{ line: 2, column: 'map_name', code: 'map_name_similar', params }];
    expect(body).toMatchObject({ new: 1, errors_total: 0, warnings, warnings_total: 1 });
    expect((await importFile(api, file, { query: createMaps })).body).toMatchObject({ new: 1, warnings });
  });

  test('[IMPORT-11] the plan bounds the maps that an import makes, and a dry run tells', async () => {
    const api = await newAccountApi('free');
    await api.createMap();
    const file = `${columns}A,a,Cut,1\nB,b,Cut,1`;
    for (const query of [{ ...createMaps, dry_run: 'true' }, createMaps]) {
      const { body } = await importFile(api, file, { query });
      expect((body.report ?? body).errors).toMatchObject([{ line: 3, column: 'map_name', code: 'map_cap_reached' }]);
    }
    expect((await importFile(api, `${columns}A,a,Cut,1`, { query: createMaps })).body).toMatchObject({ new: 1 });
  });

  test('[IMPORT-14] an export, imported into another account, is exported as the same steps', async () => {
    const [api, elsewhere] = [await newAccountApi(), await newAccountApi()];
    const map = await api.createMap({ name: '=Press, "line"' });
    const recorded = await api.record(map.id, {
      started_at: '2026-07-01T08:00:00.000Z',
      steps: [
        { stage_name: '-Load', order: 1, duration_secs: 1 / 3, work_type: 'waste', notes: '\'=1\r\nA, "B"' },
        { stage_name: 'Press', order: 2, duration_secs: 1e-7, duration_estimated: true, work_type: 'valuable' },
      ],
    });
    await api.post('/api/v1/recording/new', { name: 'Made by a recording', steps: steps('Cut', 'Weld', 'Cut') });
    await api.post(`/api/v1/runs/${recorded.run.id}/correct`, { steps: steps('Load', 'Press') });
    const { bytes } = await download(api, 'steps.csv');
    const imported = await importFile(elsewhere, bytes, { query: createMaps });
    expect(imported.body).toMatchObject({ new: 2, steps: 5, ignored_columns: ['device_id', 'photos'], errors: [] });
    const withoutIds = async (account: Api) =>
      String((await download(account, 'steps.csv')).bytes)
        .split('\r\n')
        .map((line) => line.replace(/^\d+,(\d+),[\da-f-]{36},/, '$1,'));
    expect(await withoutIds(elsewhere)).toEqual(await withoutIds(api));
    const back = await importFile(api, bytes);
    expect(back.body).toMatchObject({ new: 0, already_there: 2, errors: [] });
  });

  test('[IMPORT-15] stages that are there stay, and a map without any gets those of its first recording', async () => {
    const api = await newAccountApi();
    const [full, empty] = [await api.createMap({ name: 'Full' }), await api.createMap({ name: 'Empty' })];
    await api.createStage(full.id, 'Own');
    await importFile(api, `${columns}Full,a,Cut,1\nEmpty,b,Cut,36\nEmpty,b,Weld,1\nEmpty,c,Paint,1`);
    const stagesOf = async (id: string) =>
      (await api.get(`/api/v1/maps/${id}/stages`)).body.data.map(
        ({ stage, cycle_time_hrs }: { stage: string; cycle_time_hrs: number }) => [stage, cycle_time_hrs],
      );
    expect(await stagesOf(full.id)).toEqual([['Own', 0]]);
    expect(await stagesOf(empty.id)).toEqual([
      ['Cut', 0.01],
      ['Weld', 1 / 3600],
    ]);
  });

  test('[IMPORT-17] imports of one file at once, at two processes, make each map and each recording once', async () => {
    const api = await newAccountApi();
    const file = fileOf(60);
    const imported = await Promise.all(
      [servers().first, servers().second, servers().first].map((server) =>
        importFile(api.at(server), file, { query: createMaps }),
      ),
    );
    expect(imported.map(({ status }) => status)).toEqual([200, 200, 200]);
    const made = imported.map(({ body }) => body.new as number);
    expect(made.reduce((sum, count) => sum + count, 0)).toBe(60);
    for (const { body } of imported) expect(body.new + body.already_there).toBe(60);
    const [map, ...others] = await mapsOf(api);
    expect([map.run_count, others]).toEqual([60, []]);
    const received = (await api.get('/api/v1/events?types=recording.received&limit=200')).body.data;
    expect(received).toHaveLength(60);
  });

  test('[IMPORT-18] other requests of the account and of others are answered during an import', async () => {
    const [api, other] = [await newAccountApi(), await newAccountApi()];
    await other.createMap();
    const state = { isDone: false };
    const importing = importFile(api, fileOf(500), { query: createMaps }).finally(() => (state.isDone = true));
    const whileImporting = { own: 0, other: 0, written: 0 };
    while (!state.isDone) {
      const [maps, listed, written] = await Promise.all([
        api.get('/api/v1/maps'),
        other.get('/api/v1/maps'),
        other.post('/api/v1/maps', { name: 'Meanwhile' }),
      ]);
      expect([maps.status, listed.status, written.status]).toEqual([200, 200, 201]);
      if (state.isDone) break;
      for (const kind of ['own', 'other', 'written'] as const) whileImporting[kind] += 1;
    }
    expect((await importing).body).toMatchObject({ new: 500 });
    for (const count of Object.values(whileImporting)) expect(count).toBeGreaterThan(3);
  });
}
