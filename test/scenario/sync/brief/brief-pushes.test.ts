/** Pushes in the brief form, also where the server does not announce it or something on the way refuses it. */
import { deflateSync, inflateSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { briefMediaType } from '../../../../shared/brief/brief-push.ts';
import type { RunDoc } from '../../../../shared/schema/run.ts';
import type { Gemba } from '../../../../client/client.ts';
import { openLine } from '../../../bench/line.ts';
import { makeRecordings } from '../../../bench/peers/work.ts';
import { atRest, device, json, manualSync, network, current } from '../../../device/devices.ts';
import { observingProxy, type ProxyOptions } from '../../../device/observing-proxy.ts';
import { shownBy } from '../../../device/shown-records.ts';
import { restClient, testServer, type TestServer } from '../../../device/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.remove());

async function syncedPhone(url: string, token: string) {
  const phone = await device({ url, token });
  const { map_id } = await phone.createMap({ name: 'Saw' });
  await phone.sync();
  const record = async (): Promise<number> => {
    const { run_id } = await phone.importRecording({ mapId: map_id, recording: makeRecordings(1)[0]! });
    await phone.sync();
    return run_id;
  };
  return { phone, map_id, record };
}

async function phoneThrough(options?: ProxyOptions) {
  const proxy = await observingProxy(server.url, options);
  const token = await server.newAccount();
  const synced = await syncedPhone(proxy.url, token);
  const rest = restClient(server.url, token);
  const pushes = () =>
    proxy.requests
      .filter(({ path }) => path === '/api/v1/sync/push')
      .map(({ status, contentType }) => [status, contentType]);
  proxy.requests.length = 0;
  return { ...synced, token, rest, proxy, pushes };
}

test('[BRIEF-5] a recording goes in the brief form, and the server has it as the device shows it', async () => {
  const { phone, token, record, rest, pushes } = await phoneThrough();
  const runs = [await record(), await record()];
  expect(pushes()).toEqual([
    [200, briefMediaType],
    [200, briefMediaType],
  ]);
  for (const run of runs) expect((await rest.get<RunDoc>(`/runs/${run}`)).step_count).toBe(12);
  const other = await device({ url: server.url, token });
  await other.sync();
  expect(await shownBy(phone)).toEqual(await shownBy(other));
  expect((await shownBy(phone)).flatMap((map) => map.runs)).toHaveLength(2);
});

test('[BRIEF-5] other changes, and a push whose brief form is over 65,536 characters, go as before', async () => {
  const { phone, map_id, pushes } = await phoneThrough();
  await phone.updateMap(map_id, { name: 'Band saw' });
  await phone.sync();
  const [recording] = makeRecordings(1);
  const steps = recording!.steps.map((step) => ({ ...step, notes: 'n'.repeat(6_000) }));
  await phone.importRecording({ mapId: map_id, recording: { ...recording!, steps } });
  await phone.sync();
  expect(pushes()).toEqual([
    [200, 'application/json'],
    [200, 'application/json'],
  ]);
  expect(await atRest(phone)).toMatchObject({ pending: 0, attention: 0 });
});

test('[FLEET-31] a brief push reports what the last pull did not, and each tenth reports in any case', async () => {
  const reports: (string | undefined)[] = [];
  const { record } = await phoneThrough({
    refuse: ({ headers }) => {
      if (headers['content-type'] === briefMediaType) reports.push(headers['gemba-device'] as string | undefined);
      return undefined;
    },
  });
  for (let made = 0; made < 11; made++) await record();
  const indexes = [...reports.keys()].filter((index) => reports[index] !== undefined);
  expect([reports.length, indexes]).toEqual([11, [9]]);
  expect(reports[9]).toMatch(/^pending=1, .*platform=node/);
});

test('[BRIEF-6] where the brief form is refused, the push goes as it is, and so do those after it', async () => {
  const { record, rest, pushes } = await phoneThrough({
    refuse: ({ headers }) => (headers['content-type'] === briefMediaType ? 403 : undefined),
  });
  const runs = [await record(), await record()];
  expect(pushes()).toEqual([
    [403, briefMediaType],
    [200, 'application/json'],
    [200, 'application/json'],
  ]);
  for (const run of runs) expect((await rest.get<RunDoc>(`/runs/${run}`)).step_count).toBe(12);
});

/** A device with a `fetch` that a test counts and changes. */
async function phoneWithFetch(packedPages?: boolean, announces = true) {
  const net = network();
  const token = await server.newAccount();
  const bodies: unknown[] = [];
  net.answers('sync/pull', async (ask) => {
    const { push_brief, ...page } = (await (await ask()).json()) as { push_brief: boolean };
    return json(announces ? { ...page, push_brief } : page);
  });
  const { fetch: netFetch, ...manual } = manualSync(net);
  const phone = await device({
    url: server.url,
    token,
    ...manual,
    pushEffects: true,
    ...(packedPages === undefined ? {} : { packedPages }),
    fetch: (input, init) => {
      if (init?.method === 'POST') bodies.push(init.body);
      return netFetch(input, init);
    },
  });
  const { map_id } = await phone.createMap({ name: 'Saw' });
  await phone.sync();
  bodies.length = 0;
  await phone.importRecording({ mapId: map_id, recording: makeRecordings(1)[0]! });
  await phone.sync();
  expect(await current(phone.status$)).toMatchObject({ pending: 0, attention: 0 });
  return bodies;
}

test('[BRIEF-7] a `fetch` of the options gets the body as text, unless `packedPages` is true', async () => {
  expect((await phoneWithFetch()).map((body) => typeof body)).toEqual(['string']);
  const [body] = await phoneWithFetch(true);
  expect(inflateSync(body as ArrayBuffer).toString()).toContain('Fetch the pallet');
});

test('[BRIEF-5] a server that does not announce `push_brief` gets no brief push', async () => {
  expect((await phoneWithFetch(true, false)).map((body) => typeof body)).toEqual(['string']);
});

/** The brief push of a device, for a test to change and send. */
async function caughtPush() {
  const net = network();
  const token = await server.newAccount();
  let caught: unknown[] | undefined;
  const { fetch: netFetch, ...manual } = manualSync(net);
  const phone = await device({
    url: server.url,
    token,
    ...manual,
    pushEffects: true,
    packedPages: true,
    fetch: (input, init) => {
      if (init?.body instanceof ArrayBuffer) {
        caught = JSON.parse(inflateSync(init.body).toString()) as unknown[];
        return Promise.reject(new TypeError('no network'));
      }
      return netFetch(input, init);
    },
  });
  const { map_id } = await phone.createMap({ name: 'Saw' });
  await phone.sync();
  await phone.importRecording({ mapId: map_id, recording: makeRecordings(1)[0]! });
  await phone.sync();
  const send = (brief: unknown, headers: Record<string, string> = {}) =>
    fetch(`${server.url}/api/v1/sync/push`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': briefMediaType, ...headers },
      body: deflateSync(JSON.stringify(brief)),
    });
  const runs = () => restClient(server.url, token).list<RunDoc>(`/maps/${map_id}/runs`);
  return { brief: caught!, send, runs, phone };
}

