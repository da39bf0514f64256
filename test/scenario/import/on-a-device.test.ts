import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { GembaError, type Gemba, type ImportProgress } from '../../../client/client.ts';
import type { AnyRxStorage } from '../../rx-storage.ts';
import { download } from '../../contract/export/export-client.ts';
import { Api } from '../../contract/fixture.ts';
import { fileOf, importFile } from '../../contract/import/import-client.ts';
import { atRest, current, device, idleStatus, memoryStorage, network } from '../../device/devices.ts';
import { restClient, testServer, type TestServer } from '../../device/test-server.ts';

let server: TestServer;
beforeAll(async () => void (server = await testServer()));
afterAll(() => server.remove());

const columns = 'map_name,recording_session_id,stage_name,duration_secs,started_at\n';

async function syncedTo(phone: Gemba, token: string) {
  await phone.sync();
  expect(await atRest(phone)).toMatchObject(idleStatus);
  const rest = restClient(server.url, token);
  const maps = await rest.list<{ id: string; name: string; run_count: number; stage_count: number }>('/maps');
  const runs = await Promise.all(maps.map(({ id }) => rest.list<object>(`/maps/${id}/runs`)));
  return { maps, runs: runs.flat() };
}

test('[IMPORT-22] a device without a network reports as the server does, and stores nothing of a file with an error', async () => {
  const token = await server.newAccount();
  const api = new Api({ url: server.url, key: token, accountId: '' });
  const net = network(false);
  const phone = await device({ url: server.url, token, fetch: net.fetch });
  const wrong = `${columns}A,a,Cut,1,\nA,b,Cut,x,\n,c,,1,today`;
  for (const file of [fileOf(3), wrong, 'x', '"', `${columns}A,a b,Cut,1,`]) {
    const dry = await phone.importSteps(file, { dryRun: true, createMaps: true });
    const query = { dry_run: 'true', create_maps: 'true' };
    expect(dry).toEqual((await importFile(api, file, { query })).body);
  }
  expect(await phone.importSteps(fileOf(3))).toMatchObject({ dry_run: false, errors_total: 1, maps: [] });
  expect(await phone.importSteps(new Blob([wrong]), { createMaps: true })).toMatchObject({ errors_total: 3 });
  expect(await current(phone.maps$)).toEqual([]);
  expect(await current(phone.status$)).toMatchObject({ pending: 0 });
});

test('[IMPORT-27] a lone surrogate in a text is an error on a device, too', async () => {
  const phone = await device({ url: server.url, fetch: network(false).fetch });
  const { errors } = await phone.importSteps(`${columns}A,a,Cut \ud83d,1,`, { dryRun: true, createMaps: true });
  expect(errors).toMatchObject([{ line: 2, column: 'stage_name', params: { character: 'U+D83D' } }]);
});

test('[IMPORT-23] each recording goes into the outbox once and becomes one run, however often the file is imported', async () => {
  const token = await server.newAccount();
  const net = network(false);
  const phone = await device({ url: server.url, token, fetch: net.fetch });
  const file = fileOf(60);
  const both = await Promise.all([1, 2].map(() => phone.importSteps(file, { createMaps: true })));
  expect(both.map(({ new: made, already_there }) => made + already_there)).toEqual([60, 60]);
  expect(both.reduce((sum, report) => sum + report.new, 0)).toBe(60);
  expect(await current(phone.status$)).toMatchObject({ pending: 61 });
  expect(await phone.importSteps(file)).toMatchObject({ new: 0, already_there: 60 });
  const [map] = await current(phone.maps$);
  expect([map!.run_count, map!.stage_count]).toEqual([60, 1]);

  net.online = true;
  const { maps, runs } = await syncedTo(phone, token);
  expect([maps, runs.length]).toMatchObject([[{ id: map!.id, name: 'Assembly', run_count: 60, stage_count: 1 }], 60]);
  expect(await phone.importSteps(file)).toMatchObject({ new: 0, already_there: 60 });
  const other = await device({ url: server.url, token });
  await other.importSteps(file, { createMaps: true });
  expect((await syncedTo(other, token)).runs).toHaveLength(60);
  const api = new Api({ url: server.url, key: token, accountId: '' });
  expect((await importFile(api, file)).body).toMatchObject({ new: 0, already_there: 60 });
});

