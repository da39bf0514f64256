/** Pushes that a device compresses, also through a firewall that refuses what it cannot read. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunDoc } from '../../../shared/schema/run.ts';
import { device, network } from '../../device/devices.ts';
import { observingProxy, type ProxyOptions } from '../../device/observing-proxy.ts';
import { restClient, testServer, type TestServer } from '../../device/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.remove());

/** Pushes in JSON: `packedPages: false` turns the brief form off. */
const inJson = { packedPages: false };
const stepCount = 900;

const longRecording = (recording_session_id: string) => ({
  recording_session_id,
  steps: Array.from({ length: stepCount }, (_, index) => ({
    stage_name: `Cut board ${index + 1}`,
    order: index + 1,
    duration_secs: index + 0.5,
  })),
});

async function pairedThrough(options?: ProxyOptions) {
  const proxy = await observingProxy(server.url, options);
  const token = await server.newAccount();
  const phone = await device({ url: proxy.url, token, ...inJson });
  const { map_id } = await phone.createMap({ name: 'Saw' });
  await phone.sync();
  const record = async (session: string): Promise<RunDoc> => {
    const { run_id } = await phone.importRecording({ mapId: map_id, recording: longRecording(session) });
    await phone.sync();
    return restClient(server.url, token).get<RunDoc>(`/runs/${run_id}`);
  };
  const pushes = () =>
    proxy.requests
      .filter(({ path, bytesUp }) => path === '/api/v1/sync/push' && bytesUp > 2_000)
      .map(({ status, contentEncoding }) => ({ status, contentEncoding }));
  return { proxy, record, pushes };
}

test('[SYNC-81] a large push goes compressed and arrives whole, a small one goes as it is', async () => {
  const { proxy, record, pushes } = await pairedThrough();
  const run = await record('long');
  expect(run.steps.map(({ stage_name }) => stage_name)).toEqual(longRecording('').steps.map((step) => step.stage_name));
  expect(pushes()).toEqual([{ status: 200, contentEncoding: 'gzip' }]);
  const sent = proxy.requests.filter(({ path }) => path === '/api/v1/sync/push');
  expect(Math.max(...sent.map(({ bytesUp }) => bytesUp))).toBeLessThan(JSON.stringify(longRecording('')).length / 3);
  expect(sent[0]!.contentEncoding).toBeUndefined();
});

test('[SYNC-82] where compressed bodies are refused, the push goes again as it is, and so do those after it', async () => {
  const { record, pushes } = await pairedThrough({
    refuse: ({ headers }) => (headers['content-encoding'] === undefined ? undefined : 403),
  });
  expect((await record('first')).step_count).toBe(stepCount);
  expect((await record('second')).step_count).toBe(stepCount);
  expect(pushes()).toEqual([
    { status: 403, contentEncoding: 'gzip' },
    { status: 200, contentEncoding: undefined },
    { status: 200, contentEncoding: undefined },
  ]);
});

test('[SYNC-83] a `fetch` of the options gets the body as text, which it may sign', async () => {
  const net = network();
  const token = await server.newAccount();
  const bodies: unknown[] = [];
  const phone = await device({
    url: server.url,
    token,
    ...inJson,
    fetch: (input, init) => {
      if (init?.body !== undefined) bodies.push(init.body);
      return net.fetch(input, init);
    },
  });
  const { map_id } = await phone.createMap({ name: 'Saw' });
  await phone.importRecording({ mapId: map_id, recording: longRecording('long') });
  await phone.sync();
  expect(bodies.filter((body) => typeof body === 'string' && body.includes(`Cut board ${stepCount}`))).toHaveLength(1);
});
