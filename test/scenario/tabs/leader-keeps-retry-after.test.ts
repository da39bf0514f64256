/** A leader without a network keeps the Retry-After of the server. */
import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '../../../client/core/clock.ts';
import { randomIds } from '../../../client/core/ids.ts';
import { Outbox } from '../../../client/outbox/outbox.ts';
import { openDeviceTables } from '../../../client/storage/device-tables.ts';
import { createLocks } from '../../../client/core/locks.ts';
import { Leader } from '../../../client/sync/tabs/leader.ts';
import { initialSnapshot } from '../../../client/sync/tabs/tab-channel.ts';
import { httpTransport } from '../../../client/sync/net/transport.ts';
import { View } from '../../../client/view/view.ts';
import { memoryStorage } from '../../device/devices.ts';
import { manualTimers } from '../../device/manual-timers.ts';

test('[TABS-17] a leader without a network keeps what is left of the time, also when the network comes and goes, and waits it out', async () => {
  const name = randomUUID();
  const timers = manualTimers();
  let nowMs = 0;
  const clock = { ...systemClock, ...timers.clock, monotonicMs: () => nowMs };
  const store = await openDeviceTables({ name, storage: memoryStorage(), clock });
  onTestFinished(() => store.close());
  const locks = createLocks(name, clock.schedule);
  const now = () => new Date().toISOString();
  const outbox = await Outbox.open({ table: store.outbox, locks, ids: randomIds, now });
  const kinds = ['map', 'run'] as const;
  const view = new View({ records: store.records, outbox, kinds });
  const fetch = () => Promise.reject(new TypeError('no answer'));
  const { schedule } = clock;
  const transport = httpTransport({
    url: 'http://127.0.0.1:9',
    fetch,
    packedPages: false,
    token: () => 'token',
    schedule,
    onTime: () => {},
  });

  const page = new EventTarget();
  const navigator = { onLine: false };
  vi.stubGlobal('window', page);
  vi.stubGlobal('navigator', navigator);
  onTestFinished(() => void vi.unstubAllGlobals());
  const become = (onLine: boolean) => {
    navigator.onLine = onLine;
    page.dispatchEvent(new Event(onLine ? 'online' : 'offline'));
  };
  const options = {
    records: store.records,
    outbox,
    view,
    transport,
    clock,
    random: Math.random,
    kinds,
    asksEffects: false,
  };
  const leader = new Leader({ ...options, onIdle: () => {} }, { ...initialSnapshot, retryAfterMs: 60_000 });
  onTestFinished(() => leader.stop());
  expect(leader.retryAfterMs).toBe(60_000);
  nowMs += 15_000;
  become(true);
  expect(timers.has(45_000)).toBe(true);
  nowMs += 5_000;
  become(false);
  expect(leader.retryAfterMs).toBe(40_000);
  become(true);
  timers.fire(40_000);
  expect(leader.retryAfterMs).toBe(0);
  become(false);
  become(true);
  expect(timers.has(40_000)).toBe(false);
});
