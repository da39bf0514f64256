/**
 * Numbers the outbox's entries. Pure. A sequence counts from 1 under one client id and has no gaps; the server takes
 * each number once. Settled entries lose their numbers when the client id changes, since the device does not send them
 * under the new client id.
 *
 *   resendAll         The server was restored, or misses mutations: all mutations are sent again under a new client id.
 *   startNewClient    The device has another token, exports its unsent mutations, or was restored from a journal that
 *                     may have been behind. New mutations get a new client id; pending mutations become forwarded and
 *                     keep their client id and numbers.
 *   forkSequence      (fork.ts) A copy of this device, or a later state of its database, sent other mutations under some
 *                     of its numbers. If the server keeps a hash chain, all pending mutations become forwarded under
 *                     their numbers; mutations that the server then refuses as different get numbers under derived
 *                     client ids. Otherwise the mutations after `agreedSeq` get new numbers.
 */
import { chainStart } from '../../../../shared/protocol/chain.ts';
import { withPastClient } from '../../../storage/journal/lineage.ts';
import { originOf, type DeviceBody } from '../../../storage/rows.ts';
import type { OutboxContent } from '../content.ts';
import {
  mutationPayload,
  byNumber,
  renumberedPayload,
  numberOf,
  type ForwardedEntry,
  type SettledEntry,
  type PendingEntry,
  type ReceiptEntry,
  type SendableEntry,
} from '../entry.ts';
import { rowIdOf } from '../parse-entry.ts';

/** Makes receipts, forwarded and pending entries pending again, numbered from 1 under `client_id`. */
export function resendAll(content: OutboxContent, client_id: string): OutboxContent {
  const { device, pending, receipts, forwarded } = content;
  const resent = [...receipts, ...forwarded, ...pending].map((entry, index) =>
    toPendingEntry(entry, client_id, index + 1),
  );
  return {
    ...withUnnumberedSettledEntries({ ...content, receipts: [] }, client_id),
    device: { ...withNewClientId(device, client_id), last_seq: resent.length },
    pending: resent,
    forwarded: [],
  };
}

/**
 * Turns pending entries into forwarded ones, which keep their client id and sequence numbers. The server takes each
 * sequence number once, even if a push is under way or another device has imported the mutations.
 */
export function startNewClient(content: OutboxContent, client_id: string): OutboxContent {
  const isOwn = (entry: PendingEntry) => entry.client_id === content.device.client_id;
  // Pending entries of an earlier client id, restored by the journal, come first because they were made first.
  const inOrder = [...content.pending.filter((entry) => !isOwn(entry)), ...content.pending.filter(isOwn)];
  const forwarded = appendForwarded(content, inOrder);
  return {
    ...withUnnumberedSettledEntries(content, client_id, forwarded.length),
    device: withNewClientId(content.device, client_id),
    pending: [],
    forwarded,
  };
}

/** The `agreedSeq` of a device and a server that agree on no mutation. Numbers begin at 1. */
export const noAgreedSeq = 0;

/** Device and server have the same mutations up to the sequence number `agreedSeq`. Later mutations may differ. */
export interface SequenceConflict {
  client_id: string;
  agreedSeq: number;
  /**
   * The result of the server's comparison; absent if the server keeps no hash chain, and so cannot compare. `due`: the
   * server compares the mutations when the device pushes them as forwarded ones.
   */
  comparison?: 'due' | ComparedSequence;
}

interface ComparedSequence {
  /** The numbers under which the server has another mutation than this device; never empty. */
  otherSeqs: number[];
  /** True if the server's last number is one of `otherSeqs`. The device's later mutations need new numbers, too. */
  hasDiverged: boolean;
}

export function toPendingEntry(entry: SendableEntry | ReceiptEntry, client_id: string, seq: number): PendingEntry {
  const numbered = { client_id, seq, origin: entryOrigin(entry), state: 'pending' } as const;
  switch (entry.state) {
    case 'receipt': {
      const { number: _number, ...fields } = entry;
      return { ...fields, ...numbered, payload: mutationPayload };
    }
    case 'pending':
      return { ...entry, ...numbered, payload: renumberedPayload(entry) };
    case 'forwarded': {
      const { forwardOrder: _forwardOrder, answer: _answer, ...fields } = entry;
      return { ...fields, ...numbered, payload: renumberedPayload(entry) };
    }
  }
}

/** Appends `entries` in their order behind all forwarded entries, since an entry may depend on an earlier one. */
export function appendForwarded({ forwarded }: OutboxContent, entries: SendableEntry[]): ForwardedEntry[] {
  const last = forwarded.reduce((most, { forwardOrder = 0 }) => Math.max(most, forwardOrder), 0);
  const appended = entries.map((entry, index): ForwardedEntry => ({
    ...entry,
    state: 'forwarded',
    forwardOrder: last + 1 + index,
  }));
  return [...forwarded, ...appended];
}

function withNewClientId(device: DeviceBody, client_id: string): DeviceBody {
  const { is_put_back: _isPutBack, offered_seq: _offeredSeq, ...kept } = device;
  return { ...withPastClient(kept), client_id, last_seq: 0, proven_seq: 0, proven_chain: chainStart };
}

const settledEntriesOf = ({ refused, receipts, discarded }: OutboxContent): SettledEntry[] => [
  ...refused,
  ...receipts,
  ...discarded,
];

/**
 * Settles forwarded entries, and moves the settled entries to this device's client id, without sequence numbers. They
 * get the free orders that `startNewClient` left, so that they sort after all earlier settled entries.
 */
export function settleWithoutNumbers<Entry extends SettledEntry>(
  content: OutboxContent,
  settle: (entry: ForwardedEntry) => Entry[],
): Entry[] {
  const { device, forwarded } = content;
  const taken = new Set(settledEntriesOf(content).map(numberOf));
  const free: number[] = [];
  for (let order = 0; free.length < forwarded.length; order -= 1) if (!taken.has(order)) free.unshift(order);
  return forwarded.flatMap((entry, index) =>
    settle(entry).map((settled) => toUnnumberedEntry(settled, device.client_id, free[index]!)),
  );
}

/**
 * Moves all settled entries to `client_id` without sequence numbers, sorted as before. Leaves `freeCount` orders free
 * behind them.
 */
function withUnnumberedSettledEntries(content: OutboxContent, client_id: string, freeCount = 0): OutboxContent {
  const settled = settledEntriesOf(content).toSorted(byNumber);
  const orderOf = new Map(settled.map((entry, index) => [rowIdOf(entry), index - settled.length - freeCount + 1]));
  const ordered = <Entry extends SettledEntry>(entries: Entry[]): Entry[] =>
    entries.map((entry) => toUnnumberedEntry(entry, client_id, orderOf.get(rowIdOf(entry)) ?? 0));
  return {
    ...content,
    refused: ordered(content.refused),
    receipts: ordered(content.receipts),
    discarded: ordered(content.discarded),
  };
}

export const toUnnumberedEntry = <Entry extends SettledEntry>(
  entry: Entry,
  client_id: string,
  order: number,
): Entry => ({
  ...entry,
  client_id,
  origin: entryOrigin(entry),
  number: { kind: 'unnumbered', order },
});

/** Returns the client id and sequence number under which the mutation was made. */
export function entryOrigin(entry: SendableEntry | SettledEntry): string {
  const { client_id, origin } = entry;
  return originOf({ client_id, seq: numberOf(entry), ...(origin === undefined ? {} : { origin }) });
}
