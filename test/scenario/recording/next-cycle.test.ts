/** Successive cycles of one process, each in a recording of its own, with restarts and full disks in between. */
import { expect, onTestFinished, test } from 'vitest';
import type { AnyRxStorage } from '../../rx-storage.ts';
import { current, device, eventually, memoryStorage, network } from '../../device/devices.ts';
import { manualTimers } from '../../device/manual-timers.ts';
import { testServer } from '../../device/test-server.ts';
import { namesOf, offline, recordingPhone, runStepsOf, step, underWay } from './recording-phone.ts';

const undoMs = 10_000;

test('[RECORDER-30] the next cycle begins where the one before ends, in one write', async () => {
  const options = { name: 'device-cycling', storage: memoryStorage() };
  const { phone, recording, clock, passSecs } = await recordingPhone(options);
  passSecs(5);
  const emitted: (string | undefined)[] = [];
  const subscription = phone.recording$.subscribe((one) => emitted.push(one?.recording_session_id));
  onTestFinished(() => subscription.unsubscribe());
  const { finished, recording: next } = await recording.nextCycle(step('Load'), { undoMs });
  expect([...new Set(emitted)]).toEqual([finished.recording_session_id, next.recording_session_id]);
  passSecs(8);
  expect(await underWay(phone)).toMatchObject({ map_id: finished.map_id, new_map_name: null, steps: [step('Load')] });
  await expect(recording.step(step('Press'))).rejects.toMatchObject({ code: 'recording_ended' });
  await expect(recording.unfinish()).rejects.toMatchObject({ code: 'recording_under_way' });
  const other = phone.startRecording({ newMap: { name: 'Drill' } });
  await expect(other).rejects.toMatchObject({ code: 'recording_under_way' });
  await phone.close();
  const again = await device({ ...offline, ...options, clock });
  expect(await runStepsOf(again, finished.run_id)).toEqual([
    ['Load', 10],
    ['Press', 20],
    ['Pack', 5],
  ]);
  const first = await current(again.run$(finished.run_id));
  const second = await current(again.run$((await (await underWay(again)).finish()).run_id));
  expect(Date.parse(second!.started_at!) - Date.parse(first!.started_at!)).toBe(35_000);
  expect(second).toMatchObject({ number: 2, steps: [{ stage_name: 'Load', duration_secs: 8 }] });
});

test('[RECORDER-30] a next cycle is one write, and if that fails the recording is as it was', async () => {
  const storage = memoryStorage();
  let isBroken = false;
  const rowCounts: number[] = [];
  const watched: typeof storage = {
    ...storage,
    createStorageInstance: async (params) => {
      const instance = await storage.createStorageInstance(params);
      const write = instance.bulkWrite.bind(instance);
      instance.bulkWrite = (rows, context) => {
        if (isBroken) return Promise.reject(new Error('the disk is broken'));
        rowCounts.push(rows.length);
        return write(rows, context);
      };
      return instance;
    },
  };
  const { phone, recording } = await recordingPhone({ storage: watched });
  const invalid = { code: 'validation_failed' };
  await expect(recording.nextCycle(step(''))).rejects.toMatchObject(invalid);
  await expect(recording.nextCycle(step('Load'), { undoMs: -1 })).rejects.toMatchObject(invalid);
  isBroken = true;
  await expect(recording.nextCycle(step('Load'), { undoMs })).rejects.toThrow('the disk is broken');
  expect((await underWay(phone)).steps).toHaveLength(3);
  isBroken = false;
  rowCounts.length = 0;
  await recording.nextCycle(step('Load'), { undoMs });
  await (await underWay(phone)).step(step('Press'));
  expect(rowCounts).toEqual([3, 1]);
  expect((await underWay(phone)).steps).toHaveLength(2);
  await (await underWay(phone)).discard();
  const none = await phone.startRecording({ newMap: { name: 'Drill' } });
  await expect(none.nextCycle(step('Load'))).rejects.toMatchObject({ code: 'recording_empty' });
});

test('[RECORDER-31] undo returns to the cycle before, until that is uploaded', async () => {
  const { phone, recording, passSecs, fire } = await recordingPhone();
  passSecs(5);
  const { recording: mistaken } = await recording.nextCycle(step('Load'), { undoMs });
  passSecs(3);
  await mistaken.note('Crane');
  expect(mistaken.undoes).toEqual({ kind: 'cycle', stage_name: 'Load' });
  await mistaken.undo();
  await mistaken.undo();
  const back = await underWay(phone);
  expect(back.recording_session_id).toBe(recording.recording_session_id);
  expect(await current(phone.discardedRecordings$)).toEqual([]);
  await expect(mistaken.step(step('Press'))).rejects.toMatchObject({ code: 'tap_refused' });
  await expect(phone.restoreRecording(mistaken.recording_session_id)).rejects.toThrow();
  passSecs(2);
  const { finished, recording: next } = await back.nextCycle(step('Load'), { undoMs });
  fire(undoMs);
  await eventually(phone.runs$(finished.map_id), (runs) => runs.length === 1);
  expect((await runStepsOf(phone, finished.run_id))?.at(-1)).toEqual(['Pack', 10]);
  await eventually(phone.recording$, (one) => one?.undoes === null);
  await expect(next.undo()).rejects.toMatchObject({ code: 'tap_refused', message: /saved already/ });
  expect((await underWay(phone)).steps).toHaveLength(1);
});

