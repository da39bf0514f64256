/** Two pages hand recordings over by a data channel that they open by each other's codes. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openBrowser, createUserDataDir, type Browser } from '../browser.ts';
import { accept, answer, connectPages, offer, sideInPage, untilConnected } from '../data-channels.ts';
import { buildEngineBundle, createBrowserDevice } from '../device.ts';
import { inPage, pageVerb } from '../in-page.ts';
import { openSite, type Site } from '../page.ts';
import { syncNow } from '../verbs.ts';
import { byteChannelContract } from '../../scenario/relay/byte-channel-contract.ts';

interface Pages {
  site: Site;
  folder: Awaited<ReturnType<typeof createUserDataDir>>;
  browser: Browser;
  near: Page;
  far: Page;
}

/** These pages open no engine, so they need no server. */
let pages: Pages;
beforeAll(async () => {
  const site = await openSite(await buildEngineBundle(), 'http://127.0.0.1:9');
  const folder = await createUserDataDir();
  const browser = await openBrowser(folder.path);
  const newPage = async () => {
    const page = await browser.context.newPage();
    await page.goto(site.url);
    return page;
  };
  pages = { site, folder, browser, near: await newPage(), far: await newPage() };
});
afterAll(async () => {
  await pages.browser.kill();
  await pages.folder.remove();
  await pages.site.close();
});

byteChannelContract({
  kind: 'a data channel',
  isBounded: true,
  open: async () => {
    const { near, far } = pages;
    await connectPages(near, far);
    return { near: await sideInPage(near), far: await sideInPage(far) };
  },
});

test('[RELAY-66] a page that is closed ends the reading of the other', async () => {
  const { near, browser, site } = pages;
  const far = await browser.context.newPage();
  await far.goto(site.url);
  await connectPages(near, far);
  const side = await sideInPage(near);
  const reading = side.read();
  await far.close();
  expect(await reading).toEqual({ bytes: 0, isInOrder: true, ended: 'broken' });
});

test('[RELAY-69] an offer takes the answer to itself, once, and no other text', async () => {
  const { near, far } = pages;
  const earlier = await offer(near);
  const toEarlier = (await answer(far, earlier))!;
  const offered = await offer(near);
  const refused = [toEarlier, offered, '', 'https://gemba.example/pair#7K3M-Q9TX'];
  for (const text of refused) expect(await accept(near, text)).toBe(false);
  for (const text of [toEarlier, '', 'no code']) expect(await answer(far, text)).toBeNull();
  const answered = (await answer(far, offered))!;
  expect(await accept(near, answered)).toBe(true);
  await untilConnected(far);
  expect(await accept(near, answered)).toBe(false);
  console.log(`The offer is ${offered.length} characters, the answer ${answered.length}.`);
});

test('[RELAY-74] a phone that no other one could reach says so instead of showing a code', async () => {
  const folder = await createUserDataDir();
  onTestFinished(() => folder.remove());
  const browser = await openBrowser(folder.path, {
    flags: ['--force-webrtc-ip-handling-policy=disable_non_proxied_udp'],
  });
  onTestFinished(() => browser.kill());
  const alone = await browser.context.newPage();
  await alone.goto(pages.site.url);
  expect(await offer(alone)).toBe('no_network');
  expect(await answer(alone, await offer(pages.near))).toBe('no_network');
});

test('[RELAY-73] a phone that gives up before it is connected waits no longer', async () => {
  const { near, far } = pages;
  await answer(far, await offer(near));
  const outcome = await inPage(far, async () => {
    const waiting = window.answered.connected.catch((error: unknown) => String(error));
    window.leaving.abort(new Error('The person went back.'));
    return waiting;
  });
  expect(outcome).toBe('Error: The person went back.');
});

test.each(
  Object.entries({
    'a text that means nothing': { kind: 'text', text: 'hello' },
    'more than was sent': { kind: 'text', text: '7' },
    'a message that is too long': { kind: 'bytes', lengths: [16_385] },
    'an empty message': { kind: 'bytes', lengths: [0] },
    'more than the reader allows': { kind: 'bytes', lengths: Array<number>(17).fill(16_384) },
  } as const),
)('[RELAY-71] a side that sends %s is left', async (_about, sent) => {
  expect(await readFromHostile(pages.near, sent as HostileMessage)).toBe('Error: The data channel broke.');
});

type HostileMessage = { kind: 'text'; text: string } | { kind: 'bytes'; lengths: number[] };

