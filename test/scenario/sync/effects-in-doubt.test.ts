/** Pushes whose effects the device must not take, or cannot get, and the pulls that follow them. */
import { randomUUID } from 'node:crypto';
import { setImmediate as turnOfTheEventLoop } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Status } from '../../../client/client.ts';
import type { PullResponse } from '../../../shared/protocol/pull.ts';
import type { PushResponse } from '../../../shared/protocol/push.ts';
import { atRest, current, device, eventually, idleStatus, json, manualSync, network } from '../../device/devices.ts';
import { shownBy } from '../../device/shown-records.ts';
import { testServer, type TestServer } from '../../device/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.remove());

const recordingOf = (recording_session_id: string) => ({
  recording_session_id,
  started_at: '2026-04-01T08:00:00.000Z',
  steps: [{ stage_name: 'Cut', order: 1, duration_secs: 1 }],
});

interface PhoneOptions {
  plan?: 'free' | 'team';
  /** Tells whether something on the way refuses a push. */
  refuses?: (headers: Headers) => boolean;
}

/** A device that asks for effects, whose pulls are counted. */
async function phoneInStep({ plan = 'team', refuses = () => false }: PhoneOptions = {}) {
  const net = network();
  const token = await server.newAccount(plan);
  const sentHeaders: Headers[] = [];
  const fetchOrRefuse: typeof fetch = (input, init) => {
    const headers = new Headers(init?.headers);
    if (!String(input).endsWith('sync/push')) return net.fetch(input, init);
    if (net.online) sentHeaders.push(headers);
    return refuses(headers) ? Promise.reject(new TypeError('Failed to fetch')) : net.fetch(input, init);
  };
  const phone = await device({ url: server.url, token, ...manualSync(net), fetch: fetchOrRefuse, pushEffects: true });
  const { map_id } = await phone.createMap({ name: 'Saw' });
  await phone.sync();
  const pulls: string[] = [];
  net.answers('sync/pull', (ask, { query }) => {
    pulls.push(query.get('cursor') ?? '');
    return ask();
  });
  /** Makes changes without a network, and syncs once. */
  const syncAfter = async (work: () => Promise<unknown>) => {
    net.online = false;
    await work();
    await atRest(phone);
    net.online = true;
    await phone.sync();
  };
  const askedEffects = () => sentHeaders.map((headers) => headers.has('Gemba-Base'));
  return { net, token, phone, map_id, pulls, syncAfter, sentHeaders, askedEffects };
}

/** Replaces parts of each answer to a push that has effects. */
const changeAnswers = (
  net: ReturnType<typeof network>,
  change: (body: PushResponse) => Record<string, unknown>,
): void =>
  net.answers('sync/push', async (ask) => {
    const body = (await (await ask()).json()) as PushResponse;
    return json(body.effects ? { ...body, ...change(body) } : body);
  });

test('[SYNC-92] a header that is refused on the way is left out, and no mutation is suspected', async () => {
  let isRefused = false;
  const { phone, syncAfter, pulls, askedEffects, sentHeaders } = await phoneInStep({
    refuses: (headers) => isRefused && headers.has('Gemba-Base'),
  });
  isRefused = true;
  sentHeaders.length = 0;
  for (const name of ['A', 'B', 'C', 'D', 'E']) {
    await syncAfter(() => phone.createMap({ name }));
    await phone.sync();
    expect(await current(phone.status$)).toMatchObject(idleStatus);
  }
  expect(askedEffects().filter((asked) => asked)).toHaveLength(3);
  isRefused = false;
  pulls.length = sentHeaders.length = 0;
  await syncAfter(() => phone.createMap({ name: 'F' }));
  expect({ asked: askedEffects(), pulls: pulls.length }).toEqual({ asked: [false], pulls: 1 });
});

test('[SYNC-92] a cut line costs one pull, and the push after it asks again', async () => {
  let isCut = false;
  const { phone, syncAfter, pulls, askedEffects, sentHeaders } = await phoneInStep({ refuses: () => isCut });
  sentHeaders.length = 0;
  isCut = true;
  await syncAfter(() => phone.createMap({ name: 'A' }));
  isCut = false;
  await phone.sync();
  await syncAfter(() => phone.createMap({ name: 'B' }));
  expect(askedEffects()).toEqual([true, false, true]);
  expect(pulls).toHaveLength(2);
});

