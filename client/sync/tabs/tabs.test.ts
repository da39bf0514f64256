import { randomUUID } from 'node:crypto';
import { BehaviorSubject, firstValueFrom } from 'rxjs';
import { filter } from 'rxjs/operators';
import { expect, onTestFinished, test } from 'vitest';
import { manualTimers } from '../../../test/device/manual-timers.ts';
import { tabLocks, type TabLocks } from '../../../test/device/tab-locks.ts';
import { systemClock } from '../../core/clock.ts';
import { randomIds } from '../../core/ids.ts';
import { stallMsMax } from '../cycle/machine.ts';
import { tabChannel, initialSnapshot, type TabChannel, type SyncSnapshot } from './tab-channel.ts';
import { helloReplyMsMax, heartbeatIntervalMs, Tabs } from './tabs.ts';

/** A tab whose rounds begin and end when the test says so. */
interface Tab {
  tabs: Tabs;
  timers: ReturnType<typeof manualTimers>;
  leads: boolean;
  /** The rest of the wait that the server asked for. A new leader takes this time over from the previous leader. */
  retryAfterMs: number;
  /** Counts the other tabs that began to lead. */
  newLeaders: number;
  /** The time of the tab's own monotonic clock. */
  nowMs: number;
  /** One item for each round that this tab ran as leader: true if another tab asked for the round. */
  asked: boolean[];
  tell(news: Partial<SyncSnapshot>): void;
  rest(): void;
  /** Stops all messages from and to the tab, which keeps its locks. */
  freeze(): void;
}

function device() {
  const name = randomUUID();
  const locks = tabLocks();
  return { locks, open: () => openTab(name, locks) };
}

function openTab(name: string, locks: TabLocks): Tab {
  const channel = tabChannel(new BroadcastChannel(name));
  let frozen = false;
  const timers = manualTimers();
  const snapshot$ = new BehaviorSubject(initialSnapshot);
  let resting: (() => void)[] = [];
  const tab: Tab = {
    tabs: undefined as never,
    timers,
    leads: false,
    retryAfterMs: 0,
    newLeaders: 0,
    nowMs: 0,
    asked: [],
    tell: (news) => snapshot$.next({ ...snapshot$.value, ...news }),
    rest: () => {
      for (const rest of resting) rest();
      resting = [];
    },
    freeze: () => {
      frozen = true;
    },
  };
  const lead = (before: SyncSnapshot) => {
    tab.leads = true;
    tab.retryAfterMs = before.retryAfterMs ?? 0;
    snapshot$.next({ ...before, state: initialSnapshot.state });
    return {
      snapshot$,
      runRound: (isFromOtherTab: boolean) => {
        tab.asked.push(isFromOtherTab);
        return new Promise<void>((resolve) => resting.push(resolve));
      },
      get retryAfterMs() {
        return tab.retryAfterMs;
      },
      stop: () => {
        tab.leads = false;
      },
    };
  };
  const clock = { ...systemClock, ...timers.clock, monotonicMs: () => tab.nowMs };
  const mute: TabChannel = {
    post: (message) => (frozen ? undefined : channel.post(message)),
    listen: (hear) => channel.listen((message) => (frozen ? undefined : hear(message))),
    close: () => channel.close(),
  };
  const onNewLeader = () => void tab.newLeaders++;
  tab.tabs = new Tabs({ channel: mute, locks, clock, ids: randomIds, lead, onNewLeader });
  onTestFinished(() => tab.tabs.stop());
  return tab;
}

const untilShown = ({ tabs }: Tab, holds: (snapshot: SyncSnapshot) => boolean): Promise<SyncSnapshot> =>
  firstValueFrom(tabs.snapshot$.pipe(filter(holds)));

const syncedAt = '2026-01-05T10:00:00.000Z';
const isSynced = ({ lastSyncedAt }: SyncSnapshot): boolean => lastSyncedAt === syncedAt;

/** Opens two tabs: `a` leads, and `b` follows. */
function twoTabs() {
  const { locks, open } = device();
  const a = open();
  a.tell({ lastSyncedAt: syncedAt });
  return { locks, open, a, b: open() };
}

/** Lets so much time pass in the tab that it considers the leader silent and steals the lock. */
function letSilencePass({ timers }: Tab): void {
  timers.fire(stallMsMax - helloReplyMsMax);
  timers.fire(helloReplyMsMax);
}

test('[TABS-1] a follower shows what the leader tells, also what it told before that tab was opened', async () => {
  const { a, b } = twoTabs();
  expect([a.leads, b.leads]).toEqual([true, false]);
  await untilShown(b, isSynced);
  a.tell({ state: { ...initialSnapshot.state, phase: 'pushing' }, progress: { done: 1, total: 3 } });
  const snapshot = await untilShown(b, ({ state }) => state.phase === 'pushing');
  expect(snapshot).toMatchObject({ progress: { done: 1, total: 3 }, lastSyncedAt: syncedAt });
});

test("[TABS-2] a follower's sync is the leader's and resolves when that one's round rests", async () => {
  const { a, b } = twoTabs();
  let resolved = false;
  const synced = b.tabs.requestRound().then(() => (resolved = true));
  await expect.poll(() => a.asked).toEqual([true]);
  expect(resolved).toBe(false);
  a.rest();
  await synced;
  expect(b.asked).toEqual([]);
});

