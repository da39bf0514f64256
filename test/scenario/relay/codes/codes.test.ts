/** A watch shows its work as codes, phones read them, and a person types the receipt. */
import { firstValueFrom } from 'rxjs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { backUpDatabase } from '../../../../server/backup/backup.ts';
import { restoreDatabase } from '../../../../server/backup/restore.ts';
import { testServer, type TestServer } from '../../../device/test-server.ts';
import { backupTime } from '../../operations/database-folders.ts';
import { restartableServer } from '../restartable-server.ts';
import { deliver, meet, newCarryingPhone, newWatch, type CarryingPhone, type Watch } from '../watches.ts';

let server: TestServer;
beforeAll(async () => void (server = await testServer()));
afterAll(() => server.remove());

/** Lets the phone read one cycle of the watch's screen. Returns the names of what it has whole. */
async function read({ handOver }: Watch, { carrier }: CarryingPhone): Promise<string[]> {
  const shown = await handOver.showCodes();
  const reader = await carrier.readCodes();
  const names: string[] = [];
  for (const text of shown.cycle(0)) {
    const progress = await reader.add(text);
    if (progress.kind === 'whole') names.push(progress.name);
  }
  expect(names.toSorted()).toEqual(shown.names.toSorted());
  await shown.rememberHolder();
  return names;
}

async function receiptsOf(phone: CarryingPhone): Promise<string[]> {
  const waiting = () => firstValueFrom(phone.carrier.readCodes$);
  await expect.poll(async () => (await waiting()).map(({ delivered }) => delivered)).not.toContain(false);
  return (await waiting()).flatMap(({ receipt }) => (receipt === null ? [] : [receipt]));
}

const receipt = ({ handOver }: Watch, session: string) => firstValueFrom(handOver.receipt$(session));

test('[CODES-4] [CODES-5] recordings go over a screen, the receipt proves them to the person, and a pull to the watch', async () => {
  const watch = await newWatch(server);
  const phone = await newCarryingPhone(server);
  const sessions = [await watch.record('First'), await watch.record('Second')];
  expect((await watch.handOver.showCodes()).recordings).toBe(2);
  await read(watch, phone);
  expect(await watch.custody(sessions[0]!)).toEqual({ custody: 'device', carriers: 1 });
  expect(await firstValueFrom(phone.carrier.carrying$)).toMatchObject({ messages: 1 });
  expect(await firstValueFrom(phone.carrier.readCodes$)).toMatchObject([{ delivered: false, receipt: null }]);

  await deliver(phone);
  const [typed] = await receiptsOf(phone);
  expect(typed).toMatch(/^\w{4}-\w{4}$/);
  expect((await watch.runs()).map((run) => run.recording_session_id)).toEqual(sessions);
  expect(await receipt(watch, sessions[0]!)).toBeNull();
  expect(await watch.handOver.enterReceipt(typed!.toLowerCase().replace('-', ' '))).toEqual({
    kind: 'arrived',
    recordings: 2,
  });
  await watch.restart();
  for (const session of sessions) {
    expect(await receipt(watch, session)).toBe('arrived');
    expect(await watch.custody(session)).toMatchObject({ custody: 'device' });
  }
  expect(await firstValueFrom(watch.watch.status$)).toMatchObject({ pending: 2 });
  const notShown = { arrived: 2, refused: 0, tooLarge: 0, isAllSafe: false };
  expect(await watch.handOver.showCodes()).toMatchObject({ count: 0, recordings: 0, notShown });

  // A recording that comes later is shown again with the earlier ones, and nothing is doubled.
  sessions.push(await watch.record('Third'));
  await read(watch, phone);
  expect(await watch.handOver.enterReceipt((await receiptsOf(phone))[0]!)).toEqual({ kind: 'arrived', recordings: 3 });
  await meet(watch, phone);
  for (const session of sessions) expect(await watch.custody(session)).toMatchObject({ custody: 'server' });
  expect((await watch.runs()).map((run) => run.recording_session_id)).toEqual(sessions);
});

test('[CODES-6] a receipt of refused work says so, and a person reads it on a phone', async () => {
  const watch = await newWatch(server);
  const phone = await newCarryingPhone(server);
  const session = await watch.record();
  await watch.rest.send('POST', `/maps/${watch.mapId}/delete`);
  await read(watch, phone);
  await deliver(phone);
  const [typed] = await receiptsOf(phone);
  expect(await watch.handOver.enterReceipt(typed!)).toEqual({ kind: 'attention', recordings: 1 });
  expect(await receipt(watch, session)).toBe('attention');
  expect(await firstValueFrom(watch.watch.status$)).toMatchObject({ pending: 1, attention: 0 });
});

