/**
 * Numbers the outbox's entries. Pure. A sequence counts from 1 under one client id and has no gaps; the server takes each
 * number once. An entry that is not to be sent has no number: it is "waiting", and only its order among such entries counts.
 *
 *   resendAll         The server was restored, or misses mutations: everything is sent again under a new client id.
 *   startNewClient    The device has another token, or was restored from a journal that may have been behind: new work gets
 *                     a new client id, and pending work keeps its client id and numbers, as forwarded work.
 *   forkSequence      The server has other work under numbers of this device, because a copy of the device, or a later
 *                     state of its database, used them: work that both sides share keeps its numbers, as forwarded work,
 *                     and all other work gets new numbers.
 */
import { chainStart } from '../../../../shared/protocol/chain.ts';
import { withPastClient } from '../../../storage/journal/lineage.ts';
import { originOf, type DeviceBody } from '../../../storage/rows.ts';
import type { OutboxContent } from '../content.ts';
import {
  mutationPayload,
  byNumber,
  isReplaced,
  renumberedPayload,
  numberOf,
  type ForwardedEntry,
  type SettledEntry,
  type PendingEntry,
  type ReceiptEntry,
  type SendableEntry,
} from '../entry.ts';
import { rowIdOf } from '../parse-entry.ts';
import { moveToDerivedClients } from './derived-clients.ts';

/** Numbers receipts, forwarded and pending work from 1 under a new client id; refused and discarded work stays unsent. */
export function resendAll(content: OutboxContent, client_id: string): OutboxContent {
  const { device, pending, receipts, forwarded } = content;
  const resent = [...receipts, ...forwarded, ...pending].map((entry, index) => toPending(entry, client_id, index + 1));
  const waiting = withoutSettledNumbers({ ...content, receipts: [] }, client_id);
  return {
    ...waiting,
    device: { ...withClientId(device, client_id), last_seq: resent.length },
    pending: resent,
    forwarded: [],
  };
}

/**
 * Makes pending work forwarded, with its old client id and numbers: the server then takes it once, even if a push under way,
 * the device that imported it and this device all send it. Refused, discarded and acknowledged work waits without numbers.
 */
export function startNewClient(content: OutboxContent, client_id: string): OutboxContent {
  const isOwn = (entry: PendingEntry) => entry.client_id === content.device.client_id;
  // The journal may have restored pending work of an earlier client id; that work was made first.
  const inOrder = [...content.pending.filter((entry) => !isOwn(entry)), ...content.pending.filter(isOwn)];
  return {
    ...withoutSettledNumbers(content, client_id),
    device: withClientId(content.device, client_id),
    pending: [],
    forwarded: appendForwarded(content, inOrder),
  };
}

/** The device and the server have the same work up to number `agreedSeq`; above it, they may have different work. */
export interface SequenceConflict {
  client_id: string;
  agreedSeq: number;
  /** The server's comparison of both works; absent from a server without a hash chain, which cannot compare. */
  compared?: {
    /** Numbers under which the server has other work than this device. */
    otherSeqs: number[];
    /** Whether `otherSeqs` contains the server's last number: then the device's later mutations must move, too. */
    hasDiverged: boolean;
  };
}

/**
 * Makes pending work forwarded, so that the server compares it number by number. If the server cannot compare, only work up
 * to `agreedSeq` is forwarded, and later work is numbered under the new client id.
 */
export function forkSequence(content: OutboxContent, conflict: SequenceConflict, client_id: string): OutboxContent {
  const { device, pending } = content;
  const { agreedSeq, compared } = conflict;
  if (conflict.client_id !== device.client_id) {
    const isOther = isOtherWork(conflict);
    return moveToDerivedClients(content, (entry) => entry.answer === undefined && isOther(entry));
  }
  if (compared) return startNewClient(content, client_id);
  const isKept = ({ seq }: PendingEntry) => seq <= agreedSeq;
  const moved = startNewClient({ ...content, pending: pending.filter(isKept) }, client_id);
  const renumbered = pending
    .filter((entry) => !isKept(entry) && !isReplaced(entry))
    .map((entry, index) => toPending(entry, client_id, index + 1));
  return { ...moved, device: { ...moved.device, last_seq: renumbered.length }, pending: renumbered };
}

