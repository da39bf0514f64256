/** Both sides of a meeting tell how far it is. */
import { BehaviorSubject } from 'rxjs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CarryProgress, HandOverProgress } from '../../../client/client.ts';
import { backUpDatabase } from '../../../server/backup/backup.ts';
import { restoreDatabase } from '../../../server/backup/restore.ts';
import { backupTime } from '../operations/database-folders.ts';
import { eventually } from '../../device/devices.ts';
import { testServer, type TestServer } from '../../device/test-server.ts';
import { channelKinds, cutAfter, type ChannelPair } from './channels.ts';
import { MeetingCount } from '../../../client/hand-over/meeting.ts';
import type { SealedMessage } from '../../../client/hand-over/sealed-messages.ts';
import { mutationPayload, type PendingEntry, type RefusedEntry } from '../../../client/outbox/model/entry.ts';
import { toPendingEntry } from '../../../client/outbox/model/sequence/numbering.ts';
import { problemOf } from '../../../shared/protocol/problem.ts';
import { restartableServer } from './restartable-server.ts';
import { deliver, newCarryingPhone, newWatch, type CarryingPhone, type Watch } from './watches.ts';

let server: TestServer;
beforeAll(async () => void (server = await testServer()));
afterAll(() => server.remove());

const newPair = () => channelKinds['Node streams']!();

/** Returns what both sides told, and how the meeting ended for each. */
async function meet({ handOver }: Watch, { carrier }: CarryingPhone, { near, far }: ChannelPair = newPair()) {
  const gave: HandOverProgress[] = [];
  const took: CarryProgress[] = [];
  const [given, taken] = await Promise.all([
    handOver.handOver(far, { onProgress: (progress) => gave.push(progress) }),
    carrier.carry(near, { onProgress: (progress) => took.push(progress) }),
  ]);
  return { gave, took, given, taken };
}

test('[APP-571] a device counts recordings and bytes as the carrier stores them, and what a pull proves', async () => {
  const watch = await newWatch(server);
  const phone = await newCarryingPhone(server);
  await watch.record('One');
  await watch.record('Two');
  await watch.watch.updateMap(watch.mapId, { name: 'Welding' });
  const preview = await watch.handOver.previewHandOver();
  expect(preview).toMatchObject({ recordings: 2, changes: 1, givenRecordings: 0, givenBytes: 0, isSettled: false });

  const first = await meet(watch, phone);
  expect(first.gave[0]).toEqual(preview);
  expect(first.gave.at(-1)).toEqual({ ...preview, givenRecordings: 2, givenBytes: preview.bytes });
  expect(first.took.at(-1)).toEqual({ bytes: preview.bytes, messages: 2, answered: 0 });
  expect(first.taken).toEqual({ ended: 'done' });

  phone.net.online = true;
  const second = await meet(watch, phone);
  expect(second.gave.at(-1)).toMatchObject({ recordings: 2, givenRecordings: 2, safeRecordings: 2, isSettled: true });
  expect(second.took.at(-1)).toMatchObject({ messages: 2, answered: 2 });
  for (const gave of [first.gave, second.gave]) {
    const bytes = gave.map(({ givenBytes }) => givenBytes);
    expect(bytes).toEqual(bytes.toSorted((a, b) => a - b));
  }
  expect(await watch.handOver.previewHandOver()).toMatchObject({ recordings: 0, changes: 0, isSettled: true });
});

test('[APP-571] an answer to a message of an earlier meeting is none to those of this one', async () => {
  const watch = await newWatch(server);
  const phone = await newCarryingPhone(server);
  const delivered$ = new BehaviorSubject(0);
  phone.net.answers('relay', async (ask) => {
    const answer = await ask();
    delivered$.next(delivered$.value + 1);
    return answer;
  });
  await watch.record('One');
  const { took: before } = await meet(watch, phone);
  await deliver(phone);
  await eventually(delivered$, (count) => count === before.at(-1)!.messages);
  phone.net.online = false;

  await watch.record('Two');
  const { took } = await meet(watch, phone);
  expect(took.at(-1)!.messages).toBeGreaterThan(0);
  expect(took.at(-1)).toMatchObject({ answered: 0 });
});

test('[APP-571] a channel that breaks counts what the carrier has, and no recording whose message is not whole', async () => {
  const watch = await newWatch(server);
  const phone = await newCarryingPhone(server);
  await watch.record();
  const { gave, given, taken } = await meet(watch, phone, cutAfter(newPair(), 700));
  expect([given.ended, taken.ended]).toEqual(['lost', 'lost']);
  expect(gave.at(-1)).toMatchObject({ recordings: 1, givenRecordings: 0, safeRecordings: 0 });
});