/** Connects a channel of the engine with one that keeps none of its rules, and returns how the reading ends. */
const readFromHostile = pageVerb(async (sent: HostileMessage) => {
  const [honest, hostile] = [new RTCPeerConnection(), new RTCPeerConnection()];
  const [honestChannel, hostileChannel] = [honest, hostile].map((connection) =>
    connection.createDataChannel('gemba', { negotiated: true, id: 0 }),
  ) as [RTCDataChannel, RTCDataChannel];
  for (const [one, other] of [
    [honest, hostile],
    [hostile, honest],
  ] as const) {
    one.addEventListener('icecandidate', ({ candidate }) => void other.addIceCandidate(candidate ?? undefined));
  }
  await honest.setLocalDescription();
  await hostile.setRemoteDescription(honest.localDescription!);
  await hostile.setLocalDescription();
  await honest.setRemoteDescription(hostile.localDescription!);
  const opened = (channel: RTCDataChannel) =>
    new Promise((resolve) => channel.addEventListener('open', resolve, { once: true }));
  await Promise.all([opened(honestChannel), opened(hostileChannel)]);
  const signal = new AbortController().signal;
  const { readable } = window.relay.byteChannelOf({ connection: honest, channel: honestChannel, signal });
  const left = new Promise((resolve) => hostileChannel.addEventListener('close', resolve, { once: true }));
  if (sent.kind === 'text') hostileChannel.send(sent.text);
  else for (const length of sent.lengths) hostileChannel.send(new Uint8Array(length));
  await left;
  const reader = readable.getReader();
  try {
    while (!(await reader.read()).done);
    return 'ended';
  } catch (error) {
    return String(error);
  }
});

const record = pageVerb(async (mapId: string) => {
  const recording = await window.gemba.startRecording({ mapId });
  await recording.step({ stage_name: 'Weld' });
  return (await recording.finish()).recording_session_id;
});
const pairDevice = pageVerb(async (code: string) => {
  await window.gemba.pair(code, 'Giver');
  await window.gemba.sync();
});
const handOver = pageVerb(() => window.handOver.handOver(window.channel));
const carry = pageVerb(() => window.carrier.carry(window.channel));
const custody = pageVerb(async (session: string) => ({
  custody: await window.current(window.gemba.custody$(session)),
  carriers: (await window.current(window.handOver.carriers$(session))).length,
}));

/** Keeps a page's requests from the server while its `isCut` is true. */
async function cutOff(page: Page): Promise<{ isCut: boolean }> {
  const network = { isCut: true };
  await page.route('**/api/**', (route) => (network.isCut ? route.abort() : route.continue()));
  return network;
}

test('[RELAY-67] recordings go over a data channel from a page to that of another account, to the server, and the proof back', async () => {
  const { rest, start, newAccount } = await createBrowserDevice();
  const { tabs } = await start();
  const { body: map } = await rest.send<{ id: string }>('POST', '/maps', { name: 'Weld' });
  const giver = await tabs.open('giver', { token: null, name: 'giver', relay: 'handOver' });
  const { body } = await rest.send<{ code: string }>('POST', '/auth/pairing-code', { device_kind: 'phone' });
  await pairDevice(giver, body.code);
  await cutOff(giver);
  const carrier = await tabs.open('carrier', { token: await newAccount(), name: 'carrier', relay: 'carrier' });
  await syncNow(carrier);
  const network = await cutOff(carrier);
  await syncNow(carrier).catch(() => undefined);
  const meet = async () => {
    await connectPages(giver, carrier);
    const [result] = await Promise.all([handOver(giver), carry(carrier)]);
    return result;
  };
  const sessions = [await record(giver, map.id), await record(giver, map.id)];
  expect(await meet()).toMatchObject({ answered: 0, ended: 'done' });
  for (const session of sessions) expect(await custody(giver, session)).toEqual({ custody: 'device', carriers: 1 });
  expect(await rest.list(`/maps/${map.id}/runs`)).toEqual([]);

  network.isCut = false;
  await syncNow(carrier);
  expect(await meet()).toMatchObject({ ended: 'done' });
  for (const session of sessions) expect(await custody(giver, session)).toEqual({ custody: 'server', carriers: 0 });
  const runs = await rest.list<{ recording_session_id: string }>(`/maps/${map.id}/runs`);
  expect(runs.map((run) => run.recording_session_id).toSorted()).toEqual(sessions.toSorted());
});