test('[SYNC-93] work that is forwarded behind own pushes of one round is shown without a break', async () => {
  const { net, token, phone, map_id, syncAfter } = await phoneInStep();
  const makersNet = network();
  const maker = await device({ url: server.url, token, ...manualSync(makersNet) });
  await maker.sync();
  makersNet.online = false;
  await maker.importRecording({ mapId: map_id, recording: recordingOf('forwarded') });
  const file = await maker.exportUnsent();
  let isImported = false;
  net.answers('sync/push', async (ask) => {
    const response = await ask();
    if (!isImported) await phone.importUnsent(file);
    isImported = true;
    return response;
  });
  const shown: number[] = [];
  const watching = phone.runs$(map_id).subscribe((runs) => shown.push(runs.length));
  await syncAfter(() => phone.importRecording({ mapId: map_id, recording: recordingOf('own') }));
  watching.unsubscribe();
  expect(await current(phone.status$)).toMatchObject(idleStatus);
  expect(new Set(shown.slice(shown.indexOf(2)))).toEqual(new Set([2]));
  const other = await device({ url: server.url, token });
  await other.sync();
  expect(await shownBy(phone)).toEqual(await shownBy(other));
});

test.each([
  ['whose successor is late', (pulled: string) => pulled, () => {}],
  [
    'of a stream that broke',
    () => 'MQ',
    (controller: ReadableStreamDefaultController<Uint8Array>) => controller.close(),
  ],
])('[SYNC-94] an event from before the push %s starts no pull', async (_which, cursorAfter, afterEvent) => {
  const net = network();
  const token = await server.newAccount();
  const clock = { schedule: () => () => {} };
  const phone = await device({ url: server.url, token, fetch: net.fetch, clock, pushEffects: true });
  let pulled = '';
  let pulls = 0;
  net.answers('sync/pull', async (ask) => {
    const page = (await (await ask()).json()) as PullResponse;
    pulled = page.cursor;
    pulls += 1;
    return json(page);
  });
  let isRead = () => {};
  const read = new Promise<void>((resolve) => (isRead = resolve));
  net.answers('sync/events', () => {
    let isSent = false;
    const pull = (controller: ReadableStreamDefaultController<Uint8Array>) => {
      if (isSent) {
        afterEvent(controller);
        return isRead();
      }
      isSent = true;
      const data = JSON.stringify({ cursor: cursorAfter(pulled) });
      controller.enqueue(new TextEncoder().encode(`event: cursor\ndata: ${data}\n\n`));
    };
    const body = new ReadableStream<Uint8Array>({ pull }, { highWaterMark: 0 });
    return new Response(body, { headers: { 'Content-Type': 'text/event-stream' } });
  });
  const isDone = ({ phase, pending }: Status) => phase === 'idle' && pending === 0;
  const { map_id } = await phone.createMap({ name: 'Saw' });
  await read;
  await turnOfTheEventLoop();
  await eventually(phone.status$, isDone);
  pulls = 0;
  await phone.importRecording({ mapId: map_id, recording: recordingOf(randomUUID()) });
  await eventually(phone.status$, isDone);
  expect(pulls).toBe(0);
});

test('[SYNC-95] a refusal that was lost from the answers still comes to the person', async () => {
  const { net, phone, syncAfter, pulls } = await phoneInStep({ plan: 'free' });
  await syncAfter(() => phone.createMap({ name: 'Second' }));
  changeAnswers(net, () => ({ results: [] }));
  await syncAfter(() => phone.createMap({ name: 'Third' }));
  expect(await current(phone.status$)).toMatchObject({ pending: 0, attention: 1, error: null });
  expect(pulls).toHaveLength(1);
});

test.each([
  ['is no object', () => 'all well'],
  ['has a time that is none', ({ effects }: PushResponse) => ({ ...effects, at: 'now' })],
  ['has a clock of text', ({ effects }: PushResponse) => ({ ...effects, clock_behind_ms: 'late' })],
  ['has no version', ({ effects }: PushResponse) => ({ ...effects, after: null })],
  ['has no chain', ({ effects }: PushResponse) => ({ ...effects, chain: undefined })],
])('[SYNC-95] what stands in place of the effects and %s is no error', async (_what, effectsOf) => {
  const { net, phone, map_id, syncAfter, pulls } = await phoneInStep();
  changeAnswers(net, (body) => ({ effects: effectsOf(body) }));
  const errors: unknown[] = [];
  const watching = phone.status$.subscribe(({ error }) => errors.push(error));
  await syncAfter(() => phone.importRecording({ mapId: map_id, recording: recordingOf(randomUUID()) }));
  watching.unsubscribe();
  expect(await current(phone.status$)).toMatchObject(idleStatus);
  expect(new Set(errors)).toEqual(new Set([null]));
  expect(pulls).toHaveLength(1);
});
