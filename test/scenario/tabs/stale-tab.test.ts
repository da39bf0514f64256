/** Two tabs of a device that have not learned of each other's writes yet. */
import { randomUUID } from 'node:crypto';
import { filter } from 'rxjs/operators';
import { expect, onTestFinished, test } from 'vitest';
import type { AnyRxStorage } from '../../rx-storage.ts';
import { systemClock, toTrustedClock, type Clock } from '../../../client/core/clock.ts';
import { randomIds } from '../../../client/core/ids.ts';
import { Lifetime } from '../../../client/core/lifetime.ts';
import { Outbox } from '../../../client/outbox/outbox.ts';
import { Recordings } from '../../../client/recording/recordings.ts';
import { storageTimeoutMs } from '../../../client/storage/storage-health.ts';
import { openDeviceTables } from '../../../client/storage/device-tables.ts';
import { WriteConflict } from '../../../client/storage/table.ts';
import { View } from '../../../client/view/view.ts';
import { problemOf } from '../../../shared/protocol/problem.ts';
import { memoryStorage } from '../../device/devices.ts';
import { manualTimers, type ManualTimers } from '../../device/manual-timers.ts';
import { tabLocks, type TabLocks } from '../../device/tab-locks.ts';

interface Tab {
  locks: TabLocks;
  outbox: Outbox;
  recordings: Recordings;
}

interface InterceptedCalls {
  timers: ManualTimers;
  /** Runs before the next write. */
  next?: (() => Promise<void>) | undefined;
  /** Runs before these rows are read. */
  look?: ((ids: string[]) => Promise<void>) | undefined;
}

/** Opens tabs on one storage that are not told of each other's writes. */
function tabsOf(hanging?: InterceptedCalls, recordingClock?: Pick<Clock, 'schedule'>) {
  const inner = memoryStorage();
  const databaseName = randomUUID();
  const locks = tabLocks();
  return async (): Promise<Tab> => {
    const tab = randomUUID();
    const storage: AnyRxStorage = {
      ...inner,
      createStorageInstance: async (params) => {
        const instance = await inner.createStorageInstance({ ...params, databaseName });
        const bulkWrite = instance.bulkWrite.bind(instance);
        const find = instance.findDocumentsById.bind(instance);
        const own$ = instance.changeStream().pipe(filter(({ context }) => context === tab));
        return Object.assign(instance, {
          findDocumentsById: async (...args: Parameters<typeof find>) => {
            await hanging?.look?.(args[0]);
            return find(...args);
          },
          bulkWrite: async (writes: Parameters<typeof bulkWrite>[0]) => {
            await hanging?.next?.();
            return bulkWrite(writes, tab);
          },
          changeStream: () => own$,
        });
      },
    };
    const schedule = hanging?.timers.clock.schedule ?? systemClock.schedule;
    const store = await openDeviceTables({ name: `tab-${tab}`, storage, clock: { ...systemClock, schedule } });
    onTestFinished(() => store.close());
    const outbox = await Outbox.open({
      table: store.outbox,
      locks,
      ids: randomIds,
      now: () => new Date().toISOString(),
    });
    const view = new View({ records: store.records, outbox, kinds: ['map', 'run'] });
    const options = {
      outbox,
      view,
      locks,
      ids: randomIds,
      clock: toTrustedClock({ ...systemClock, ...recordingClock }),
      lifetime: new Lifetime(),
      keepPhoto: () => Promise.reject(new Error('no photos')),
      requireSpace: async () => undefined,
    };
    return { locks, outbox, recordings: new Recordings({ table: store.drafts, ...options }) };
  };
}

test('[TABS-8] what one tab made anew is not made once more by another that has not heard of it', async () => {
  const open = tabsOf();
  const { outbox: first } = await open();
  await first.writer.append([{ name: 'create_map', args: { map_id: randomIds.mapId(), name: 'Saw' } }]);
  const { outbox: second } = await open();
  expect(second.entries('pending')).toEqual(first.entries('pending'));
  const taken = problemOf({ code: 'id_taken', detail: 'There is a map of this id.' });
  const pulled = {
    client: { last_seq: 1, rejections: [{ seq: 1, error: taken }] },
    epoch: 'epoch-1',
    cursor: 'cursor-1',
  };
  await first.identity.rememberSentNumber(first.device.client_id, 1);
  await first.writer.settle(() => pulled);
  await second.writer.settle(() => pulled);
  const made = (await open()).outbox.entries('pending');
  expect(made.map(({ seq, args }) => [seq, args['name']])).toEqual([[2, 'Saw']]);
});

test("[TABS-30] a tab that wakes settles nothing by the server's word of a client id that the device has left meanwhile", async () => {
  const open = tabsOf();
  const { outbox: sleeper } = await open();
  await sleeper.writer.append([{ name: 'create_map', args: { map_id: randomIds.mapId(), name: 'Saw' } }]);
  const { client_id } = sleeper.device;
  const { outbox: awake } = await open();
  await awake.sequence.resendAll(client_id);
  // The sleeper has not heard of the new client id, under which the map has number 1, too.
  expect(sleeper.device.client_id).toBe(client_id);
  const readFor: string[] = [];
  await sleeper.writer.settle(() => {
    readFor.push(sleeper.device.client_id);
    return undefined;
  });
  expect(readFor).toEqual([awake.device.client_id]);
});

