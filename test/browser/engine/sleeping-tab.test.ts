/** Tabs that sleep while another tab writes. */
import { expect, test } from 'vitest';
import { lockCheckIntervalMs } from '../../../client/core/locks.ts';
import type { FullMap } from '../../../shared/schema/map.ts';
import { createBrowserDevice } from '../device.ts';
import { freeze } from '../freeze.ts';
import { pageVerb } from '../in-page.ts';
import { addStages, createMap, fire, untilMapShown, renameMap, syncNow } from '../verbs.ts';
import { openTwoTabs } from '../two-tabs.ts';

const pushCall = 'POST /api/v1/sync/push';

const numberedNames = (tab: string): string[] => Array.from({ length: 20 }, (_, index) => `${tab} ${index + 1}`);

test('[TABS-5] a tab that slept while another made mutations gives none of their numbers again', async () => {
  const device = await createBrowserDevice();
  const { site, rest } = device;
  const { tabs, a } = await openTwoTabs(device, { manualTimers: ['b'] });
  const c = await tabs.open('c');
  const mapId = await createMap(a, 'Saw');
  await untilMapShown(c, mapId, { name: 'Saw' });
  await addStagesOnWake(c, mapId, numberedNames('c'));
  const wake = await freeze(c, site);
  await holdBroadcasts(a);
  await addStages(a, mapId, numberedNames('a'));
  await untilMapShown(a, mapId, { stage_count: 20, pending: false });
  await wake();
  await untilStagesAdded(c);
  await releaseBroadcasts(a);
  for (const tab of [a, c]) await untilMapShown(tab, mapId, { stage_count: 40, pending: false });

  const names = (await rest.get<FullMap>(`/maps/${mapId}`)).stages.map(({ stage }) => stage);
  expect(names).toEqual([...numberedNames('a'), ...numberedNames('c')]);
  const seqs = site.calls
    .filter(({ what }) => what === pushCall)
    .flatMap(({ body }) => (JSON.parse(body) as { mutations: { seq: number }[] }).mutations.map(({ seq }) => seq));
  expect(seqs).toEqual(Array.from({ length: 41 }, (_, index) => index + 1));
});

/** Makes the tab write as soon as it wakes, before it has read any message of the other tabs. */
const addStagesOnWake = pageVerb((mapId: string, stages: string[]) => {
  window.onWake = () => {
    window.added = Promise.all(stages.map((stage) => window.gemba.addStage(mapId, { stage })));
  };
});

const untilStagesAdded = pageVerb(async () => void (await window.added));

declare global {
  interface Window {
    added: Promise<unknown>;
    releaseBroadcasts: () => void;
  }
}

/** Delays the messages of this tab to the others, like a busy device. */
const holdBroadcasts = pageVerb(() => {
  const { postMessage } = BroadcastChannel.prototype;
  const held: (() => void)[] = [];
  BroadcastChannel.prototype.postMessage = function (message) {
    held.push(() => postMessage.call(this, message));
  };
  window.releaseBroadcasts = () => {
    BroadcastChannel.prototype.postMessage = postMessage;
    for (const post of held) post();
  };
});

const releaseBroadcasts = pageVerb(() => window.releaseBroadcasts());

test('[TABS-15] [TABS-26] a tab that froze with the lock of the outbox is robbed of it, and writes nothing of that when it wakes', async () => {
  const device = await createBrowserDevice();
  const { site, rest } = device;
  const { a, b } = await openTwoTabs(device, { manualTimers: ['a', 'b'] });
  const asleep = site.sleeper();
  const begun = createMapAndSleep(a, asleep.path, 'Saw');
  await asleep.holds;
  const made = createMap(b, 'Press');
  for (let look = 0; look < 2; look++) {
    await expect.poll(() => fire(b, lockCheckIntervalMs).then(...outcomes)).toBe('fulfilled');
  }
  const mapId = await made;

  asleep.release();
  await begun;
  expect(await outcomeOf(a)).toBe('rejected');
  await untilMapShown(a, mapId, { name: 'Press' });
  await renameMap(a, mapId, 'Big press');
  await syncNow(a);
  expect((await rest.list<{ name: string }>('/maps')).map(({ name }) => name)).toEqual(['Big press']);
});

const outcomes = [() => 'fulfilled', () => 'rejected'] as const;

/** Puts the tab to sleep after it decided what to write and before it opens the transaction. */
const createMapAndSleep = pageVerb((path: string, name: string) => {
  const { transaction } = IDBDatabase.prototype;
  IDBDatabase.prototype.transaction = function (stores, mode, options) {
    if (mode === 'readwrite' && this.name.includes('outbox')) {
      IDBDatabase.prototype.transaction = transaction;
      const request = new XMLHttpRequest();
      request.open('GET', path, false);
      request.send();
    }
    return transaction.call(this, stores, mode, options);
  };
  window.added = window.gemba.createMap({ name });
  window.added.catch(() => {});
});

const outcomeOf = pageVerb(() =>
  window.added.then(
    () => 'fulfilled',
    () => 'rejected',
  ),
);
