/** Several tabs on one database, of which one leads. */
import { expect, test } from 'vitest';
import type { FullMap } from '../../../shared/schema/map.ts';
import { createBrowserDevice } from '../device.ts';
import type { Site } from '../page.ts';
import { openTwoTabs } from '../two-tabs.ts';
import { addStages, createMap, untilMapShown, renameMap, syncNow } from '../verbs.ts';

const sendersOf = ({ calls }: Site): string[] => [...new Set(calls.map(({ tab }) => tab))];

test('[BROWSER-2] [BROWSER-5] of two tabs one alone syncs, and each shows the changes of the other at once, without the server', async () => {
  const device = await createBrowserDevice();
  const { site } = device;
  const { a, b } = await openTwoTabs(device);
  const mapId = await createMap(a, 'Saw');
  await untilMapShown(b, mapId, { name: 'Saw', pending: false });

  site.outage = true;
  await renameMap(b, mapId, 'Band saw');
  await untilMapShown(a, mapId, { name: 'Band saw', pending: true });
  await renameMap(a, mapId, 'Circular saw');
  await untilMapShown(b, mapId, { name: 'Circular saw', pending: true });
  site.outage = false;
  await syncNow(a);
  await untilMapShown(b, mapId, { name: 'Circular saw', pending: false });
  expect(sendersOf(site)).toEqual(['a']);
});

const numberedNames = (tab: string): string[] => Array.from({ length: 30 }, (_, index) => `${tab} ${index + 1}`);

for (const newsMs of [0, 100]) {
  test(`[BROWSER-6] mutations made at the same time in two tabs reach the server once each and in the order of each tab, with news between tabs ${newsMs} ms late`, async () => {
    const device = await createBrowserDevice();
    const { site, rest } = device;
    const { browser, a, b } = await openTwoTabs(device);
    if (newsMs > 0) for (const page of browser.context.pages()) await page.evaluate(delayBroadcasts, newsMs);
    const mapId = await createMap(a, 'Saw');
    await untilMapShown(b, mapId, { name: 'Saw' });

    for (const [index, stage] of numberedNames('turn').entries()) await addStages(index % 2 ? b : a, mapId, [stage]);
    await Promise.all([addStages(a, mapId, numberedNames('a')), addStages(b, mapId, numberedNames('b'))]);
    await Promise.all([a, b].map((tab) => untilMapShown(tab, mapId, { stage_count: 90, pending: false })));

    const names = (await rest.get<FullMap>(`/maps/${mapId}`)).stages.map(({ stage }) => stage);
    expect(names.slice(0, 30)).toEqual(numberedNames('turn'));
    expect(names).toHaveLength(90);
    for (const tab of ['a', 'b'])
      expect(names.filter((name) => name.startsWith(`${tab} `))).toEqual(numberedNames(tab));
    expectOneSequence(site, 91);
    expect(sendersOf(site)).toEqual(['a']);
  });
}

/** Each number was pushed once, in order and under one client id, and accepted. */
function expectOneSequence({ calls }: Site, last: number): void {
  const pushes = calls.filter(({ what }) => what === 'POST /api/v1/sync/push');
  expect(pushes.filter(({ status }) => status !== 200)).toEqual([]);
  const bodies = pushes.map(({ body }) => JSON.parse(body) as { client_id: string; mutations: { seq: number }[] });
  expect(new Set(bodies.map(({ client_id }) => client_id)).size).toBe(1);
  const seqs = bodies.flatMap(({ mutations }) => mutations.map(({ seq }) => seq));
  expect(seqs).toEqual(Array.from({ length: last }, (_, index) => index + 1));
}

/** Delays the messages of this tab to the others, like a busy device. */
function delayBroadcasts(ms: number): void {
  const { postMessage } = BroadcastChannel.prototype;
  BroadcastChannel.prototype.postMessage = function (message) {
    setTimeout(() => postMessage.call(this, message), ms);
  };
}

test('[BROWSER-7] when the leading tab is closed another goes on, with what that one had left', async () => {
  const device = await createBrowserDevice();
  const { site, rest } = device;
  const { a, b } = await openTwoTabs(device);
  site.outage = true;
  const mapId = await createMap(a, 'Saw');
  await a.close();
  site.outage = false;
  await untilMapShown(b, mapId, { name: 'Saw', pending: false });
  await rest.send('PATCH', `/maps/${mapId}`, { name: 'Band saw' });
  await untilMapShown(b, mapId, { name: 'Band saw' });
  await renameMap(b, mapId, 'Circular saw');
  await untilMapShown(b, mapId, { name: 'Circular saw', pending: false });
  expect((await rest.get<FullMap>(`/maps/${mapId}`)).name).toBe('Circular saw');
  expect(sendersOf(site)).toEqual(['a', 'b']);
});