test('[RECORDER-10] of two tabs that begin a recording at once, or restore one, one does', async () => {
  const open = tabsOf();
  const first = await open();
  const discarded = await first.recordings.start({ newMap: { name: 'Saw' } });
  await discarded.step({ stage_name: 'Cut' });
  await discarded.discard();
  const second = await open();
  const session = discarded.recording_session_id;
  const both = await Promise.allSettled([
    first.recordings.start({ newMap: { name: 'Drill' } }),
    second.recordings.restore(session),
    second.recordings.start({ newMap: { name: 'Press' } }),
    first.recordings.restore(session),
  ]);
  expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'rejected']);
  for (const one of both.slice(1)) expect(one).toMatchObject({ reason: { code: 'recording_under_way' } });
});

test('[RECORDER-20] [RECORDER-21] of two tabs one uploads a finish whose time is over, and none uploads a finish that was undone', async () => {
  const { clock, pass } = manualTimers();
  const open = tabsOf(undefined, clock);
  const first = await open();
  const recording = await first.recordings.start({ newMap: { name: 'Saw' } });
  await recording.step({ stage_name: 'Cut' });
  const undoMs = 10_000;
  await recording.finish({ undoMs });
  const second = await open();

  await recording.unfinish();
  const uploads = async () => (await open()).outbox.entries('pending').map(({ args }) => args['run_id']);
  await second.recordings.completeOpening();
  expect(await uploads()).toEqual([]);

  const { run_id } = await recording.finish({ undoMs });
  const third = await open();
  // The timer of the second tab, which has not heard of the undo, and then that of the first.
  pass(undoMs);
  await Promise.allSettled([third.recordings.completeOpening(), recording.finish({ undoMs })]);
  await expect.poll(uploads).toEqual([run_id]);
  // A restore takes its turn behind the move of its tab's timer.
  const session = recording.recording_session_id;
  const restores = await Promise.allSettled([first, second].map(({ recordings }) => recordings.restore(session)));
  expect(restores.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await uploads()).toEqual([run_id]);
  await expect(recording.unfinish()).rejects.toMatchObject({ code: 'recording_ended' });
});

test('[TABS-10] [TABS-24] [TABS-25] a verb that the storage does not answer is refused in time, and the other tabs go on; woken, it writes over nothing', async () => {
  const hanging: InterceptedCalls = { timers: manualTimers() };
  const open = tabsOf(hanging);
  const [{ outbox: stuck }, { outbox: well }] = [await open(), await open()];
  const map = (name: string) => [{ name: 'create_map' as const, args: { map_id: randomIds.mapId(), name } }];
  let wake = () => {};
  const hung = new Promise<void>((tell) => {
    hanging.next = () => {
      hanging.next = undefined;
      return new Promise((resolve) => {
        wake = resolve;
        tell();
      });
    };
  });
  const refused = stuck.writer.append(map('Saw')).catch((error: unknown) => error);
  await hung;
  const made = well.writer.append(map('Press'));
  hanging.timers.fire(storageTimeoutMs);
  expect(await refused).toMatchObject({ code: 'storage_timeout' });
  expect(await made).toMatchObject([{ seq: 1 }]);
  wake();
  // The storage is in memory, so the woken write ends in the next turn.
  await new Promise((resolve) => setImmediate(resolve));
  const { outbox } = await open();
  expect(outbox.entries('pending').map(({ seq, args }) => [seq, args['name']])).toEqual([[1, 'Press']]);
  expect(await stuck.writer.append(map('Drill'))).toMatchObject([{ seq: 2 }]);
});

test('[TABS-16] a tab that was robbed of the lock of the outbox writes nothing of what it decided on before', async () => {
  const hanging: InterceptedCalls = { timers: manualTimers() };
  const open = tabsOf(hanging);
  const [{ outbox: robbed, locks }, { outbox: thief }] = [await open(), await open()];
  const [made] = await robbed.writer.append([{ name: 'create_map', args: { map_id: randomIds.mapId(), name: 'Saw' } }]);
  let wake = () => {};
  const asleep = new Promise<void>((tell) => {
    hanging.look = async (ids) => {
      // This read belongs to the write; the device row was read on its own before.
      if (!ids.some((id) => id.startsWith('mutation'))) return;
      hanging.look = undefined;
      tell();
      await new Promise<void>((resolve) => (wake = resolve));
    };
  });
  const withdrawn = robbed.writer.markUnsendable(made!, problemOf({ code: 'payload_too_large', detail: 'Too large.' }));
  await asleep;
  locks.stealExclusive();
  await thief.writer.deleteReceipts();
  wake();
  await expect(withdrawn).rejects.toThrow(WriteConflict);
  expect(thief.entryWithNumber(1)).toEqual(made);
});
