import { afterAll, beforeAll, expect, test } from 'vitest';
import { exportFormats, type ExportFormat, type ExportOptions } from '../../../shared/export/formats.ts';
import { GembaError } from '../../../client/client.ts';
import { download } from '../../contract/export/export-client.ts';
import { runsPerExportMax } from '../../../shared/schema/limits.ts';
import { Api } from '../../contract/fixture.ts';
import { atRest, device, network } from '../../device/devices.ts';
import { testServer, type TestServer } from '../../device/test-server.ts';
import { awkwardTexts } from '../../export/exported-runs.ts';

let server: TestServer;
beforeAll(async () => void (server = await testServer()));
afterAll(() => server.remove());

const cases: [ExportFormat, ExportOptions][] = [
  ...exportFormats.map((format): [ExportFormat, ExportOptions] => [format, {}]),
  ['steps.csv', { guard: false, bom: true }],
  ['log.xes', { lifecycle: 'pairs' }],
];

test('[EXPORT-28] a device without a network makes the bytes of the server', async () => {
  const token = await server.newAccount();
  const api = new Api({ url: server.url, key: token, accountId: '' });
  const net = network(true);
  const phone = await device({ url: server.url, token, fetch: net.fetch });
  // A name has a character that can be seen.
  const texts = awkwardTexts.map((text) => Buffer.from(text).toString());
  const names = texts.map((text) => `${text} x`);
  const ids: number[] = [];
  for (const [index, name] of names.entries()) {
    const steps = texts.map((notes, order) => ({ stage_name: name, order, duration_secs: order / 7, notes }));
    const started = index % 2 === 0 ? {} : { started_at: `2026-07-${10 + index}T08:00:00Z` };
    const made = await api.post('/api/v1/recording/new', { name, ...started, steps });
    expect(made.status).toBe(201);
    ids.push(made.body.run.id);
  }
  await phone.sync();
  await atRest(phone);
  net.online = false;
  const run_ids = ids.toReversed();
  for (const [format, options] of cases) {
    const blob = await phone.exportRuns(format, run_ids, options);
    const query = Object.fromEntries(Object.entries(options).map(([name, value]) => [name, String(value)]));
    const { bytes, headers } = await download(api, format, { ...query, run_ids: run_ids.join() });
    expect(Buffer.from(await blob.arrayBuffer()).equals(bytes), format).toBe(true);
    expect(blob.type).toBe(headers.get('Content-Type'));
  }
});

test('[EXPORT-28] a run that only the device has is exported, too', async () => {
  const net = network(false);
  const phone = await device({ url: server.url, token: await server.newAccount(), fetch: net.fetch });
  const recording = await phone.startRecording({ newMap: { name: 'Press line' } });
  await recording.step({ stage_name: '=Load' });
  const { run_id } = await recording.finish();
  const text = await (await phone.exportRuns('steps.csv', [run_id])).text();
  expect(text.split('\r\n')[1]).toMatch(new RegExp(`^${run_id},1,[^,]*,Press line,.*,1,'=Load,`));
});

test('[EXPORT-45] a device exports more runs than a request to the server may name', async () => {
  const phone = await device({ url: server.url, token: await server.newAccount(), fetch: network(false).fetch });
  const { map_id: mapId } = await phone.createMap({ name: 'Press line' });
  const ids: number[] = [];
  while (ids.length <= runsPerExportMax) {
    const recording = {
      recording_session_id: crypto.randomUUID(),
      steps: [{ stage_name: 'Load', order: 1, duration_secs: 5 }],
    };
    ids.push((await phone.importRecording({ mapId, recording })).run_id);
  }
  const lines = (await (await phone.exportRuns('runs.csv', ids)).text()).split('\r\n');
  expect(lines.length).toBe(ids.length + 2);
});

