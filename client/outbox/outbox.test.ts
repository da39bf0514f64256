import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { problemOf } from '../../shared/protocol/problem.ts';
import { memoryStorage } from '../../test/device/devices.ts';
import type { ClientProgress } from '../../shared/protocol/pull.ts';
import { randomIds } from '../core/ids.ts';
import { systemClock } from '../core/clock.ts';
import { openDeviceTables, type DeviceTables } from '../storage/device-tables.ts';
import { createLocks } from '../core/locks.ts';
import { numberOf, type ForwardedEntry } from './model/entry.ts';
import type { NewMutation } from './model/mutation.ts';
import { renumberUnderDerivedClients } from './model/sequence/derived-clients.ts';
import { Outbox } from './outbox.ts';

interface OpenDevice {
  outbox: Outbox;
  close: () => Promise<void>;
}

/** One device, whose outbox a test can open several times on the same storage. */
function makeDevice() {
  const name = randomUUID();
  const storage = memoryStorage();
  let now = Date.parse('2026-03-01T08:00:00Z');
  return {
    clock: { advance: (ms: number) => (now += ms), iso: () => new Date(now).toISOString() },
    open: async (): Promise<OpenDevice> => {
      const store: DeviceTables = await openDeviceTables({ name, storage, clock: systemClock });
      onTestFinished(() => store.close());
      const iso = () => new Date(now).toISOString();
      const options = { locks: createLocks(name, systemClock.schedule), ids: randomIds, now: iso, serverNow: iso };
      return { outbox: await Outbox.open({ table: store.outbox, ...options }), close: () => store.close() };
    },
  };
}

const map_id = randomIds.mapId();
const create = (name: string): NewMutation => ({ name: 'create_map', args: { map_id: randomIds.mapId(), name } });
const upload = (recording_session_id: string): NewMutation => ({
  name: 'upload_recording',
  args: {
    map_id,
    recording_session_id,
    run_id: randomIds.integer(),
    steps: [{ stage_name: 'Cut', order: 1, duration_secs: 1 }],
  },
});
const pulledRecord = (client: ClientProgress, epoch = 'epoch-1') => ({ client, epoch, cursor: 'cursor-1' });
/** Settles the outbox by a pull of everything that was sent. */
async function settle(outbox: Outbox, pulled: ReturnType<typeof pulledRecord>): Promise<void> {
  await outbox.identity.rememberSentNumber(outbox.device.client_id, pulled.client.last_seq);
  await outbox.writer.settle(() => pulled);
}
const sequence = (outbox: Outbox) => outbox.entries('pending').map(({ seq, args }) => [seq, args['name']]);

test('[OUTBOX-1] mutations are numbered 1, 2, 3... in the order in which they were made, also at once and across restarts', async () => {
  const device = makeDevice();
  const first = await device.open();
  await Promise.all(['a', 'b', 'c'].map((name) => first.outbox.writer.append([create(name)])));
  const { client_id } = first.outbox.device;
  await first.close();
  const second = await device.open();
  await second.outbox.writer.append([create('d'), create('e')]);
  expect(sequence(second.outbox)).toEqual([
    [1, 'a'],
    [2, 'b'],
    [3, 'c'],
    [4, 'd'],
    [5, 'e'],
  ]);
  expect(second.outbox.device).toMatchObject({ client_id, last_seq: 5 });
});

test('[OUTBOX-1] a mutation that is made during another decision waits for that decision', async () => {
  const { outbox } = await makeDevice().open();
  const ended: string[] = [];
  let endRead = () => {};
  const read = new Promise<void>((resolve) => (endRead = resolve));
  const deciding = outbox.writer
    .rewrite({ read: () => read, decide: (content) => ({ content, result: undefined }) })
    .then(() => ended.push('decision'));
  const making = outbox.writer.append([create('a')]).then(() => ended.push('mutation'));
  // Without the lock the mutation would be made during these reads.
  for (let reads = 0; reads < 20; reads++) await outbox.identity.refreshDevice();
  endRead();
  await Promise.all([deciding, making]);
  expect(ended).toEqual(['decision', 'mutation']);
});

