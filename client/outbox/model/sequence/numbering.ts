/**
 * The numbers of the outbox's entries. Pure. A sequence counts from 1 under one client id and has no gaps; the server takes
 * each number once. An entry without a number waits: its place only names it, and is never sent.
 *
 *   resendAll         the server has another store, or misses mutations: everything is sent again
 *   startNewClient    the device has another token, or was restored from a journal that may have been behind: it gives no
 *                     number of the old client id again, and pending work keeps its numbers, as forwarded work
 *   forkSequence      numbers stand for other work on the server, since a copy of the device or a later state of its
 *                     database gave them: common work keeps its numbers, as forwarded, and the rest gets new ones
 */
import { chainStart } from '../../../../shared/protocol/chain.ts';
import { withPastClient } from '../../../storage/journal/lineage.ts';
import { originOf, type DeviceBody } from '../../../storage/rows.ts';
import type { OutboxContent } from '../content.ts';
import {
  asMutation,
  byPosition,
  isMadeAgain,
  movedPayload,
  positionOf,
  type ForwardedEntry,
  type KeptEntry,
  type PendingEntry,
  type ReceiptEntry,
  type SendableEntry,
} from '../entry.ts';
import { rowIdOf } from '../parse-entry.ts';
import { moveToDerivedClients } from './derived-clients.ts';

/** Sends everything again under a new client id: receipts, forwarded and pending work from 1 on; the rest waits. */
export function resendAll(content: OutboxContent, client_id: string): OutboxContent {
  const { device, pending, receipts, forwarded } = content;
  const resent = [...receipts, ...forwarded, ...pending].map((entry, index) => pendingAs(entry, client_id, index + 1));
  const waiting = allWaiting({ ...content, receipts: [] }, client_id);
  return {
    ...waiting,
    device: { ...underClient(device, client_id), last_seq: resent.length },
    pending: resent,
    forwarded: [],
  };
}

/**
 * Makes pending work forwarded: with its numbers the server takes it once, whether a push under way, the device that it was
 * exported to, or this one sends it. The rest waits, in its order.
 */
export function startNewClient(content: OutboxContent, client_id: string): OutboxContent {
  const isOwn = (entry: PendingEntry) => entry.client_id === content.device.client_id;
  // The journal may have restored work of an earlier client id.
  const inOrder = [...content.pending.filter((entry) => !isOwn(entry)), ...content.pending.filter(isOwn)];
  return {
    ...allWaiting(content, client_id),
    device: underClient(content.device, client_id),
    pending: [],
    forwarded: queueForwarded(content, inOrder),
  };
}

/** Up to `agreedSeq` a client's numbers stand for the same work on the server, as far as it has them; later ones may not. */
export interface SequenceConflict {
  client_id: string;
  agreedSeq: number;
  /** A server without a chain compares no forwarded work with its own: then it is absent. */
  compared?: {
    /** Known to stand for other work on the server. */
    otherSeqs: number[];
    /** The last number of the server is among them: what the device has behind it is other work, too. */
    hasDiverged: boolean;
  };
}

/**
 * Forwards the pending work, for the server to compare number by number. A server that cannot is sent only the agreed
 * numbers so; later work goes under the new client id.
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
    .filter((entry) => !isKept(entry) && !isMadeAgain(entry))
    .map((entry, index) => pendingAs(entry, client_id, index + 1));
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

/** The entry under another number, whole again: what could not be sent before may be sent now. */
function pendingAs(entry: SendableEntry | ReceiptEntry, client_id: string, seq: number): PendingEntry {
  const moved = { client_id, seq, origin: originOf(rowNumberOf(entry)), state: 'pending' } as const;
  switch (entry.state) {
    case 'receipt': {
      const { place: _place, ...work } = entry;
      return { ...work, ...moved, payload: asMutation };
    }
    case 'pending':
      return { ...entry, ...moved, payload: movedPayload(entry) };
    case 'forwarded': {
      const { position: _position, answer: _answer, ...work } = entry;
      return { ...work, ...moved, payload: movedPayload(entry) };
    }
  }
}

/** Places `entries` behind the forwarded work, in their order: they may depend on it, and on each other. */
export function queueForwarded({ forwarded }: OutboxContent, entries: SendableEntry[]): ForwardedEntry[] {
  const last = forwarded.reduce((most, { position = 0 }) => Math.max(most, position), 0);
  const behind = entries.map((entry, index): ForwardedEntry => ({
    ...entry,
    state: 'forwarded',
    position: last + 1 + index,
  }));
  return [...forwarded, ...behind];
}

/** The device under a client id that numbered and sent nothing yet. */
function underClient(device: DeviceBody, client_id: string): DeviceBody {
  const { is_put_back: _isPutBack, offered_seq: _offeredSeq, ...kept } = device;
  return { ...withPastClient(kept), client_id, last_seq: 0, proven_seq: 0, proven_chain: chainStart };
}

/** Lets `entries` wait as this device's own, in their order, below all that this device keeps. */
export function waitBelow<Entry extends KeptEntry>(content: OutboxContent, entries: Entry[]): Entry[] {
  const { client_id } = content.device;
  const positions = [...content.refused, ...content.receipts, ...content.discarded].map(positionOf);
  const lowest = positions.reduce((least, position) => Math.min(least, position), 1);
  return entries.map((entry, index) => waitingAt(entry, client_id, lowest - entries.length + index));
}

/** Lets all kept entries wait under another client id, in their order. */
function allWaiting(content: OutboxContent, client_id: string): OutboxContent {
  const kept = [...content.refused, ...content.receipts, ...content.discarded].toSorted(byPosition);
  const orderOf = new Map(kept.map((entry, index) => [rowIdOf(entry), index - kept.length + 1]));
  const waiting = <Entry extends KeptEntry>(entries: Entry[]): Entry[] =>
    entries.map((entry) => waitingAt(entry, client_id, orderOf.get(rowIdOf(entry)) ?? 0));
  return {
    ...content,
    refused: waiting(content.refused),
    receipts: waiting(content.receipts),
    discarded: waiting(content.discarded),
  };
}

const waitingAt = <Entry extends KeptEntry>(entry: Entry, client_id: string, order: number): Entry => ({
  ...entry,
  client_id,
  origin: originOf(rowNumberOf(entry)),
  place: { kind: 'waiting', order },
});

function rowNumberOf(entry: SendableEntry | KeptEntry): { client_id: string; seq: number; origin?: string } {
  const { client_id, origin } = entry;
  return { client_id, seq: positionOf(entry), ...(origin === undefined ? {} : { origin }) };
}
