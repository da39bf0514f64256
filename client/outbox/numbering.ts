/**
 * The numbers of the outbox's mutations. Pure. A sequence counts from 1 under one client id and has no gaps; the server
 * takes each number once. What is offered no more has a number of 0 or less: it is never sent, and only tells it apart.
 *
 *   renumbered       the server's store is another one, or misses mutations: all that is held is offered again
 *   underNewClient   the device has another token, or its database was lost and the second copy may have been behind: none
 *                    of its numbers is given again, and what is left goes under those that it has
 *   forked           numbers stand for other work on the server: a copy of the device gave them too, or the database went
 *                    back to an earlier state. What both have in common keeps its numbers, as carried; the rest gets new ones
 *   resent           the outcome of recordings that were carried is not known any more: they go again, before what follows
 *   belowAll         refused or done in the sequence of another device: it becomes this device's own
 */
import { chainStart } from '../../shared/protocol/chain.ts';
import { withPastClient } from '../store/mirror/lineage.ts';
import { originOf, type DeviceBody, type MutationBody } from '../store/rows.ts';
import type { OutboxContent } from './content.ts';

/**
 * Everything that is held, numbered anew under a new client id: receipts and pending mutations from 1 in their order, to be
 * offered to a server that lacks them; what is offered no more below, so that no two share a number.
 */
export function renumbered(content: OutboxContent, client_id: string): OutboxContent {
  const { device, pending, receipts, carried } = content;
  const offered = [...receipts, ...carried, ...pending].map((body, index): MutationBody => ({
    ...numbered(body, client_id, index + 1),
    state: 'pending',
  }));
  const below = numberedBelow([...content.refused, ...content.discarded], client_id);
  return {
    ...below,
    device: { ...underClient(device, client_id), last_seq: offered.length },
    pending: offered,
    receipts: [],
    carried: [],
  };
}

/**
 * Under a new client id from now on. What is left to push keeps its numbers, as work of another device, so that the server
 * takes it once, whoever brings it: a push under way, the device that it was exported to, or this one. What is not pushed
 * keeps its order below, should it ever be offered.
 */
export function underNewClient(content: OutboxContent, client_id: string): OutboxContent {
  const isOwn = (body: MutationBody) => body.client_id === content.device.client_id;
  // What was put back from the second copy may be of a client id before this one.
  const inOrder = [...content.pending.filter((body) => !isOwn(body)), ...content.pending.filter(isOwn)];
  const pending = inOrder.map((body) => ({ ...body, state: 'carried' as const }));
  const below = numberedBelow([...content.receipts, ...content.refused, ...content.discarded], client_id);
  const carried = withPlaces(content, pending);
  return { ...below, device: underClient(content.device, client_id), pending: [], carried };
}

/** The numbers of a client up to `agreedSeq` stand for the same work on the server, as far as it has them; later ones do not. */
export interface SequenceConflict {
  client_id: string;
  agreedSeq: number;
}

/** Numbers that the server may have stay, as carried; the rest goes in its order under the new client id. */
export function forked(content: OutboxContent, conflict: SequenceConflict, client_id: string): OutboxContent {
  const { device, pending, carried } = content;
  const isOwn = conflict.client_id === device.client_id;
  const sentSeq = isOwn ? conflict.agreedSeq : (device.offered_seq ?? 0);
  const isOther = (body: MutationBody) => body.client_id === conflict.client_id && body.seq > conflict.agreedSeq;
  const kept = {
    ...content,
    pending: pending.filter(({ seq }) => seq <= sentSeq),
    carried: isOwn ? carried : carried.filter((body) => !isOther(body)),
  };
  const anew = [...(isOwn ? [] : carried.filter(isOther)), ...pending.filter(({ seq }) => seq > sentSeq)];
  const moved = underNewClient(kept, client_id);
  const renewed = anew
    .filter(({ is_void }) => !is_void)
    .map((body, index): MutationBody => ({ ...numbered(body, client_id, index + 1), state: 'pending' }));
  return { ...moved, device: { ...moved.device, last_seq: renewed.length }, pending: renewed };
}

/**
 * Recordings whose outcome the server forgot are sent again: each makes one run, however often it comes. They go before what
 * was made here since and was not sent yet, since that may need their maps.
 */
export function resent(content: OutboxContent, recordings: MutationBody[], client_id: string): OutboxContent {
  const { device } = content;
  const isFree = content.pending.length === 0;
  const parted = isFree
    ? content
    : forked(content, { client_id: device.client_id, agreedSeq: device.offered_seq ?? 0 }, client_id);
  const before = isFree ? device.last_seq : 0;
  const pending = [...recordings, ...parted.pending].map((body, index): MutationBody => ({
    ...numbered(body, parted.device.client_id, before + 1 + index),
    state: 'pending',
  }));
  return { ...parted, device: { ...parted.device, last_seq: before + pending.length }, pending };
}

export function numbered(body: MutationBody, client_id: string, seq: number): MutationBody {
  const { withdrawn: _withdrawn, answer: _answer, place: _place, ...kept } = body;
  return { ...kept, client_id, seq, origin: originOf(body) };
}

/** Nothing was numbered or sent under it yet. */
function underClient(device: DeviceBody, client_id: string): DeviceBody {
  const { is_put_back: _isPutBack, offered_seq: _offeredSeq, ...kept } = device;
  return { ...withPastClient(kept), client_id, last_seq: 0, proven_seq: 0, proven_chain: chainStart };
}

/** What is carried, and behind it these: they may be of a device that carried work itself, and hang on that. */
export function withPlaces({ carried }: OutboxContent, bodies: MutationBody[]): MutationBody[] {
  const last = carried.reduce((most, { place = 0 }) => Math.max(most, place), 0);
  return [...carried, ...bodies.map((body, index) => ({ ...body, place: last + 1 + index }))];
}

/** With numbers of this device's own, in their order, below all that there are and below 1. */
export function belowAll(content: OutboxContent, bodies: MutationBody[]): MutationBody[] {
  const { client_id } = content.device;
  const numbers = [...content.refused, ...content.receipts, ...content.discarded].map(({ seq }) => seq);
  const lowest = numbers.reduce((least, seq) => Math.min(least, seq), 1);
  return bodies.map((body, index) => numbered(body, client_id, lowest - bodies.length + index));
}

function numberedBelow(
  bodies: MutationBody[],
  client_id: string,
): Pick<OutboxContent, 'refused' | 'receipts' | 'discarded'> {
  const placed = bodies
    .toSorted((a, b) => a.seq - b.seq)
    .map((body, index) => numbered(body, client_id, index - bodies.length + 1));
  const inState = (state: MutationBody['state']) => placed.filter((body) => body.state === state);
  return { refused: inState('refused'), receipts: inState('receipt'), discarded: inState('discarded') };
}
