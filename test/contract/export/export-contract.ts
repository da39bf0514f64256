import { expect, test } from 'vitest';
import { exportFormats, exportFacts } from '../../../shared/export/formats.ts';
import { write, runRow } from '../store/records.ts';
import { createToken } from '../auth/auth-contract.ts';
import { expectProblem, expectWrongFields, newApi, steps, unknownMapId, type GetServers } from '../fixture.ts';
import { download, exportedIds } from './export-client.ts';

export function exportContract(servers: GetServers): void {
  const newAccountApi = () => newApi(servers().first);
  const get = (api: Awaited<ReturnType<typeof newAccountApi>>, path: string) => api.get(`/api/v1/export/${path}`);

  test('[EXPORT-1] an export has the undeleted runs, oldest first, without those of maps in the recycle bin', async () => {
    const api = await newAccountApi();
    const [kept, binned] = [await api.createMap(), await api.createMap()];
    const first = await api.record(kept.id);
    const hidden = await api.record(binned.id);
    const deleted = await api.record(kept.id);
    const last = await api.record(kept.id);
    await api.post(`/api/v1/maps/${binned.id}/delete`);
    await api.post(`/api/v1/runs/${deleted.run.id}/delete`, {});
    expect(await exportedIds(api)).toEqual([first.run.id, last.run.id]);
    expect(await exportedIds(api.at(servers().second))).toEqual([first.run.id, last.run.id]);
    await api.post(`/api/v1/maps/${binned.id}/restore`);
    expect(await exportedIds(api)).toEqual([first.run.id, hidden.run.id, last.run.id]);
    expect(await exportedIds(await newAccountApi())).toEqual([]);
  });

  test('[EXPORT-2] map_id, from and to select runs, all of them together', async () => {
    const api = await newAccountApi();
    const [one, other] = [await api.createMap(), await api.createMap()];
    const june = await api.record(one.id, { started_at: '2026-06-30T23:59:59.999Z' });
    const july = await api.record(one.id, { started_at: '2026-07-01T00:00:00Z' });
    const elsewhere = await api.record(other.id, { started_at: '2026-07-02T00:00:00Z' });
    const ids = [june, july, elsewhere].map(({ run }) => run.id);
    expect(await exportedIds(api, { map_id: one.id.toUpperCase() })).toEqual(ids.slice(0, 2));
    expect(await exportedIds(api, { from: '2026-07-01T00:00:00Z' })).toEqual(ids.slice(1));
    expect(await exportedIds(api, { to: '2026-07-01T00:00:00Z' })).toEqual(ids.slice(0, 1));
    expect(await exportedIds(api, { map_id: one.id, from: '2026-07-01T00:00:00Z' })).toEqual([ids[1]]);
    expect(await exportedIds(api, { run_ids: `${ids[0]},${ids[2]}`, map_id: other.id })).toEqual([ids[2]]);
    const listed = await api.get(`/api/v1/maps/${one.id}/runs?from=2026-07-01T00:00:00Z`);
    expect(listed.body.data.map(({ id }: { id: number }) => id)).toEqual([ids[1]]);
    await api.post(`/api/v1/maps/${other.id}/delete`);
    expectProblem(await get(api, `steps.csv?map_id=${other.id}`), 404, 'map_deleted');
    expectProblem(await get(api, `steps.csv?map_id=${unknownMapId}`), 404, 'map_not_found');
    expectProblem(await get(await newAccountApi(), `steps.csv?map_id=${one.id}`), 404, 'map_not_found');
  });

  test('[EXPORT-3] run_ids selects these runs, and the missing ones are named', async () => {
    const api = await newAccountApi();
    const map = await api.createMap();
    const first = (await api.record(map.id)).run.id;
    const second = (await api.record(map.id)).run.id;
    await api.post(`/api/v1/maps/${map.id}/delete`);
    expect(await exportedIds(api, { run_ids: `${second},${first}` })).toEqual([first, second]);
    await api.post(`/api/v1/runs/${second}/delete`, {});
    const missing = await get(api, `log.xes?run_ids=${first},${second},99999`);
    expectProblem(missing, 404, 'run_not_found');
    expect(missing.body.missing).toEqual([second, 99_999]);
    expectProblem(await get(await newAccountApi(), `log.xes?run_ids=${first}`), 404, 'run_not_found');
  });

  test('[EXPORT-4] a parameter that does not fit is 422 with its path', async () => {
    const api = await newAccountApi();
    for (const [path, field] of [
      ['steps.csv?mapid=1', '/mapid'],
      ['steps.csv?map_id=1', '/map_id'],
      ['steps.csv?guard=maybe', '/guard'],
      ['steps.csv?lifecycle=pairs', '/lifecycle'],
      ['log.xes?bom=true', '/bom'],
      ['log.xes?lifecycle=start', '/lifecycle'],
      ['steps.xlsx?guard=false', '/guard'],
      ['log.ocel.json?from=today', '/from'],
      ['runs.csv?from=2026-07-01T00:00:00Z&to=2026-06-01T00:00:00Z', '/to'],
      ['runs.csv?run_ids=', '/run_ids'],
      ['runs.csv?run_ids=1,,2', '/run_ids'],
      ['runs.csv?run_ids=1,1', '/run_ids'],
      ['runs.csv?run_ids=01', '/run_ids'],
      [`runs.csv?run_ids=${Array.from({ length: 501 }, (_, id) => id + 1).join()}`, '/run_ids'],
    ] as const) {
      expectWrongFields(await get(api, path), [field]);
    }
    expectProblem(await get(api, 'steps.txt'), 404, 'not_found');
  });

  test('[EXPORT-4] an export needs the scope read', async () => {
    const api = await newAccountApi();
    const recorder = await createToken(servers().first, api, { scopes: ['record'] });
    expectProblem(await get(recorder, 'steps.csv'), 403, 'forbidden');
  });

  test('[EXPORT-5] too many steps are refused before the first byte, also for HEAD', async () => {
    const api = await newAccountApi();
    const map = await api.createMap();
    const recorded = await api.record(map.id);
    const { store } = servers().first.services;
    const addRun = (id: number, step_count: number) =>
      write(store, api.accountId, (next) => {
        const row = runRow(next(), { mapId: map.id, number: id, id });
        return { runs: [{ ...row, doc: { ...row.doc!, step_count } }] };
      });
    await addRun(1_001, 49_999);
    expect((await download(api, 'steps.xlsx')).status).toBe(200);
    await addRun(1_002, 1);
    const refused = await get(api, 'steps.xlsx');
    expectProblem(refused, 422, 'export_too_large');
    expect(refused.body.limit).toBe(50_000);
    expect((await download(api, 'steps.xlsx', {}, 'HEAD')).status).toBe(422);
    expect((await download(api, 'steps.csv')).status).toBe(200);
    await addRun(1_003, 150_000);
    for (const format of ['steps.csv', 'runs.csv', 'log.xes', 'log.ocel.json'] as const) {
      const tooLarge = await get(api, format);
      expectProblem(tooLarge, 422, 'export_too_large');
      expect(tooLarge.body.limit).toBe(200_000);
    }
    expect(await exportedIds(api, { run_ids: String(recorded.run.id) })).toEqual([recorded.run.id]);
  });

  test.each(exportFormats)('[EXPORT-11] %s comes as an attachment of that name, with its length', async (format) => {
    const api = await newAccountApi();
    await api.record((await api.createMap({ name: 'Übung "1"/2\r\n' })).id, { steps: steps('Cut', 'Weld') });
    const { status, headers, bytes } = await download(api, format);
    expect(status).toBe(200);
    const expected = {
      'content-type': exportFacts[format].contentType,
      'content-disposition': `attachment; filename="${format}"`,
    };
    expect(Object.fromEntries(headers)).toMatchObject({ ...expected, 'content-length': String(bytes.length) });
    expect(bytes.length).toBeGreaterThan(200);
    const head = await download(api, format, {}, 'HEAD');
    expect(head.status).toBe(200);
    expect(Object.fromEntries(head.headers)).toMatchObject(expected);
  });
}