test("[TABS-19] when the leader goes meanwhile, it resolves when the next one's round rests", async () => {
  const { a, b, open } = twoTabs();
  const c = open();
  const synced = [b.tabs.requestRound(), c.tabs.requestRound()];
  await expect.poll(() => a.asked).toEqual([true, true]);
  a.tabs.stop();
  await expect.poll(() => b.leads).toBe(true);
  await expect.poll(() => b.asked).toEqual([false, true]);
  a.rest();
  b.rest();
  await Promise.all(synced);
});

test("[TABS-19] what the leader itself was asked for is the next one's when it is deposed", async () => {
  const { a, b } = twoTabs();
  let resolved = false;
  const synced = a.tabs.requestRound().then(() => (resolved = true));
  letSilencePass(b);
  await expect.poll(() => [a.leads, b.leads]).toEqual([false, true]);
  a.rest();
  await expect.poll(() => b.asked).toContain(true);
  expect(resolved).toBe(false);
  b.rest();
  await synced;
});

test('[TABS-2] closing lets go of who waits for a round', async () => {
  const { a, b } = twoTabs();
  const synced = [a.tabs.requestRound(), b.tabs.requestRound()];
  b.tabs.stop();
  a.tabs.stop();
  await Promise.all(synced);
  expect([...a.asked, ...b.asked]).toEqual([false]);
  await b.tabs.requestRound();
});

test('[TABS-4] [TABS-21] a leader that is silent is deposed, what it told goes on, and it follows once it wakes', async () => {
  const { a, b, open } = twoTabs();
  await untilShown(b, isSynced);
  a.freeze();
  letSilencePass(b);
  expect([a.leads, b.leads]).toEqual([false, true]);
  expect(await firstValueFrom(b.tabs.snapshot$)).toMatchObject({ lastSyncedAt: syncedAt });
  const c = open();
  await untilShown(c, isSynced);
  b.tabs.stop();
  await expect.poll(() => a.leads).toBe(true);
});

test('[TABS-4] a leader that answers is none that is silent, and neither is one whose heart beats', async () => {
  const { a, b } = twoTabs();
  await untilShown(b, isSynced);
  b.timers.fire(stallMsMax - helloReplyMsMax);
  await expect.poll(() => b.timers.has(helloReplyMsMax)).toBe(false);
  b.timers.fire(stallMsMax - helloReplyMsMax);
  expect(b.timers.has(helloReplyMsMax)).toBe(true);
  a.timers.fire(heartbeatIntervalMs);
  await expect.poll(() => b.timers.has(helloReplyMsMax)).toBe(false);
  expect([a.leads, b.leads]).toEqual([true, false]);
});

test('[TABS-4] while a deposed one does not know it yet, the others are told last by the one that leads', async () => {
  const { locks, a, b, open } = twoTabs();
  const c = open();
  await untilShown(c, isSynced);
  locks.delayLoss = true;
  letSilencePass(b);
  expect([a.leads, b.leads]).toEqual([true, true]);
  b.tell({ lastSyncedAt: '2026-01-05T11:00:00.000Z' });
  await untilShown(c, ({ lastSyncedAt }) => lastSyncedAt !== syncedAt);
  a.tell({ lastSyncedAt: 'stale' });
  await untilShown(c, ({ lastSyncedAt }) => lastSyncedAt === 'stale');
  await untilShown(c, ({ lastSyncedAt }) => lastSyncedAt === '2026-01-05T11:00:00.000Z');
  locks.delayLoss = false;
  expect([a.leads, b.leads]).toEqual([false, true]);
});

test('[TABS-6] [TABS-22] a leader whose sync stood still twice lets another tab lead, and one that is alone goes on', async () => {
  const { a, b } = twoTabs();
  const stalled = (stalls: number) => ({ state: { ...initialSnapshot.state, phase: 'pushing' as const, stalls } });
  a.tell(stalled(1));
  expect([a.leads, b.leads]).toEqual([true, false]);
  a.tell(stalled(2));
  await expect.poll(() => [a.leads, b.leads]).toEqual([false, true]);
  a.tabs.stop();
  b.tell(stalled(2));
  await expect.poll(() => b.leads).toBe(true);
});

test('[SYNC-22] [TABS-23] of the time that the server wants to be left alone the next leader keeps what is left, whatever their clocks show', async () => {
  const { a, b, open } = twoTabs();
  const c = open();
  await untilShown(c, isSynced);
  b.nowMs = 777_000;
  a.retryAfterMs = 60_000;
  a.tell({ lastSyncedAt: 'waits' });
  for (const tab of [b, c]) await untilShown(tab, ({ lastSyncedAt }) => lastSyncedAt === 'waits');
  b.nowMs += 15_000;
  a.freeze();
  a.tabs.stop();
  await expect.poll(() => b.leads).toBe(true);
  expect(b.retryAfterMs).toBe(45_000);
  b.retryAfterMs = 0;
  b.tell({ lastSyncedAt: 'is served again' });
  await untilShown(c, ({ lastSyncedAt }) => lastSyncedAt === 'is served again');
  b.tabs.stop();
  await expect.poll(() => c.leads).toBe(true);
  expect(c.retryAfterMs).toBe(0);
});

test('[TABS-29] a tab hears of each leader after the first, and a leader not of itself', async () => {
  const { open, a, b } = twoTabs();
  const c = open();
  await untilShown(c, isSynced);
  const before = [b.newLeaders, c.newLeaders];
  a.tabs.stop();
  await expect.poll(() => c.newLeaders).toBe(before[1]! + 1);
  expect([b.leads, b.newLeaders]).toEqual([true, before[0]]);
});