test('[OUTBOX-2] [OUTBOX-31] [OUTBOX-32] what the pull proves done goes, a recording stays as a receipt, and its number is not given again', async () => {
  const device = makeDevice();
  const { outbox } = await device.open();
  await outbox.writer.append([create('a'), upload('s-1'), create('b')]);
  await settle(outbox, pulledRecord({ last_seq: 2, rejections: [] }));
  expect(sequence(outbox)).toEqual([[3, 'b']]);
  expect(outbox.latestUpload('s-1')).toMatchObject({ state: 'receipt', proven_at: device.clock.iso() });
  await settle(outbox, pulledRecord({ last_seq: 3, rejections: [] }));
  const [next] = await outbox.writer.append([create('c')]);
  expect(next?.seq).toBe(4);
});

test('[OUTBOX-3] a refused mutation is kept with its reason, whatever it was', async () => {
  const { outbox } = await makeDevice().open();
  await outbox.writer.append([create('a'), upload('s-1'), create('b')]);
  const error = problemOf({ code: 'map_deleted', detail: 'The map is in the recycle bin.' });
  await settle(outbox, pulledRecord({ last_seq: 3, rejections: [{ seq: 2, error }] }));
  expect(outbox.entries('refused')).toMatchObject([
    { number: { seq: 2 }, error, args: { recording_session_id: 's-1' } },
  ]);
  expect(outbox.entries('pending')).toEqual([]);
});

test('[OUTBOX-5] [OUTBOX-33] offered again, receipts and pending mutations keep their order under a new client id, once for a reason', async () => {
  const device = makeDevice();
  const { outbox, close } = await device.open();
  await outbox.writer.append([upload('s-1'), create('a'), upload('s-2'), create('b')]);
  await settle(outbox, pulledRecord({ last_seq: 3, rejections: [] }));
  const before = outbox.device.client_id;
  await settle(outbox, pulledRecord({ last_seq: 3, rejections: [] }, 'epoch-2'));
  const offered = () =>
    outbox.entries('pending').map(({ seq, args }) => [seq, args['recording_session_id'] ?? args['name']]);
  expect(offered()).toEqual([
    [1, 's-1'],
    [2, 's-2'],
    [3, 'b'],
  ]);
  const { client_id } = outbox.device;
  expect(client_id).not.toBe(before);
  await close();
  const again = (await device.open()).outbox;
  await again.writer.settle(() => ({ client: undefined, epoch: 'epoch-2', cursor: 'cursor-1' }));
  expect(again.device).toMatchObject({ client_id, last_seq: 3 });
});

test('[OUTBOX-6] receipts go after 30 days by the clock of the server, and nothing else does', async () => {
  const device = makeDevice();
  const { outbox } = await device.open();
  await outbox.writer.append([upload('old'), upload('refused'), upload('new'), upload('pending')]);
  const error = problemOf({ code: 'map_deleted', detail: 'In the bin.' });
  await settle(outbox, pulledRecord({ last_seq: 2, rejections: [{ seq: 2, error }] }));
  device.clock.advance(30 * 24 * 60 * 60_000);
  await settle(outbox, pulledRecord({ last_seq: 3, rejections: [] }));
  expect(outbox.latestUpload('old')).toBeDefined();
  device.clock.advance(1_000);
  await settle(outbox, pulledRecord({ last_seq: 3, rejections: [] }));
  expect(outbox.latestUpload('old')).toBeUndefined();
  for (const kept of ['refused', 'new', 'pending']) expect(outbox.latestUpload(kept)).toBeDefined();
});

test('[OUTBOX-42] a receipt is sent again if its device hears of a restore after more than 30 days', async () => {
  const device = makeDevice();
  const { outbox } = await device.open();
  await outbox.writer.append([upload('old')]);
  await settle(outbox, pulledRecord({ last_seq: 1, rejections: [] }));
  device.clock.advance(35 * 24 * 60 * 60_000);
  await outbox.writer.settle(() => ({ client: undefined, epoch: 'epoch-2', cursor: 'cursor-1' }));
  expect(outbox.entries('pending').map(({ args }) => args['recording_session_id'])).toEqual(['old']);
});

test('[SYNC-21] what was found wrong under an earlier client id numbers nothing anew', async () => {
  const { outbox } = await makeDevice().open();
  await outbox.writer.append([create('a'), create('b')]);
  const { client_id } = outbox.device;
  await outbox.sequence.resendAll(client_id);
  const now = outbox.device.client_id;
  expect(now).not.toBe(client_id);
  await outbox.sequence.resendAll(client_id);
  await outbox.sequence.fork({ client_id, agreedSeq: 0 });
  expect(outbox.device.client_id).toBe(now);
  await outbox.sequence.fork({ client_id: now, agreedSeq: 0 });
  expect(outbox.device.client_id).not.toBe(now);
});

