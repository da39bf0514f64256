/** The work of a watch that hands over, when answers are stale and tokens or databases change. */
import { backUpDatabase } from '../../../server/backup/backup.ts';
import { restoreDatabase } from '../../../server/backup/restore.ts';
import { openDeviceTables } from '../../../client/storage/device-tables.ts';
import { deviceRowId, type DeviceBody } from '../../../client/storage/rows.ts';
import { pullLimitMax } from '../../../shared/schema/limits.ts';
import { firstValueFrom } from 'rxjs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testServer, type TestServer } from '../../device/test-server.ts';
import { backupTime } from '../operations/database-folders.ts';
import { channelKinds, cutAfter } from './channels.ts';
import { restartableServer } from './restartable-server.ts';
import { deliver, meet, newCarryingPhone, newWatch, type Watch } from './watches.ts';

let server: TestServer;
beforeAll(async () => void (server = await testServer()));
afterAll(() => server.remove());

async function deviceOf(watch: Watch): Promise<DeviceBody | undefined> {
  await watch.watch.close();
  const { name, storage } = watch.options;
  const clock = { schedule: () => () => {}, wallMs: Date.now };
  const tables = await openDeviceTables({ name: name!, storage, clock });
  const body = await tables.outbox.refresh(deviceRowId);
  await tables.close();
  await watch.restart();
  return body?.kind === 'device' ? body : undefined;
}

test('[RELAY-38] the answer to an earlier hand-over renumbers nothing, whichever carrier is first', async () => {
  const watch = await newWatch(server);
  const [slow, fast] = [await newCarryingPhone(server), await newCarryingPhone(server)];
  const before = await deviceOf(watch);
  const sessions = [await watch.record('One')];
  await meet(watch, slow);
  sessions.push(await watch.record('Two'));
  await meet(watch, fast);
  fast.net.online = true;
  await meet(watch, fast);
  sessions.push(await watch.record('Three'));
  slow.net.online = true;
  // The server has 2 and refuses what says that 1 is the last: an answer that is 1 push and 1 pull late.
  expect(await meet(watch, slow)).toMatchObject({ given: 2, answered: 4 });
  for (const session of sessions) expect(await watch.custody(session)).toEqual({ custody: 'server', carriers: 0 });
  expect((await watch.runs()).map((run) => run.recording_session_id)).toEqual(sessions);
  expect((await deviceOf(watch))?.client_id).toBe(before?.client_id);
});

test('[RELAY-38] a late copy of the first of two pushes does not make the device start a new sequence', async () => {
  const watch = await newWatch(server);
  const [fast, slow] = [await newCarryingPhone(server), await newCarryingPhone(server)];
  const before = await deviceOf(watch);
  // One push takes 1,000 mutations.
  for (let count = 0; count < 1_001; count++) await watch.watch.updateMap(watch.mapId, { name: `Name ${count}` });
  const session = await watch.record();
  expect(await meet(watch, fast)).toMatchObject({ given: 3 });
  await meet(watch, slow);
  await deliver(fast);
  // The recording is in the second push.
  await expect.poll(async () => (await watch.runs()).length).toBe(1);
  await deliver(slow);
  const meetAgain = async () => {
    await meet(watch, slow);
    return (await watch.custody(session)).custody;
  };
  await expect.poll(meetAgain).toBe('server');
  expect((await deviceOf(watch))?.client_id).toBe(before?.client_id);
});

test('[RELAY-38] a second push that comes without the first does not make the device start a new sequence', async () => {
  const watch = await newWatch(server);
  const phone = await newCarryingPhone(server);
  const before = await deviceOf(watch);
  for (let count = 0; count < 1_001; count++) await watch.watch.updateMap(watch.mapId, { name: `Name ${count}` });
  const session = await watch.record();
  expect(await meet(watch, phone)).toMatchObject({ given: 3 });
  let isFirst = true;
  phone.net.answers('relay', (ask) => {
    if (!isFirst) return ask();
    isFirst = false;
    return new Response(JSON.stringify({ code: 'relay_malformed' }), { status: 400 });
  });
  await deliver(phone);
  const meetAgain = async () => {
    await meet(watch, phone);
    return (await watch.custody(session)).custody;
  };
  await expect.poll(meetAgain).toBe('server');
  expect((await deviceOf(watch))?.client_id).toBe(before?.client_id);
});

test('[RELAY-38] an answer that comes after the device went on over a network renumbers nothing', async () => {
  const watch = await newWatch(server);
  const phone = await newCarryingPhone(server);
  const before = await deviceOf(watch);
  const sessions = [await watch.record('One')];
  // The server has 2 by the network when the push that offers 1 arrives, and refuses it.
  const pushedByNetwork = async () => {
    watch.net.online = true;
    sessions.push(await watch.record('Two'));
    await watch.watch.sync();
    watch.net.online = false;
  };
  let pushed: Promise<void> | undefined;
  phone.net.answers('relay', async (ask) => {
    await (pushed ??= pushedByNetwork());
    return ask();
  });
  phone.net.online = true;
  expect(await meet(watch, phone)).toMatchObject({ ended: 'done' });
  for (const session of sessions) expect(await watch.custody(session)).toMatchObject({ custody: 'server' });
  expect((await watch.runs()).map((run) => run.recording_session_id)).toEqual(sessions);
  expect((await deviceOf(watch))?.client_id).toBe(before?.client_id);
});