test('[RECORDER-43] the finish of a cycle is not undone once a later cycle is finished, too', async () => {
  const { phone, recording, passSecs, fire } = await recordingPhone();
  passSecs(5);
  const { finished, recording: second } = await recording.nextCycle(step('Load'), { undoMs });
  passSecs(5);
  const last = await second.finish({ undoMs });
  await expect(recording.unfinish()).rejects.toMatchObject({ code: 'recording_ended' });
  await second.unfinish();
  await expect(recording.unfinish()).rejects.toMatchObject({ code: 'recording_under_way' });
  const again = await second.finish({ undoMs });
  fire(undoMs);
  fire(undoMs);
  const runs = await eventually(phone.runs$(finished.map_id), ({ length }) => length === 2);
  expect(runs.map(({ id, number }) => [number, id])).toEqual([
    [2, again.run_id],
    [1, finished.run_id],
  ]);
  expect(last.map_id).toBe(finished.map_id);
});

test('[RECORDER-32] cycles become runs in their order, each once, and the first of them makes the map', async () => {
  const server = await testServer();
  onTestFinished(() => server.remove());
  const { phone, recording, passSecs } = await recordingPhone({
    url: server.url,
    token: await server.newAccount(),
    fetch: network().fetch,
  });
  let going = recording;
  for (let cycle = 0; cycle < 3; cycle++) {
    passSecs(5);
    ({ recording: going } = await going.nextCycle(step('Load'), { stages: 'merge', undoMs }));
    await going.step(step('Press'));
  }
  passSecs(6);
  const { map_id } = await going.finish({ stages: 'merge' });
  await phone.sync();
  await eventually(phone.status$, ({ pending }) => pending === 0);
  const runs = await current(phone.runs$(map_id));
  expect(runs.map(({ number, step_count }) => [number, step_count])).toEqual([
    [4, 2],
    [3, 2],
    [2, 2],
    [1, 3],
  ]);
  expect(await current(phone.attention$)).toEqual([]);
  expect(await namesOf(phone, map_id)).toEqual(['Load', 'Press', 'Pack']);
});

/** A storage whose outbox takes no row while `disk.isFull`. */
function storageWithFullOutbox(): { storage: AnyRxStorage; disk: { isFull: boolean } } {
  const inner = memoryStorage();
  const disk = { isFull: false };
  const createStorageInstance: typeof inner.createStorageInstance = async (params) => {
    const instance = await inner.createStorageInstance(params);
    const write = instance.bulkWrite.bind(instance);
    const noRoom = new DOMException('no room', 'QuotaExceededError');
    const isOutbox = params.collectionName === 'outbox';
    instance.bulkWrite = (rows, context) => (disk.isFull && isOutbox ? Promise.reject(noRoom) : write(rows, context));
    return instance;
  };
  return { storage: { ...inner, createStorageInstance }, disk };
}

test('[RECORDER-32] a cycle that found no room goes first once there is room', async () => {
  const { storage, disk } = storageWithFullOutbox();
  const { phone, recording } = await recordingPhone({ storage });
  disk.isFull = true;
  const { finished, recording: next } = await recording.nextCycle(step('Load'));
  expect((await underWay(phone)).recording_session_id).toBe(next.recording_session_id);
  await next.step(step('Press'));
  await expect(next.finish()).rejects.toMatchObject({ code: 'storage_full' });
  disk.isFull = false;
  const second = await next.finish();
  const runs = await current(phone.runs$(finished.map_id));
  expect(runs.map(({ id, number }) => [number, id])).toEqual([
    [2, second.run_id],
    [1, finished.run_id],
  ]);
});

test('[RECORDER-45] of cycles that found no room the last one is shown again, and its finish moves all of them', async () => {
  const { storage, disk } = storageWithFullOutbox();
  const { phone, recording, fire } = await recordingPhone({ storage });
  disk.isFull = true;
  const { finished, recording: second } = await recording.nextCycle(step('Load'), { undoMs });
  const last = await second.finish({ undoMs });
  fire(undoMs);
  fire(undoMs);
  await eventually(phone.recording$, (shown) => shown?.recording_session_id === second.recording_session_id);
  disk.isFull = false;
  await second.finish({ undoMs });
  expect(await current(phone.recording$)).toBeNull();
  const runs = await current(phone.runs$(finished.map_id));
  expect(runs.map(({ id, number }) => [number, id])).toEqual([
    [2, last.run_id],
    [1, finished.run_id],
  ]);
});

test('[RECORDER-37] a cycle shows the map that an earlier cycle makes, also after a reload, until it is there', async () => {
  const options = { name: 'device-making', storage: memoryStorage() };
  const { phone, recording, clock, passSecs } = await recordingPhone(options);
  expect(recording.map_being_made).toBeNull();
  passSecs(5);
  const { finished, recording: second } = await recording.nextCycle(step('Load'), { undoMs });
  await second.step(step('Press'));
  await second.nextCycle(step('Load'), { undoMs });
  await phone.close();
  const timers = manualTimers();
  const again = await device({ ...offline, ...options, clock: { ...clock, ...timers.clock, bootId: 'reloaded' } });
  const { map_being_made } = await underWay(again);
  expect(map_being_made?.name).toBe('Saw');
  expect(map_being_made?.steps.map(({ stage_name, duration_secs }) => [stage_name, duration_secs])).toEqual([
    ['Load', 10],
    ['Press', 20],
    ['Pack', 5],
  ]);
  timers.fire(undoMs);
  await eventually(again.recording$, (one) => one?.map_being_made === null);
  expect(await namesOf(again, finished.map_id)).toEqual(['Load', 'Press', 'Pack']);
});