test('[CODES-12] [CODES-13] a watch that has only refused work has no codes, and does not say that all is safe', async () => {
  const watch = await newWatch(server);
  const phone = await newCarryingPhone(server);
  expect(await watch.handOver.showCodes()).toMatchObject({ count: 0, notShown: { isAllSafe: true } });
  await watch.record();
  await watch.rest.send('POST', `/maps/${watch.mapId}/delete`);
  expect((await watch.handOver.showCodes()).notShown).toMatchObject({ refused: 0, isAllSafe: false });
  await read(watch, phone);
  await deliver(phone);
  await watch.handOver.enterReceipt((await receiptsOf(phone))[0]!);
  const refused = { arrived: 0, refused: 1, tooLarge: 0, isAllSafe: false };
  expect(await watch.handOver.showCodes()).toMatchObject({ count: 0, notShown: refused });
  // A pull tells the same.
  await meet(watch, phone);
  await meet(watch, phone);
  expect(await firstValueFrom(watch.watch.status$)).toMatchObject({ pending: 0, attention: 1 });
  expect(await watch.handOver.showCodes()).toMatchObject({ count: 0, notShown: refused });
});

test('[CODES-14] a receipt of before a restore that a pull has told of proves nothing, and the work is shown anew', async () => {
  const { live, backup, server: restorable, close, reopen } = await restartableServer();
  const watch = await newWatch(restorable);
  const phone = await newCarryingPhone(restorable);
  expect(await backUpDatabase(live, backup)).toMatchObject({ ok: true });
  const [early, late] = [await watch.record('Early'), await watch.record('Late')];
  await read(watch, phone);
  await deliver(phone);
  const [typed] = await receiptsOf(phone);
  const restore = async () => {
    await close();
    expect(await restoreDatabase({ from: backup, dataDir: live, now: backupTime })).toMatchObject({ ok: true });
    await reopen();
    // A connection that the server of before kept open breaks the first request.
    await expect.poll(() => watch.runs().catch(() => ['broken'])).toHaveLength(0);
  };
  const pullAlone = async () => {
    watch.net.answers('sync/push', () => Promise.reject(new TypeError('lost')));
    watch.net.online = true;
    await watch.watch.sync();
    watch.net.online = false;
  };
  expect(await watch.handOver.enterReceipt(typed!)).toEqual({ kind: 'arrived', recordings: 2 });
  expect(await receipt(watch, early)).toBe('arrived');
  await restore();
  const told: unknown[] = [];
  const telling = watch.handOver.receipt$(late).subscribe((outcome) => told.push(outcome));
  await pullAlone();
  await expect.poll(() => told).toEqual(['arrived', null]);
  telling.unsubscribe();
  expect(await watch.handOver.enterReceipt(typed!)).toEqual({ kind: 'none_expected' });
  expect(await receipt(watch, early)).toBeNull();

  expect(await watch.handOver.showCodes()).toMatchObject({ recordings: 2, notShown: { arrived: 0 } });
  expect(await watch.handOver.enterReceipt(typed!)).toMatchObject({ kind: 'wrong' });
  await read(watch, phone);
  await deliver(phone);
  const [anew] = await receiptsOf(phone);
  expect(await watch.handOver.enterReceipt(anew!)).toEqual({ kind: 'arrived', recordings: 2 });
  expect((await watch.runs()).map((run) => run.recording_session_id)).toEqual([early, late]);
});

test('[CODES-6] five wrong receipts use up the tries of a message, also over a restart, and new work has tries of its own', async () => {
  const watch = await newWatch(server);
  const phone = await newCarryingPhone(server);
  expect(await watch.handOver.enterReceipt('0000-0000')).toEqual({ kind: 'none_expected' });
  await watch.record();
  await read(watch, phone);
  for (const triesLeft of [4, 3]) {
    expect(await watch.handOver.enterReceipt('0000-0000')).toEqual({ kind: 'wrong', triesLeft });
  }
  await watch.restart();
  for (const triesLeft of [2, 1, 0]) {
    expect(await watch.handOver.enterReceipt('0000-0000')).toEqual({ kind: 'wrong', triesLeft });
  }
  await deliver(phone);
  const [late] = await receiptsOf(phone);
  expect(await watch.handOver.enterReceipt(late!)).toEqual({ kind: 'none_expected' });
  await watch.record('Later');
  await read(watch, phone);
  expect(await watch.handOver.enterReceipt((await receiptsOf(phone))[0]!)).toEqual({ kind: 'arrived', recordings: 2 });
});

test('[CODES-4] two phones read one screen at different times, and either receipt is right', async () => {
  const watch = await newWatch(server);
  const [one, other] = [await newCarryingPhone(server), await newCarryingPhone(server)];
  await watch.record();
  await read(watch, one);
  await read(watch, other);
  await deliver(one);
  await deliver(other);
  expect(await receiptsOf(other)).toEqual(await receiptsOf(one));
  expect(await watch.runs()).toHaveLength(1);
});