test('[IMPORT-29] a device names a start that was corrected in the file, also before it has synced', async () => {
  const token = await server.newAccount();
  const phone = await device({ url: server.url, token });
  const fileAt = (hour: number) => `${columns}A,a,Cut,1,2026-07-01T0${hour}:00:00Z`;
  await phone.importSteps(fileAt(8), { createMaps: true });
  const refused = { errors: [{ line: 2, column: 'started_at', code: 'session_with_other_start' }], already_there: 0 };
  expect(await phone.importSteps(fileAt(9))).toMatchObject(refused);
  expect(await phone.importSteps(fileAt(8))).toMatchObject({ errors: [], already_there: 1 });
  expect((await syncedTo(phone, token)).runs).toMatchObject([{ started_at: '2026-07-01T08:00:00.000Z' }]);
  expect(await phone.importSteps(fileAt(9))).toMatchObject(refused);
});

test('[IMPORT-23] a device that loses its storage in the middle goes on after its restart', async () => {
  const token = await server.newAccount();
  const name = `device-${randomUUID()}`;
  const broken = await device({
    url: server.url,
    name,
    token,
    storage: failingStorage(4),
    fetch: network(false).fetch,
  });
  await expect(broken.importSteps(fileOf(200), { createMaps: true })).rejects.toBeInstanceOf(Error);
  await broken.close();
  const phone = await device({ url: server.url, name, token });
  const { new: made, already_there } = await phone.importSteps(fileOf(200), { createMaps: true });
  expect([made > 0, already_there > 0, made + already_there]).toEqual([true, true, 200]);
  const { maps, runs } = await syncedTo(phone, token);
  expect([maps.length, runs.length]).toEqual([1, 200]);
});

/** A storage that takes some writes of the outbox and refuses all later ones. */
function failingStorage(writesMax: number): AnyRxStorage {
  const inner = memoryStorage();
  let writes = 0;
  return {
    ...inner,
    createStorageInstance: async (params) => {
      const instance = await inner.createStorageInstance(params);
      const bulkWrite = instance.bulkWrite.bind(instance);
      instance.bulkWrite = (rows, context) =>
        params.collectionName === 'outbox' && writes++ > writesMax
          ? Promise.reject(new Error('the disk is gone'))
          : bulkWrite(rows, context);
      return instance;
    },
  };
}

test('[IMPORT-14] [IMPORT-23] an export of a device, imported by another one, makes equal runs', async () => {
  const [token, elsewhere] = [await server.newAccount(), await server.newAccount()];
  const phone = await device({ url: server.url, token });
  const recording = await phone.startRecording({ newMap: { name: "'=Press" } });
  await recording.step({ stage_name: '-Load', work_type: 'waste', notes: '+1' });
  await recording.step({ stage_name: 'Press', work_type: 'valuable' });
  const { run_id, recording_session_id } = await recording.finish();
  const file = await phone.exportRuns('steps.csv', [run_id]);
  const other = await device({ url: server.url, token: elsewhere });
  expect(await other.importSteps(file, { createMaps: true })).toMatchObject({ new: 1, steps: 2, errors: [] });
  await syncedTo(phone, token);
  await syncedTo(other, elsewhere);
  const linesOf = async (key: string) => {
    const { bytes } = await download(new Api({ url: server.url, key, accountId: '' }), 'steps.csv');
    return String(bytes).replaceAll(/^\d+,(\d+),[\da-f-]{36},/gm, '$1,');
  };
  expect(await linesOf(elsewhere)).toBe(await linesOf(token));
  expect(await linesOf(token)).toContain(recording_session_id);
});