test('[RELAY-60] a number that a carrier may bring counts as sent, even if the channel breaks at once', async () => {
  const watch = await newWatch(server);
  const phone = await newCarryingPhone(server);
  // The push of the first fails, and the second waits for its retry.
  for (const name of ['One', 'Two']) await watch.record(name);
  expect(await meet(watch, phone, cutAfter(channelKinds['Node streams']!(), 400))).toMatchObject({ ended: 'lost' });
  const row = await deviceOf(watch);
  expect(row?.last_seq).toBeGreaterThanOrEqual(2);
  expect(row?.offered_seq).toBe(row?.last_seq);
});

test('[RELAY-39] a recording that was under way for two days keeps its start', async () => {
  const twoDaysMs = 2 * 24 * 3_600_000;
  const clock = { schedule: () => () => {}, wallMs: () => Date.now() - twoDaysMs };
  const watch = await newWatch(server, { clock });
  const phone = await newCarryingPhone(server);
  const earliest = clock.wallMs();
  await watch.record();
  const latest = clock.wallMs();
  phone.net.online = true;
  await meet(watch, phone);
  const [run] = await watch.runs();
  // The server keeps whole seconds.
  expect(Date.parse(run!.started_at)).toBeGreaterThanOrEqual(earliest - 1_000);
  expect(Date.parse(run!.started_at)).toBeLessThanOrEqual(latest);
});

test('[RELAY-40] the work of a revoked watch stays on it, can be exported, and is handed over once it is paired again', async () => {
  const watch = await newWatch(server);
  const phone = await newCarryingPhone(server);
  const first = await watch.record('Before');
  phone.net.online = true;
  await meet(watch, phone);
  const session = await watch.record('After');
  const { device_id } = (await deviceOf(watch))!;
  const revoked = await watch.rest.send('POST', `/devices/${device_id}/revoke`);
  expect(revoked.status).toBeLessThan(300);
  await meet(watch, phone);
  expect(await firstValueFrom(watch.handOver.handOverProblem$)).toMatchObject({ code: 'unauthorized' });
  expect(await watch.custody(session)).toMatchObject({ custody: 'device' });
  await watch.restart();
  expect(await firstValueFrom(watch.handOver.handOverProblem$)).toMatchObject({ code: 'unauthorized' });
  expect(JSON.stringify(await watch.watch.exportUnsent())).toContain(session);

  const { body } = await watch.rest.send<{ code: string }>('POST', '/auth/pairing-code', { device_kind: 'wearable' });
  for (const path of ['sync/push', 'sync/pull']) watch.net.answers(path, () => Promise.reject(new TypeError('lost')));
  watch.net.online = true;
  await watch.watch.pair(body.code, 'Watch');
  watch.net.online = false;
  for (let meetings = 0; meetings < 3; meetings++) await meet(watch, phone);
  expect(await firstValueFrom(watch.handOver.handOverProblem$)).toBeNull();
  expect(await watch.custody(session)).toMatchObject({ custody: 'server' });
  expect((await watch.runs()).map((run) => run.recording_session_id)).toEqual([first, session]);
});

test('[RELAY-41] a server that was restored to an earlier state gets the lost recordings again, by carriers alone', async () => {
  const { live, backup, server: restorable, close, reopen } = await restartableServer();
  const watch = await newWatch(restorable);
  const phone = await newCarryingPhone(restorable);
  phone.net.online = true;
  const sessions = [await watch.record('Before')];
  await meet(watch, phone);
  expect(await backUpDatabase(live, backup)).toMatchObject({ ok: true });
  sessions.push(await watch.record('Lost'));
  await meet(watch, phone);
  expect(await watch.custody(sessions[1]!)).toMatchObject({ custody: 'server' });

  await close();
  expect(await restoreDatabase({ from: backup, dataDir: live, now: backupTime })).toMatchObject({ ok: true });
  await reopen();
  // A connection that the server of before kept open breaks the first request.
  await expect.poll(() => watch.runs().catch(() => [])).toHaveLength(1);
  sessions.push(await watch.record('After'));
  for (let meetings = 0; meetings < 3; meetings++) await meet(watch, phone);
  for (const session of sessions) expect(await watch.custody(session)).toMatchObject({ custody: 'server' });
  expect((await watch.runs()).map((run) => run.recording_session_id).toSorted()).toEqual(sessions.toSorted());
});

test('[RELAY-42] a pull of several pages is applied when all of its pages are here', async () => {
  const watch = await newWatch(server);
  const phone = await newCarryingPhone(server);
  const names = Array.from({ length: pullLimitMax + 1 }, (_, index) => `Map ${index}`);
  for (const name of names) await watch.rest.send('POST', '/maps', { name });
  const session = await watch.record();
  const counts = new Set<number>();
  const counting = watch.watch.maps$.subscribe((maps) => counts.add(maps.length));
  phone.net.online = true;
  await meet(watch, phone);
  counting.unsubscribe();
  expect([...counts]).toEqual([1, pullLimitMax + 2]);
  expect(await watch.custody(session)).toMatchObject({ custody: 'server' });
});
