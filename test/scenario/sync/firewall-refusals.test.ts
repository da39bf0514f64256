/** Mutations that a firewall, or the server itself, fails on again and again. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunRecord } from '../../../shared/schema/run.ts';
import { restClient, testServer, type TestServer } from '../../device/test-server.ts';
import { atRest, current, device, memoryStorage, network, manualSync } from '../../device/devices.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.remove());

const recordingOf = (recording_session_id: string, notes = '') => ({
  recording_session_id,
  steps: [{ stage_name: 'Cut', order: 1, duration_secs: 1, notes }],
});

const sqlNote = 'UNION SELECT price FROM offers';
const firewall = (body: string) =>
  body.includes(sqlNote) ? new Response('<html>Blocked</html>', { status: 403 }) : undefined;
const failing = (body: string) => {
  const problem = { type: 'x', title: 'x', status: 500, code: 'internal_error', detail: 'It failed.' };
  const headers = { 'Content-Type': 'application/problem+json' };
  return body.includes(sqlNote) ? new Response(JSON.stringify(problem), { status: 500, headers }) : undefined;
};

test.each([
  ['a firewall', firewall, 403],
  ['a failure of the server', failing, 500],
])(
  '[SYNC-25] [SYNC-67] [SYNC-68] [SYNC-69] what %s refuses alone needs attention, and the rest goes on',
  async (_of, refuse, status) => {
    const token = await server.newAccount();
    const net = network();
    const phone = await device({ url: server.url, token, ...manualSync(net) });
    const { map_id } = await phone.createMap({ name: 'Saw' });
    await phone.sync();
    net.answers('sync/push', (ask, { body }) => refuse(body) ?? ask());
    for (const session of ['a', 'b']) await phone.importRecording({ mapId: map_id, recording: recordingOf(session) });
    await phone.importRecording({ mapId: map_id, recording: recordingOf('bad', sqlNote) });
    for (const session of ['c', 'd']) await phone.importRecording({ mapId: map_id, recording: recordingOf(session) });
    const errors: unknown[] = [];
    for (let round = 0; round < 12; round++) {
      await phone.sync();
      errors.push((await current(phone.status$)).error);
    }
    expect(errors.some((error) => (error as { status?: number } | null)?.status === status)).toBe(true);
    expect(await atRest(phone)).toMatchObject({ phase: 'idle', pending: 0, attention: 1, error: null });
    const [attention] = await current(phone.attention$);
    expect(attention).toMatchObject({
      args: { recording_session_id: 'bad' },
      remedies: ['send_again', 'edit', 'discard'],
    });
    expect(attention!.error.detail).toContain(String(status));
    expect(await current(phone.custody$('bad'))).toBe('device');
    net.answers('sync/push', (ask) => ask());
    await phone.resolve(attention!.seq, 'send_again');
    await phone.sync();
    const runs = await restClient(server.url, token).list<RunRecord>(`/maps/${map_id}/runs`);
    expect(runs.map((run) => run.recording_session_id)).toEqual(['bad', 'd', 'c', 'b', 'a']);
  },
);

const html = { 'Content-Type': 'text/html' };
const jsonRefusal = Response.json({ code: 'policy', detail: 'Blocked.' }, { status: 403 });
const failRequest = () => Promise.reject(new TypeError('fetch failed'));

test.each([
  ['with a page as if all were well', '(200, text/html)', () => new Response('<html>Rejected', { headers: html })],
  ['with JSON of its own', '(403, application/json)', () => jsonRefusal.clone()],
  ['with a page that asks to come back', '503', () => new Response('<html>', { status: 503, headers: html })],
  ['by cutting the line', 'fetch failed', failRequest],
])(
  '[SYNC-50] [SYNC-68] [SYNC-69] [SYNC-70] what a firewall answers %s needs attention, pulls go on and the rest goes on',
  async (_how, words, refuse) => {
    const token = await server.newAccount();
    const net = network();
    const phone = await device({ url: server.url, token, ...manualSync(net) });
    await phone.createMap({ name: 'Saw' });
    await phone.sync();
    net.answers('sync/push', (ask, { body }) => (body.includes(sqlNote) ? refuse() : ask()));
    await phone.createMap({ name: sqlNote });
    await phone.createMap({ name: 'Drill' });
    const { send, list } = restClient(server.url, token);
    await send('POST', '/maps', { name: 'Of another' });
    await phone.sync();
    const { phase, error } = await current(phone.status$);
    expect({ phase, detail: error?.detail }).toEqual({ phase: 'waiting', detail: expect.stringContaining(words) });
    expect((await current(phone.maps$)).map(({ name }) => name)).toContain('Of another');
    for (let round = 0; round < 8; round++) await phone.sync();
    expect(await atRest(phone)).toMatchObject({ phase: 'idle', pending: 0, attention: 1, error: null });
    expect((await current(phone.attention$))[0]).toMatchObject({ args: { name: sqlNote } });
    expect((await list<{ name: string }>('/maps')).map(({ name }) => name)).toContain('Drill');
  },
);

test('[SYNC-51] a captive portal that answers everything is an outage, and no content is withdrawn', async () => {
  const net = network();
  const phone = await device({ url: server.url, token: await server.newAccount(), ...manualSync(net) });
  await phone.createMap({ name: 'Saw' });
  await phone.sync();
  const portal = () => new Response('<html>Log in first</html>', { headers: html });
  for (const path of ['sync/push', 'sync/pull']) net.answers(path, portal);
  await phone.createMap({ name: 'Drill' });
  for (let round = 0; round < 15; round++) await phone.sync();
  expect(await current(phone.status$)).toMatchObject({ phase: 'offline', error: null, pending: 1, attention: 0 });
});

test('[SYNC-26] where nothing passes, nothing is withdrawn', async () => {
  const net = network();
  const phone = await device({ url: server.url, token: await server.newAccount(), ...manualSync(net) });
  await phone.createMap({ name: 'Saw' });
  await phone.sync();
  net.answers('sync/push', () => new Response('<html>Log in first</html>', { status: 403 }));
  for (const name of ['A', 'B', 'C']) await phone.createMap({ name });
  for (let round = 0; round < 20; round++) await phone.sync();
  expect(await current(phone.status$)).toMatchObject({ pending: 3, attention: 0 });
  net.answers('sync/push', (ask) => ask());
  await phone.sync();
  expect(await atRest(phone)).toMatchObject({ phase: 'idle', pending: 0, attention: 0 });
});

test('[SYNC-71] when each content fails and an empty push passes, three at most are withdrawn', async () => {
  const net = network();
  const phone = await device({ url: server.url, token: await server.newAccount(), ...manualSync(net) });
  await phone.createMap({ name: 'Saw' });
  await phone.sync();
  net.answers('sync/push', (ask, { body }) => (body.includes('"Map') ? new Response('', { status: 500 }) : ask()));
  for (let nth = 0; nth < 8; nth++) await phone.createMap({ name: `Map ${nth}` });
  for (let round = 0; round < 60; round++) await phone.sync();
  expect(await current(phone.status$)).toMatchObject({ attention: 3, pending: 5 });
});

const largeSteps = Array.from({ length: 10 }, (_, index) => ({
  stage_name: `Step ${index}`,
  order: index + 1,
  duration_secs: 1,
  notes: 'n'.repeat(9_000),
}));
const tooLarge = (body: string) =>
  body.length > 70_000 ? new Response('<html>too large</html>', { status: 413 }) : undefined;

test.each([
  ['that knows it', '"noop"'],
  ['of before it', '"not_known"'],
])(
  '[OUTBOX-35] [OUTBOX-36] a withdrawn number reaches a server %s as a noop, and what follows goes on',
  async (_server, nameThere) => {
    const net = network();
    const token = await server.newAccount();
    const phone = await device({ url: server.url, token, ...manualSync(net) });
    const { map_id } = await phone.createMap({ name: 'Saw' });
    await phone.sync();
    const noops: unknown[] = [];
    const headers = { Authorization: `Bearer ${token}`, 'Gemba-Protocol': '1', 'Content-Type': 'application/json' };
    net.answers('sync/push', (_ask, { body }) => {
      const { mutations } = JSON.parse(body) as { mutations: { name: string }[] };
      noops.push(...mutations.filter(({ name }) => name === 'noop'));
      const there = body.replaceAll('"noop"', nameThere);
      return tooLarge(body) ?? fetch(`${server.url}/api/v1/sync/push`, { method: 'POST', headers, body: there });
    });
    const recording = { recording_session_id: 'large', steps: largeSteps };
    await phone.importRecording({ mapId: map_id, recording });
    await phone.updateMap(map_id, { name: 'Press' });
    for (let round = 0; round < 3; round++) await phone.sync();
    const digest = createHash('sha256').update('["upload_recording",1,{}]').digest('hex').slice(0, 32);
    expect(noops).toMatchObject([{ seq: 2, args: {}, digest }]);
    expect(await atRest(phone)).toMatchObject({ phase: 'idle', pending: 0, attention: 1, error: null });
    expect(await current(phone.attention$)).toMatchObject([
      { args: recording, error: { code: 'payload_too_large' }, remedies: ['send_again', 'discard'] },
    ]);
    const { name } = await restClient(server.url, token).get<{ name: string }>(`/maps/${map_id}`);
    expect(name).toBe('Press');
  },
);

test('[OUTBOX-9] a recording that was too large says so after a crash, too', async () => {
  const net = network();
  const options = { url: server.url, token: await server.newAccount(), name: 'too-large', storage: memoryStorage() };
  const before = await device({ ...options, ...manualSync(net) });
  const { map_id } = await before.createMap({ name: 'Saw' });
  await before.sync();
  net.answers('sync/push', (ask, { body }) => tooLarge(body) ?? ask());
  net.answers('sync/pull', () => Promise.reject(new TypeError('cut')));
  await before.importRecording({ mapId: map_id, recording: { recording_session_id: 'large', steps: largeSteps } });
  for (let round = 0; round < 3; round++) await before.sync();
  await before.close();
  const after = await device({ ...options, ...manualSync(network()) });
  await after.sync();
  const [attention] = await current(after.attention$);
  expect(attention).toMatchObject({ error: { code: 'payload_too_large' }, remedies: ['send_again', 'discard'] });
  expect(attention!.args['steps']).toHaveLength(10);
});
