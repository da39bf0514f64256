/** Examples of single entries and rows, which the properties of numbering.test.ts leave open. */
import { expect, test } from 'vitest';
import { problem } from '../../../../test/device/outbox-content.ts';
import { chainStart } from '../../../../shared/protocol/chain.ts';
import type { DeviceBody } from '../../../storage/rows.ts';
import type { OutboxContent } from '../content.ts';
import {
  mutationPayload,
  replacedPayload,
  type DiscardedEntry,
  type ForwardedEntry,
  type MutationFields,
  type Payload,
  type PendingEntry,
  type ReceiptEntry,
  type RefusedEntry,
} from '../entry.ts';
import { renumberUnderDerivedClients } from './derived-clients.ts';
import { toUnnumberedEntries } from './importing.ts';
import { forkSequence } from './fork.ts';
import { appendForwarded, resendAll, startNewClient } from './numbering.ts';

const at = '2026-03-01T09:00:00.000Z';
const account_id = '55555555-5555-4555-8555-555555555555';
const fields = { name: 'update_map', args: { map_id: 'map', name: 'A' }, recorded_at: at } as const;
const unsendable: Payload = { kind: 'noop', because: 'unsendable', reason: problem('payload_too_large') };

const pending = (seq: number, more: Partial<PendingEntry> = {}): PendingEntry => ({
  ...fields,
  client_id: 'mine',
  state: 'pending',
  seq,
  payload: mutationPayload,
  proven_at: null,
  ...more,
});
const forwarded = (client_id: string, seq: number, more: Partial<ForwardedEntry> = {}): ForwardedEntry => ({
  ...fields,
  client_id,
  state: 'forwarded',
  seq,
  payload: mutationPayload,
  proven_at: null,
  ...more,
});
const numbered = (seq: number) => ({ kind: 'numbered', seq }) as const;
const settled = <State extends 'refused' | 'receipt' | 'discarded'>(state: State, seq: number) => ({
  ...(fields satisfies Partial<MutationFields>),
  client_id: 'mine',
  state,
  number: numbered(seq),
  proven_at: null,
});
const refused = (seq: number): RefusedEntry => ({ ...settled('refused', seq), error: problem('map_deleted') });
const receipt = (seq: number): ReceiptEntry => settled('receipt', seq);
const discarded = (seq: number): DiscardedEntry => ({ ...settled('discarded', seq), error: problem('map_deleted') });

const device: DeviceBody = {
  kind: 'device',
  client_id: 'mine',
  account_id,
  device_id: 'mine',
  token: null,
  epoch: 'epoch',
  last_seq: 4,
  offered_seq: 3,
  proven_seq: 2,
  proven_chain: 'chain',
  is_put_back: true,
};
const content = (more: Partial<OutboxContent>): OutboxContent => ({
  device,
  pending: [],
  forwarded: [],
  refused: [],
  receipts: [],
  discarded: [],
  ...more,
});
const numbersOf = (entries: readonly { client_id: string; seq: number }[]) =>
  entries.map(({ client_id, seq }) => `${client_id} ${seq}`);

/** The row of a device that has given no number under its new client id. */
const { offered_seq: _offered, is_put_back: _putBack, ...kept } = device;
const newRow = {
  ...kept,
  client_id: 'new',
  last_seq: 0,
  proven_seq: 0,
  proven_chain: chainStart,
  past_clients: 'mine|4',
};

test('[OUTBOX-37] [OUTBOX-38] what is sent again keeps its origin and content, and loses all that was said of its old number', () => {
  const before = content({
    receipts: [receipt(1)],
    forwarded: [forwarded('theirs', 7, { forwardOrder: 3, answer: { cursor: 'cursor', outcome: 'done' } })],
    pending: [pending(2, { payload: unsendable }), pending(3, { payload: replacedPayload, origin: 'first|9' })],
  });
  const after = resendAll(before, 'new');
  expect(after.pending).toStrictEqual([
    { ...pending(1), client_id: 'new', origin: 'mine|1' },
    { ...pending(2), client_id: 'new', origin: 'theirs|7' },
    { ...pending(3), client_id: 'new', origin: 'mine|2' },
    { ...pending(4, { payload: replacedPayload }), client_id: 'new', origin: 'first|9' },
  ]);
  expect(after).toMatchObject({ receipts: [], forwarded: [] });
  expect(after.device).toStrictEqual({ ...newRow, last_seq: 4 });
});

test('[OUTBOX-39] settled entries wait in the order in which they were made, whatever their states', () => {
  const before = content({ refused: [refused(2)], receipts: [receipt(1)], discarded: [discarded(4)] });
  const after = startNewClient(before, 'new');
  const waiting = (order: number, seq: number) => ({
    client_id: 'new',
    origin: `mine|${seq}`,
    number: { kind: 'unnumbered', order },
  });
  expect(after.receipts).toMatchObject([waiting(-2, 1)]);
  expect(after.refused).toMatchObject([waiting(-1, 2)]);
  expect(after.discarded).toMatchObject([waiting(0, 4)]);
  expect(after.device).toStrictEqual(newRow);

  const more = toUnnumberedEntries(after, [refused(8), refused(9)]);
  expect(more.map(({ number }) => number)).toEqual([
    { kind: 'unnumbered', order: -4 },
    { kind: 'unnumbered', order: -3 },
  ]);
  const first = toUnnumberedEntries(content({}), [refused(8), refused(9)]);
  expect(first.map(({ number }) => number)).toEqual([
    { kind: 'unnumbered', order: -1 },
    { kind: 'unnumbered', order: 0 },
  ]);
});