function isOtherWork({ client_id, agreedSeq, compared }: SequenceConflict): (entry: ForwardedEntry) => boolean {
  if (!compared || compared.otherSeqs.length === 0) {
    return (entry) => entry.client_id === client_id && entry.seq > agreedSeq;
  }
  const { otherSeqs, hasDiverged } = compared;
  const others = new Set(otherSeqs);
  const lastSeq = Math.max(...otherSeqs);
  return (entry) => entry.client_id === client_id && (others.has(entry.seq) || (hasDiverged && entry.seq > lastSeq));
}

/** Renumbers the entry and sends its mutation again, even if it was withdrawn before: it may be accepted now. */
function toPending(entry: SendableEntry | ReceiptEntry, client_id: string, seq: number): PendingEntry {
  const moved = { client_id, seq, origin: originOf(rowNumberOf(entry)), state: 'pending' } as const;
  switch (entry.state) {
    case 'receipt': {
      const { number: _number, ...work } = entry;
      return { ...work, ...moved, payload: mutationPayload };
    }
    case 'pending':
      return { ...entry, ...moved, payload: renumberedPayload(entry) };
    case 'forwarded': {
      const { turn: _turn, answer: _answer, ...work } = entry;
      return { ...work, ...moved, payload: renumberedPayload(entry) };
    }
  }
}

/** Appends `entries` to the forwarded work and keeps their order: each entry may depend on earlier forwarded work. */
export function appendForwarded({ forwarded }: OutboxContent, entries: SendableEntry[]): ForwardedEntry[] {
  const last = forwarded.reduce((most, { turn = 0 }) => Math.max(most, turn), 0);
  const behind = entries.map((entry, index): ForwardedEntry => ({
    ...entry,
    state: 'forwarded',
    turn: last + 1 + index,
  }));
  return [...forwarded, ...behind];
}

/** The device's row with a new client id, under which nothing has been numbered or sent yet. */
function withClientId(device: DeviceBody, client_id: string): DeviceBody {
  const { is_put_back: _isPutBack, offered_seq: _offeredSeq, ...kept } = device;
  return { ...withPastClient(kept), client_id, last_seq: 0, proven_seq: 0, proven_chain: chainStart };
}

/** Makes `entries` this device's own, without numbers, ordered before all entries that the device already keeps. */
export function withoutNumbers<Entry extends SettledEntry>(content: OutboxContent, entries: Entry[]): Entry[] {
  const { client_id } = content.device;
  const positions = [...content.refused, ...content.receipts, ...content.discarded].map(numberOf);
  const lowest = positions.reduce((least, position) => Math.min(least, position), 1);
  return entries.map((entry, index) => unnumbered(entry, client_id, lowest - entries.length + index));
}

/** Takes the numbers from all kept entries and moves the entries to `client_id`, in their order. */
function withoutSettledNumbers(content: OutboxContent, client_id: string): OutboxContent {
  const kept = [...content.refused, ...content.receipts, ...content.discarded].toSorted(byNumber);
  const orderOf = new Map(kept.map((entry, index) => [rowIdOf(entry), index - kept.length + 1]));
  const waiting = <Entry extends SettledEntry>(entries: Entry[]): Entry[] =>
    entries.map((entry) => unnumbered(entry, client_id, orderOf.get(rowIdOf(entry)) ?? 0));
  return {
    ...content,
    refused: waiting(content.refused),
    receipts: waiting(content.receipts),
    discarded: waiting(content.discarded),
  };
}

const unnumbered = <Entry extends SettledEntry>(entry: Entry, client_id: string, order: number): Entry => ({
  ...entry,
  client_id,
  origin: originOf(rowNumberOf(entry)),
  number: { kind: 'unnumbered', order },
});

function rowNumberOf(entry: SendableEntry | SettledEntry): { client_id: string; seq: number; origin?: string } {
  const { client_id, origin } = entry;
  return { client_id, seq: numberOf(entry), ...(origin === undefined ? {} : { origin }) };
}
