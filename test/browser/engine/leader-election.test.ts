/** The tabs of a device while the lead goes from one to another. */
import { isDeepStrictEqual } from 'node:util';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { stallMsMax } from '../../../client/sync/cycle/machine.ts';
import { helloReplyMsMax } from '../../../client/sync/tabs/tabs.ts';
import type { PairingCode } from '../../../shared/schema/auth.ts';
import type { FullMap } from '../../../shared/schema/map.ts';
import { createBrowserDevice } from '../device.ts';
import { freeze } from '../freeze.ts';
import { pageVerb } from '../in-page.ts';
import type { Call, Site } from '../page.ts';
import { openTwoTabs } from '../two-tabs.ts';
import { createMap, fire, untilMapShown, renameMap, status, untilStatusShown, syncNow } from '../verbs.ts';

const pushCall = 'POST /api/v1/sync/push';
const pullCall = 'GET /api/v1/sync/pull';

const sendersOf = (calls: Call[]): string[] => [...new Set(calls.map(({ tab }) => tab))];

/** Fires the timer after which a silent leader loses the lead. */
async function fireSilenceTimers(page: Page): Promise<void> {
  await fire(page, stallMsMax - helloReplyMsMax);
  await fire(page, helloReplyMsMax);
}

/** Polls the status of the tabs, since messages between tabs take a moment. */
async function expectSameStatus(tabs: Page[]): Promise<void> {
  const areSame = async () => {
    const [first, ...others] = await Promise.all(tabs.map((tab) => status(tab)));
    return others.every((other) => isDeepStrictEqual(other, first));
  };
  await expect.poll(areSame).toBe(true);
}

test('[TABS-1] each tab shows the status of the one sync, also a tab that is opened while the server is away', async () => {
  const device = await createBrowserDevice();
  const { site } = device;
  const { tabs, a, b } = await openTwoTabs(device, { manualTimers: ['a', 'b'] });
  await untilStatusShown(b, { phase: 'idle', pending: 0 });
  await expectSameStatus([a, b]);

  site.outage = true;
  await createMap(b, 'Saw');
  for (const tab of [a, b]) await untilStatusShown(tab, { phase: 'offline', pending: 1 });
  const c = await tabs.open('c');
  await expectSameStatus([a, b, c]);
  expect(await status(c)).toMatchObject({ phase: 'offline', pending: 1, progress: { done: 0, total: 1 } });

  site.outage = false;
  await syncNow(a);
  for (const tab of [a, b, c]) await untilStatusShown(tab, { phase: 'idle', pending: 0, progress: null });
  expect(sendersOf(site.calls)).toEqual(['a']);
});

test("[TABS-2] [TABS-18] a follower's sync brings what it made to the server, by the leader alone", async () => {
  const device = await createBrowserDevice();
  const { site, rest } = device;
  const { a, b } = await openTwoTabs(device, { manualTimers: ['b'] });
  site.outage = true;
  const mapId = await createMap(b, 'Saw');
  await untilStatusShown(a, { phase: 'offline', pending: 1 });
  site.outage = false;
  await syncNow(b);
  expect((await rest.get<FullMap>(`/maps/${mapId}`)).name).toBe('Saw');
  await untilMapShown(b, mapId, { pending: false });
  expect(sendersOf(site.calls)).toEqual(['a']);
});

test('[TABS-3] a leader that crashes is followed by another tab without a reload, and what it had left is pushed', async () => {
  const device = await createBrowserDevice();
  const { site, rest } = device;
  const { tabs, a, b } = await openTwoTabs(device, { manualTimers: ['b'] });
  const answers = site.hold('a', pushCall);
  const mapId = await createMap(a, 'Saw');
  await answers.holds;
  const synced = syncNow(b);

  const crashedAtMs = performance.now();
  await tabs.crash(a);
  await synced;
  await untilMapShown(b, mapId, { name: 'Saw', pending: false });
  const first = site.calls.find(({ tab, what }) => tab === 'b' && what === pushCall)!;
  console.log(`The next leader pushed ${(first.atMs - crashedAtMs).toFixed(0)} ms after the crash of the first.`);
  expect((await rest.get<FullMap>(`/maps/${mapId}`)).name).toBe('Saw');
  expect(callsAfter(site, first).map(({ tab }) => tab)).not.toContain('a');
  answers.release();
});

const callsAfter = ({ calls }: Site, call: Call): Call[] => calls.slice(calls.indexOf(call));

test('[TABS-4] [TABS-21] a frozen leader is deposed; once it wakes it follows', async () => {
  const device = await createBrowserDevice();
  const { site } = device;
  const { a, b } = await openTwoTabs(device, { manualTimers: ['b'] });
  const wake = await freeze(a, site);
  const mapId = await createMap(b, 'Saw');
  const synced = syncNow(b);
  await fireSilenceTimers(b);
  await synced;
  await untilMapShown(b, mapId, { pending: false });

  await wake();
  await untilMapShown(a, mapId, { name: 'Saw' });
  const calls = site.calls.length;
  await renameMap(a, mapId, 'Band saw');
  await untilMapShown(a, mapId, { name: 'Band saw', pending: false });
  await syncNow(a);
  await expectSameStatus([a, b]);
  expect(sendersOf(site.calls.slice(calls))).toEqual(['b']);
});

test('[TABS-20] what a deposed leader had on its way changes nothing when it wakes', async () => {
  const device = await createBrowserDevice();
  const { site, rest } = device;
  const { a, b } = await openTwoTabs(device, { manualTimers: ['b'] });
  const mapId = await createMap(a, 'Saw');
  await untilMapShown(a, mapId, { pending: false });
  const answers = site.hold('a', pullCall);
  const steps = [{ stage_name: 'Cut', order: 1, duration_secs: 9 }];
  const { body } = await rest.send<{ run: { id: number } }>('POST', `/maps/${mapId}/recording`, { steps });
  await answers.holds;
  const wake = await freeze(a, site);
  expect((await rest.send('POST', `/runs/${body.run.id}/delete`)).status).toBe(200);
  await fireSilenceTimers(b);
  await untilMapShown(b, mapId, { run_count: 0, stage_count: 1, pending: false });

  answers.release();
  await wake();
  await renameMap(a, mapId, 'Band saw');
  await untilMapShown(a, mapId, { name: 'Band saw', pending: false });
  await syncNow(a);
  expect([await runsShown(a, mapId), await runsShown(b, mapId)]).toEqual([[], []]);
});

const runsShown = pageVerb((mapId: string) => window.current(window.gemba.runs$(mapId)));

test('[TABS-7] pairing in a tab that follows lets the one that leads go on', async () => {
  const { site, rest, start } = await createBrowserDevice();
  const { tabs } = await start();
  const a = await tabs.open('a', { token: null });
  await untilStatusShown(a, { phase: 'blocked' });
  const b = await tabs.open('b', { token: null });
  await untilStatusShown(b, { phase: 'blocked' });
  await createMap(b, 'Saw');
  const { body } = await rest.send<PairingCode>('POST', '/auth/pairing-code', { device_kind: 'phone' });
  await pair(b, body.code);
  for (const tab of [a, b]) await untilStatusShown(tab, { phase: 'idle', pending: 0, error: null });
  expect((await rest.list<{ name: string }>('/maps')).map(({ name }) => name)).toEqual(['Saw']);
  expect(site.calls.filter(({ tab }) => tab === 'b').map(({ what }) => what)).toEqual(['POST /api/v1/auth/pair']);
});

const pair = pageVerb((code: string) => window.gemba.pair(code, 'Phone'));