test('[OUTBOX-39] pending work of an earlier client id is forwarded before that of the present one, behind all that waits', () => {
  const before = content({
    forwarded: [forwarded('theirs', 1, { forwardOrder: 5 }), forwarded('theirs', 2)],
    pending: [pending(3), pending(1, { client_id: 'earlier' }), pending(4)],
  });
  const after = startNewClient(before, 'new');
  expect(numbersOf(after.forwarded)).toEqual(['theirs 1', 'theirs 2', 'earlier 1', 'mine 3', 'mine 4']);
  expect(after.forwarded.map(({ forwardOrder }) => forwardOrder)).toEqual([5, undefined, 6, 7, 8]);
  expect(appendForwarded(content({}), [pending(1)]).map(({ forwardOrder }) => forwardOrder)).toEqual([1]);
});

test('[OUTBOX-37] [OUTBOX-38] a fork without a chain gives new numbers to what lies behind the agreed one alone', () => {
  const before = content({ pending: [pending(2), pending(3, { payload: replacedPayload }), pending(4), pending(5)] });
  const conflict = { client_id: 'mine', agreedSeq: 2 };
  const after = forkSequence(before, conflict, 'new');
  expect(numbersOf(after.forwarded)).toEqual(['mine 2']);
  expect(numbersOf(after.pending)).toEqual(['new 1', 'new 2']);
  expect(after.pending.map(({ origin }) => origin)).toEqual(['mine|4', 'mine|5']);
  expect(after.device).toStrictEqual({ ...newRow, last_seq: 2 });

  const compared = forkSequence(before, { ...conflict, comparison: 'due' }, 'new');
  expect(numbersOf(compared.forwarded)).toEqual(['mine 2', 'mine 3', 'mine 4', 'mine 5']);
  expect(compared.pending).toEqual([]);
});

test('[OUTBOX-37] a fork of forwarded work renumbers the unanswered mutations that the server has otherwise, and no other', () => {
  const answer = { cursor: 'cursor', outcome: 'done' } as const;
  const before = content({
    forwarded: [
      forwarded('theirs', 1),
      forwarded('theirs', 2),
      forwarded('theirs', 3, { answer }),
      forwarded('theirs', 4),
      forwarded('others', 4),
    ],
  });
  const renumbered = (conflict: object) => {
    const after = forkSequence(before, { client_id: 'theirs', agreedSeq: 1, ...conflict }, 'new');
    expect(after.device).toBe(before.device);
    return before.forwarded.flatMap(({ client_id, seq }, index) =>
      after.forwarded[index]?.client_id === client_id ? [] : [`${client_id} ${seq}`],
    );
  };
  expect(renumbered({})).toEqual(['theirs 2', 'theirs 4']);
  expect(renumbered({ comparison: 'due' })).toEqual(['theirs 2', 'theirs 4']);
  expect(renumbered({ comparison: { otherSeqs: [1, 2], hasDiverged: false } })).toEqual(['theirs 1', 'theirs 2']);
  expect(renumbered({ comparison: { otherSeqs: [2], hasDiverged: true } })).toEqual(['theirs 2', 'theirs 4']);
  // The server has the second mutation as it is here, and the highest number otherwise.
  expect(renumbered({ comparison: { otherSeqs: [4, 1], hasDiverged: true } })).toEqual(['theirs 1', 'theirs 4']);
});

test('[SYNC-64] a series of consecutive numbers gets one client id that every version of the app computes', () => {
  const before = content({
    forwarded: [
      forwarded('theirs', 4, {
        payload: unsendable,
        forwardOrder: 1,
        answer: { cursor: 'cursor', outcome: 'forgotten' },
      }),
      forwarded('theirs', 5, { payload: replacedPayload }),
      forwarded('theirs', 7),
    ],
  });
  const after = renumberUnderDerivedClients(before, () => true);
  const [series, next] = [after.forwarded[0]!.client_id, after.forwarded[2]!.client_id];
  expect(after.forwarded).toStrictEqual([
    { ...forwarded(series, 1, { origin: 'theirs|4', forwardOrder: 1 }) },
    { ...forwarded(series, 2, { origin: 'theirs|5', payload: replacedPayload }) },
    { ...forwarded(next, 1, { origin: 'theirs|7' }) },
  ]);
  // Devices with other versions of the app must agree on these, so they are pinned.
  expect([series, next]).toMatchInlineSnapshot(`
    [
      "33538b07-c29b-5033-b778-c46eb207a73c",
      "ec951ca7-0c37-587a-8754-afac2684e9d0",
    ]
  `);
  const { account_id: _account, ...unknown } = device;
  const ofUnknown = renumberUnderDerivedClients({ ...before, device: unknown }, () => true).forwarded;
  expect(ofUnknown[0]!.client_id).not.toBe(series);
  const ofEmpty = renumberUnderDerivedClients({ ...before, device: { ...device, account_id: '' } }, () => true);
  expect(numbersOf(ofUnknown)).toEqual(numbersOf(ofEmpty.forwarded));
});