test('[EXPORT-29] a format, ids or options that do not fit are refused, and so is an unknown run', async () => {
  const phone = await device({ url: server.url, token: await server.newAccount() });
  const refusal = async (...args: unknown[]) => {
    const error = await (phone.exportRuns as (...given: unknown[]) => Promise<Blob>)(...args).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(GembaError);
    const { code, errors } = error as GembaError;
    return [code, errors?.map(({ path }) => path)];
  };
  expect(await refusal('steps.txt', [1])).toEqual(['validation_failed', ['/format']]);
  for (const ids of [[], [1, 1], [0], ['1'], undefined, Array.from({ length: 200_001 }, (_, id) => id + 1)]) {
    expect(await refusal('log.xes', ids)).toEqual(['validation_failed', ['/run_ids']]);
  }
  expect(await refusal('log.xes', [1], { guard: false })).toEqual(['validation_failed', ['/guard']]);
  expect(await refusal('log.xes', [1], { lifecycle: 'start' })).toEqual(['validation_failed', ['/lifecycle']]);
  expect(await refusal('steps.csv', [1], { bom: 'yes' })).toEqual(['validation_failed', ['/bom']]);
  expect(await refusal('log.xes', [5])).toEqual(['run_not_found', undefined]);
  const twentyTwo = Array.from({ length: 22 }, (_, index) => index + 1);
  await expect(phone.exportRuns('log.xes', twentyTwo)).rejects.toThrow(/^There is no run 1, 2, .+, 20, nor 2 more\.$/);
});

test('[EXPORT-36] a device without a network draws the bytes of the server', async () => {
  const token = await server.newAccount();
  const api = new Api({ url: server.url, key: token, accountId: '' });
  const net = network(true);
  const phone = await device({ url: server.url, token, fetch: net.fetch });
  const ids: string[] = [];
  for (const [index, text] of awkwardTexts.entries()) {
    const name = `${Buffer.from(text).toString()} x`;
    const { id } = await api.createMap({ name });
    const stage = { stage: name, cycle_time_hrs: index / 7, wait_time_hrs: index * 3, work_type: 'waste' };
    expect((await api.post(`/api/v1/maps/${id}/stages`, stage)).status).toBe(201);
    ids.push(id);
  }
  await phone.sync();
  await atRest(phone);
  net.online = false;
  for (const id of ids) {
    for (const lang of ['en', 'de'] as const) {
      const blob = await phone.valueStreamSvg(id.toUpperCase(), { lang });
      const response = await fetch(`${server.url}/api/v1/maps/${id}/value-stream.svg?lang=${lang}`, {
        headers: { Authorization: `Bearer ${token}` },
      });
      expect(await blob.text()).toBe(await response.text());
      expect(blob.type).toBe(response.headers.get('Content-Type'));
    }
  }
  await phone.updateMap(ids[0]!, { name: 'Pending' });
  expect(await (await phone.valueStreamSvg(ids[0]!)).text()).toContain('>Pending</text>');
  await phone.deleteMap(ids[1]!);
  await expect(phone.valueStreamSvg(ids[1]!)).rejects.toMatchObject({ code: 'map_deleted' });
});

test('[EXPORT-37] an unknown map and options that do not fit are refused', async () => {
  const phone = await device({ url: server.url, token: await server.newAccount() });
  const refusal = async (...args: unknown[]) =>
    (phone.valueStreamSvg as (...given: unknown[]) => Promise<Blob>)(...args).then(
      () => undefined,
      ({ code, errors }: GembaError) => [code, errors?.map(({ path }) => path)],
    );
  expect(await refusal('018f9e4a-2b6c-7d31-8a55-3c1f0e9d7b42')).toEqual(['map_not_found', undefined]);
  expect(await refusal(7)).toEqual(['validation_failed', ['/mapId']]);
  expect(await refusal('x', { lang: 'fr' })).toEqual(['validation_failed', ['/lang']]);
  expect(await refusal('x', { language: 'de' })).toEqual(['validation_failed', ['/language']]);
});

test('[EXPORT-40] a large export on the device lets other work run between its parts', async () => {
  const token = await server.newAccount();
  const api = new Api({ url: server.url, key: token, accountId: '' });
  const phone = await device({ url: server.url, token });
  const map = await api.createMap();
  const steps = Array.from({ length: 250 }, (_, order) => ({ stage_name: 'Cut', order, duration_secs: 1 }));
  const ids: number[] = [];
  for (let runs = 0; runs < 4; runs += 1) ids.push((await api.record(map.id, { steps })).run.id);
  await phone.sync();
  await atRest(phone);
  for (const format of exportFormats) {
    // Loads the code of the format.
    await phone.exportRuns(format, [ids[0]!]);
    let turns = 0;
    const counter = setInterval(() => void (turns += 1), 0);
    await phone.exportRuns(format, ids);
    clearInterval(counter);
    expect([format, turns >= 3]).toEqual([format, true]);
  }
});
