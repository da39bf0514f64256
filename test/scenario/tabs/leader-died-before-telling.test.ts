/** A tab does not learn of a write because the leader died before it could tell. */
import { randomUUID } from 'node:crypto';
import { filter } from 'rxjs/operators';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import type { AnyRxStorage } from '../../rx-storage.ts';
import { systemClock } from '../../../client/core/clock.ts';
import { randomIds } from '../../../client/core/ids.ts';
import { Outbox } from '../../../client/outbox/outbox.ts';
import { openDeviceTables } from '../../../client/storage/device-tables.ts';
import { Leader } from '../../../client/sync/tabs/leader.ts';
import { initialSnapshot } from '../../../client/sync/tabs/tab-channel.ts';
import { httpTransport } from '../../../client/sync/net/transport.ts';
import { View } from '../../../client/view/view.ts';
import { restClient, testServer, type TestServer } from '../../device/test-server.ts';
import { current, memoryStorage } from '../../device/devices.ts';
import { tabLocks } from '../../device/tab-locks.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.remove());

interface Tab {
  /** Whether the tab is told of the writes of others. */
  isTold: boolean;
  view: View;
  lead(): { sync(): Promise<void> };
  /** Does what a tab does when it hears of a new leader. Resolves to how often it read all records. */
  hearNewLeader(): Promise<number>;
  names(): Promise<string[]>;
}

function tabOpenerFor(token: string): () => Promise<Tab> {
  const inner = memoryStorage();
  const databaseName = randomUUID();
  const locks = tabLocks();
  return async () => {
    const id = randomUUID();
    const storage: AnyRxStorage = {
      ...inner,
      createStorageInstance: async (params) => {
        const instance = await inner.createStorageInstance({ ...params, databaseName });
        const bulkWrite = instance.bulkWrite.bind(instance);
        const heard$ = instance.changeStream().pipe(filter(({ context }) => context === id || tab.isTold));
        return Object.assign(instance, {
          bulkWrite: (writes: Parameters<typeof bulkWrite>[0]) => bulkWrite(writes, id),
          changeStream: () => heard$,
        });
      },
    };
    const clock = { ...systemClock, schedule: () => () => {} };
    const store = await openDeviceTables({ name: `tab-${id}`, storage, clock });
    onTestFinished(() => store.close());
    const { records } = store;
    const outbox = await Outbox.open({
      table: store.outbox,
      locks,
      ids: randomIds,
      now: () => new Date().toISOString(),
    });
    const kinds = ['map', 'run'] as const;
    const view = new View({ records, outbox, kinds });
    await records.refreshAll();
    const quiet: typeof fetch = (input, init) =>
      String(input).includes('sync/events') ? Promise.reject(new TypeError('no stream here')) : fetch(input, init);
    const options = {
      url: server.url,
      fetch: quiet,
      packedPages: false,
      token: () => token,
      schedule: clock.schedule,
      onTime: () => {},
    };
    const tab: Tab = {
      isTold: true,
      view,
      lead: () => {
        const transport = httpTransport(options);
        const leader = new Leader(
          { records, outbox, view, transport, clock, random: Math.random, kinds, asksEffects: false, onIdle: () => {} },
          initialSnapshot,
        );
        onTestFinished(() => leader.stop());
        return { sync: () => leader.runRound(false) };
      },
      hearNewLeader: async () => {
        const readAll = vi.spyOn(records, 'readAll');
        await records.refreshAllIfStale();
        return readAll.mock.calls.length;
      },
      names: async () => (await current(view.observed.maps$(false))).map(({ name }) => name),
    };
    return tab;
  };
}

/** A tab that missed the pull with the second name of a map, and learned of the pull after it. */
async function openTabThatMissedAPull() {
  const token = await server.newAccount();
  const rest = restClient(server.url, token);
  const { body } = await rest.send<{ id: string }>('POST', '/maps', { name: 'v1' });
  const rename = (name: string) => rest.send('PATCH', `/maps/${body.id}`, { name });
  const open = tabOpenerFor(token);
  const leading = (await open()).lead();
  await leading.sync();
  const tab = await open();
  const lead = async (begin: 'before' | 'after') => {
    const early = begin === 'before' ? tab.lead() : undefined;
    await early?.sync();
    tab.isTold = false;
    await rename('v2');
    await leading.sync();
    tab.isTold = true;
    await rest.send('POST', '/maps', { name: 'Other' });
    await leading.sync();
    expect(await tab.names()).toEqual(['Other', 'v1']);
    return early ?? tab.lead();
  };
  return { open, tab, rename, lead };
}

test('[SYNC-30] a tab that begins to lead shows what the leader before it wrote and could not tell any more', async () => {
  const { tab, lead } = await openTabThatMissedAPull();
  await (await lead('after')).sync();
  expect(await tab.names()).toEqual(['Other', 'v2']);
});

test('[SYNC-31] a pull that meets a row written elsewhere reads all rows again, and shows nothing of an earlier state', async () => {
  const { open, tab, rename, lead } = await openTabThatMissedAPull();
  const leading = await lead('before');
  await rename('v3');
  await leading.sync();
  expect(await tab.names()).toEqual(['Other', 'v3']);
  expect(await (await open()).names()).toEqual(['Other', 'v3']);
});

test('[TABS-29] a tab that hears of a new leader takes over what the one before wrote and could not tell, and reads nothing if nobody wrote', async () => {
  const token = await server.newAccount();
  const rest = restClient(server.url, token);
  const open = tabOpenerFor(token);
  const leading = (await open()).lead();
  await leading.sync();
  const tab = await open();
  expect(await tab.hearNewLeader()).toBe(0);
  await rest.send('POST', '/maps', { name: 'Told' });
  await leading.sync();
  tab.isTold = false;
  await rest.send('POST', '/maps', { name: 'Untold' });
  await leading.sync();
  expect(await tab.names()).toEqual(['Told']);
  expect(await tab.hearNewLeader()).toBe(1);
  expect(await tab.names()).toEqual(['Untold', 'Told']);
});