test('[BRIEF-2] a brief push of which anything was changed is refused, and applies nothing', async () => {
  const { brief, send, runs } = await caughtPush();
  const head = brief.slice(0, -1);
  const recording = brief.at(-1) as unknown[];
  for (const changed of [
    [...head, recording.with(6, String(recording[6]).replace('Unpack', 'Repack'))],
    [...head, recording.with(4, Number(recording[4]) + 1)],
    brief.with(7, Number(brief[7]) + 1),
    brief.with(8, 'AAAAAAAAAAAA'),
    head,
    { brief },
  ]) {
    const response = await send(changed);
    expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([400, 'malformed_json']);
  }
  const padded = await send([...brief, ' '.repeat(300_000)]);
  expect(padded.status).toBe(413);
  expect(await runs()).toEqual([]);
  expect((await send(brief)).status).toBe(200);
  expect(await runs()).toHaveLength(1);
});

test('[BRIEF-3] [BRIEF-4] a brief answer is short and has few headers; a repeated push is answered in full', async () => {
  const { brief, send, runs } = await caughtPush();
  const first = await send(brief);
  expect([...first.headers.keys()].toSorted()).toEqual(['content-length', 'content-type', 'date', 'keep-alive']);
  expect(await first.json()).toEqual({ brief: [expect.any(String), 2, expect.any(Number), expect.any(String)] });
  const again = await send(brief);
  expect(await again.json()).toMatchObject({ results: [{ seq: 2, status: 'applied' }], last_seq: 2 });
  for (const name of ['x-request-id', 'ratelimit', 'cache-control']) expect(again.headers.has(name)).toBe(true);
  expect(await runs()).toHaveLength(1);
});

test('[BRIEF-2] a brief push with a token of another account is refused', async () => {
  const { brief, send, runs } = await caughtPush();
  const other = await server.newAccount();
  expect((await send(brief, { Authorization: `Bearer ${other}` })).status).toBe(400);
  expect(await runs()).toEqual([]);
});

const bytesMax = 1_000;

/** Counts the bytes of a device's recording on its connection, and those of the event that the push starts. */
async function bytesOf(record: (phone: Gemba, map_id: string) => Promise<unknown>): Promise<number> {
  const line = await openLine(server.url, { defaultPort: 80 });
  try {
    const { phone, map_id } = await syncedPhone(line.url, await server.newAccount());
    // The first recording changes the stages of the map, and the connection stands after it.
    for (const _ of [1, 2]) await record(phone, map_id);
    await phone.sync();
    await atRest(phone);
    const before = line.bytesUp + line.bytesDown;
    await record(phone, map_id);
    await phone.sync();
    await atRest(phone);
    return line.bytesUp + line.bytesDown - before;
  } finally {
    await line.close();
  }
}

test('[BRIEF-8] a recording of 12 steps takes under 1,000 bytes both ways, headers included', async () => {
  const bytes = await bytesOf((phone, mapId) => phone.importRecording({ mapId, recording: makeRecordings(1)[0]! }));
  console.log(`one recording: ${bytes} bytes`);
  expect(bytes).toBeLessThan(bytesMax);
});