test('[APP-571] a message that the server never opens is not handed over, and refused work is counted', async () => {
  const watch = await newWatch(server);
  const phone = await newCarryingPhone(server);
  await watch.record();
  phone.net.answers('relay', () =>
    Response.json({ code: 'relay_key_unknown', status: 422, title: '', detail: '' }, { status: 422 }),
  );
  phone.net.online = true;
  expect((await meet(watch, phone)).gave.at(-1)).toMatchObject({ recordings: 1, givenRecordings: 0, givenBytes: 0 });

  const other = await newCarryingPhone(server);
  await watch.rest.send('POST', `/maps/${watch.mapId}/delete`);
  other.net.online = true;
  const { gave } = await meet(watch, other);
  expect(gave.at(-1)).toMatchObject({ recordings: 1, safeRecordings: 0, refused: 1, isSettled: true });
});

test('[APP-571] both sides are told that they belong to different servers', async () => {
  const elsewhere = await testServer();
  try {
    const { given, taken, gave, took } = await meet(await newWatch(server), await newCarryingPhone(elsewhere));
    expect([given.ended, taken.ended]).toEqual(['other_server', 'other_server']);
    expect([gave, took]).toEqual([[], []]);
  } finally {
    await elsewhere.remove();
  }
});

test('[APP-571] a recording that a restore took is not safe before a pull has proven it anew', async () => {
  const { live, backup, server: restorable, close, reopen } = await restartableServer();
  const watch = await newWatch(restorable);
  const phone = await newCarryingPhone(restorable);
  phone.net.online = true;
  expect(await backUpDatabase(live, backup)).toMatchObject({ ok: true });
  await watch.record('Lost');
  await meet(watch, phone);
  await close();
  expect(await restoreDatabase({ from: backup, dataDir: live, now: backupTime })).toMatchObject({ ok: true });
  await reopen();
  await expect.poll(() => watch.runs().catch(() => ['none yet'])).toEqual([]);
  // The network of the phone ends once the watch has heard of the restore.
  let requests = 0;
  phone.net.answers('relay', (ask) => (++requests <= 2 ? ask() : new Response('', { status: 503 })));
  await meet(watch, phone);
  phone.net.online = false;
  const { gave } = await meet(watch, phone);
  expect(await watch.runs()).toEqual([]);
  expect(gave.at(-1)).toMatchObject({ recordings: 1, safeRecordings: 0, isSettled: false });
});

test('[APP-571] work that gets a new number within a meeting is not settled, and counts once', () => {
  const sealed = (client_id: string, seq: number) => {
    const request = { kind: 'push', client_id, seqs: [seq], forwarded: false, first: true, sessions: ['s'] } as const;
    return { total: 100, request } as unknown as SealedMessage;
  };
  const before: PendingEntry = {
    client_id: 'X',
    seq: 2,
    name: 'upload_recording',
    args: { recording_session_id: 's' },
    recorded_at: '2026-04-01T09:30:00.000Z',
    state: 'pending',
    payload: mutationPayload,
    proven_at: null,
  };
  const view: { unsettled: PendingEntry[]; refused: RefusedEntry[] } = { unsettled: [before], refused: [] };
  const count = new MeetingCount({ view });
  count.plan([['first', sealed('X', 2)]]);
  const open = { recordings: 1, changes: 0, safeRecordings: 0, isSettled: false };
  expect(count.progress).toMatchObject(open);
  view.unsettled = [toPendingEntry(before, 'Y', 1)];
  expect(count.progress).toMatchObject(open);
  count.plan([['second', sealed('Y', 1)]]);
  expect(count.progress).toMatchObject(open);
  view.unsettled = [];
  expect(count.progress).toMatchObject({ ...open, safeRecordings: 1, isSettled: true });
});

test('[APP-571] work that copies of a device made under one number counts for each, and no refusal counts for other work', () => {
  const made = (session: string, minute: number): PendingEntry => ({
    client_id: 'X',
    seq: 2,
    name: 'upload_recording',
    args: { recording_session_id: session },
    recorded_at: `2026-04-01T09:0${minute}:00.000Z`,
    state: 'pending',
    payload: mutationPayload,
    proven_at: null,
  });
  const [own, ofCopy] = [made('own', 1), made('copy', 2)];
  const { seq, payload: _payload, ...rest } = own;
  const number = { kind: 'numbered', seq } as const;
  const refusal = { ...rest, number, state: 'refused', error: problemOf({ code: 'map_deleted', detail: '' }) } as const;
  const sealed = (client_id: string, session: string) => {
    const request = { kind: 'push', client_id, seqs: [2], forwarded: false, first: true, sessions: [session] } as const;
    return { total: 100, request } as unknown as SealedMessage;
  };
  const both = new MeetingCount({ view: { unsettled: [own, toPendingEntry(ofCopy, 'Y', 2)], refused: [] } });
  both.plan([
    ['first', sealed('X', 'own')],
    ['second', sealed('Y', 'copy')],
  ]);
  expect(both.progress).toMatchObject({ recordings: 2, changes: 0 });
  const besideRefusal = new MeetingCount({ view: { unsettled: [ofCopy], refused: [refusal] } });
  besideRefusal.plan([['first', sealed('X', 'copy')]]);
  expect(besideRefusal.progress).toMatchObject({ recordings: 1, changes: 0, refused: 0 });
});