test('[SYNC-35] [SYNC-64] a recording whose outcome is forgotten goes again in its place, under the number that any other device gives it', async () => {
  const { outbox } = await makeDevice().open();
  await outbox.writer.append([create('a'), upload('s-1'), create('b')]);
  await outbox.sequence.forwardPending();
  await outbox.writer.append([create('c')]);
  const forwarded = outbox.entries('forwarded');
  const [, recording, behind] = forwarded as [ForwardedEntry, ForwardedEntry, ForwardedEntry];
  const answers = forwarded.map((entry) => ({ entry, outcome: 'forgotten' as const }));
  await outbox.writer.storeAnswers(answers, 'cursor-1');
  const again = outbox.entries('forwarded');
  expect(again.map(({ name, answer }) => [name, answer?.outcome])).toEqual([
    ['create_map', 'forgotten'],
    ['upload_recording', undefined],
    ['create_map', 'forgotten'],
  ]);
  expect(again[1]).toMatchObject({ seq: 1, args: recording.args, forwardOrder: recording.forwardOrder });
  expect(again[2]).toMatchObject({ seq: behind.seq, client_id: behind.client_id });
  const content = {
    device: outbox.device,
    pending: [],
    refused: [],
    receipts: [],
    discarded: [],
    forwarded: [recording],
  };
  expect(renumberUnderDerivedClients(content, () => true).forwarded[0]?.client_id).toBe(again[1]?.client_id);
});

test('[OUTBOX-7] [OUTBOX-34] offered again, refused mutations keep numbers of their own, and a run that was deleted here stays away', async () => {
  const { outbox } = await makeDevice().open();
  const [first] = await outbox.writer.append([upload('s-1'), upload('s-2')]);
  const error = problemOf({ code: 'map_deleted', detail: 'In the bin.' });
  await outbox.writer.append([{ name: 'delete_run', args: { run_id: first!.args['run_id'] as number } }]);
  await settle(outbox, pulledRecord({ last_seq: 3, rejections: [{ seq: 2, error }] }));
  await outbox.writer.append([upload('s-3')]);
  await settle(outbox, pulledRecord({ last_seq: 3, rejections: [{ seq: 2, error }] }, 'epoch-2'));
  expect(outbox.entries('pending').map(({ seq, args }) => [seq, args['recording_session_id']])).toEqual([[1, 's-3']]);
  expect(outbox.entries('refused').map((entry) => [numberOf(entry), entry.args['recording_session_id']])).toEqual([
    [0, 's-2'],
  ]);
});

test('[OUTBOX-8] a refused mutation is replaced once, however many ask at once', async () => {
  const { outbox } = await makeDevice().open();
  await outbox.writer.append([create('a')]);
  await settle(
    outbox,
    pulledRecord({ last_seq: 1, rejections: [{ seq: 1, error: problemOf({ code: 'map_cap_reached', detail: '' }) }] }),
  );
  const [refused] = outbox.entries('refused');
  const replaced = await Promise.all([
    outbox.writer.replace(refused!, [create('b')]),
    outbox.writer.replace(refused!, [create('b')]),
  ]);
  expect(replaced).toEqual([true, false]);
  expect(sequence(outbox)).toEqual([[2, 'b']]);
});

test('[ATTENTION-6] of what was discarded the last stays, also when the clock went back meanwhile', async () => {
  const device = makeDevice();
  const { outbox } = await device.open();
  await outbox.writer.append(Array.from({ length: 21 }, (_, index) => create(`map ${index}`)));
  const error = problemOf({ code: 'map_cap_reached', detail: '' });
  const rejections = Array.from({ length: 21 }, (_, index) => ({ seq: index + 1, error }));
  await settle(outbox, pulledRecord({ last_seq: 21, rejections }));
  const refused = outbox.entries('refused');
  for (const body of refused.slice(0, 20)) {
    device.clock.advance(1_000);
    await outbox.writer.discard(body);
  }
  device.clock.advance(-24 * 60 * 60_000);
  await outbox.writer.discard(refused[20]!);
  expect(outbox.discardedLatestFirst[0]).toMatchObject({ args: { name: 'map 20' } });
  expect(outbox.discardedLatestFirst).toHaveLength(20);
});