test('[IMPORT-32] a device tells how far an import is, and stores nothing of one that was aborted while it reads', async () => {
  const phone = await device({ url: server.url, fetch: network(false).fetch });
  const seen: ImportProgress[] = [];
  const file = fileOf(3_000);
  await phone.importSteps(file, { createMaps: true, onProgress: (progress) => void seen.push(progress) });
  const phases = seen.map(({ phase }) => phase);
  expect([...new Set(phases)]).toEqual(['reading', 'checking', 'saving']);
  for (const phase of ['reading', 'checking', 'saving']) {
    const shares = seen.filter((one) => one.phase === phase).map(({ done, total }) => done / total);
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    expect(shares.every((share) => share >= 0 && share <= 1)).toBe(true);
  }
  expect(seen.at(-1)).toEqual({ phase: 'saving', done: 3_000, total: 3_000 });

  const other = await device({ url: server.url, fetch: network(false).fetch });
  for (const dryRun of [true, false]) {
    const abort = new AbortController();
    let told = 0;
    const onProgress = () => {
      told += 1;
      abort.abort();
    };
    const aborted = other.importSteps(file, { dryRun, createMaps: true, onProgress, signal: abort.signal });
    await expect(aborted).rejects.toMatchObject({ name: 'AbortError' });
    expect(told).toBe(1);
  }
  const late = new AbortController();
  const onSaving = ({ phase }: ImportProgress) => phase === 'saving' && late.abort();
  expect(await current(other.maps$)).toEqual([]);
  const options = { createMaps: true, onProgress: onSaving, signal: late.signal };
  expect(await other.importSteps(fileOf(60), options)).toMatchObject({ new: 60 });
  expect(await current(other.status$)).toMatchObject({ pending: 61 });
});

test('[IMPORT-22] a file, or options, that are none are refused, and so is a file of more than 8 MiB', async () => {
  const phone = await device({ url: server.url, fetch: network(false).fetch });
  const refusal = async (...args: unknown[]) => {
    const error = await (phone.importSteps as (...given: unknown[]) => Promise<unknown>)(...args).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(GembaError);
    const { code, errors } = error as GembaError;
    return [code, errors?.map(({ path }) => path)];
  };
  for (const file of [undefined, null, 7, {}, new Uint8Array(3)]) {
    expect(await refusal(file)).toEqual(['validation_failed', ['/file']]);
  }
  expect(await refusal('x', { dryrun: true })).toEqual(['validation_failed', ['/dryrun']]);
  expect(await refusal('x', { dryRun: 'yes' })).toEqual(['validation_failed', ['/dryRun']]);
  expect(await refusal('x', { onProgress: 1, signal: {} })).toEqual(['validation_failed', ['/onProgress', '/signal']]);
  expect(await refusal('x', null)).toEqual(['validation_failed', ['']]);
  expect(await refusal('x'.repeat(8 * 1024 * 1024 + 1))).toEqual(['payload_too_large', undefined]);
});

test('[IMPORT-33] a map that an import made on the server, and that has another name since, is not made a second time', async () => {
  const token = await server.newAccount();
  const api = new Api({ url: server.url, key: token, accountId: '' });
  await importFile(api, `${columns}Repair,first,Cut,1,`, { query: { create_maps: 'true' } });
  const [{ id }] = (await restClient(server.url, token).list<{ id: string }>('/maps')) as [{ id: string }];
  await restClient(server.url, token).send('PATCH', `/maps/${id}`, { name: 'Repair hall 2' });

  const net = network(false);
  const phone = await device({ url: server.url, token, fetch: net.fetch });
  await phone.importSteps(`${columns}Repair,second,Cut,1,\nRepair,third,Cut,2,`, { createMaps: true });
  net.online = true;
  const { maps, runs } = await syncedTo(phone, token);
  expect([maps, runs.length]).toMatchObject([[{ id, name: 'Repair hall 2', run_count: 3 }], 3]);
  expect(await current(phone.attention$)).toEqual([]);
});
