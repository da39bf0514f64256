/**
 * The numbers of the outbox's mutations. Pure. A sequence counts from 1 under one client id and has no gaps; the server
 * takes each number once. What is offered no more has a number of 0 or less: it is never sent, and only tells it apart.
 *
 *   renumbered       the server's store is another one, or misses mutations: all that is held is offered again
 *   underNewClient   the device has another token, or its database was lost and the second copy may have been behind: none
 *                    of its numbers is given again, and what is left goes under those that it has
 *   forked           numbers stand for other work on the server: a copy of the device gave them too, or the database went
 *                    back to an earlier state. What both have in common keeps its numbers, as carried; the rest gets new ones
 *   recarried        carried work whose numbers stand for other work gets others, the same ones on every device
 *   belowAll         refused or done in the sequence of another device: it becomes this device's own
 */
import { v5 as uuidOf } from 'uuid';
import { canonicalJson } from '../../shared/protocol/canonical-json.ts';
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

/** The numbers of a client up to `agreedSeq` stand for the same work on the server, as far as it has them; later ones may not. */
export interface SequenceConflict {
  client_id: string;
  agreedSeq: number;
  /** Absent from a server that keeps no chain: it holds no number of what is carried against what it has. */
  compared?: {
    /** Numbers that are known to stand for other work there. */
    otherSeqs: number[];
    /** The sequences went apart at the first of them; else those alone are other work. */
    isApart: boolean;
  };
}

/**
 * What is left of the sequence is carried, number by number held against the server's; where that cannot be, numbers that
 * the server may have are carried and the rest goes in its order under the new client id.
 */
export function forked(content: OutboxContent, conflict: SequenceConflict, client_id: string): OutboxContent {
  const { device, pending } = content;
  const { agreedSeq, compared } = conflict;
  const isOwn = conflict.client_id === device.client_id;
  const isUnanswered = ({ answer }: MutationBody) => answer === undefined;
  if (!isOwn) return recarried(content, (body) => isUnanswered(body) && isOtherWork(conflict)(body));
  if (compared) return underNewClient(content, client_id);
  const isKept = ({ seq }: MutationBody) => seq <= agreedSeq;
  const moved = underNewClient({ ...content, pending: pending.filter(isKept) }, client_id);
  const renewed = pending
    .filter((body) => !isKept(body) && !body.is_void)
    .map((body, index): MutationBody => ({ ...numbered(body, client_id, index + 1), state: 'pending' }));
  return { ...moved, device: { ...moved.device, last_seq: renewed.length }, pending: renewed };
}

function isOtherWork({ client_id, agreedSeq, compared }: SequenceConflict): (body: MutationBody) => boolean {
  if (!compared || compared.otherSeqs.length === 0)
    return (body) => body.client_id === client_id && body.seq > agreedSeq;
  const { otherSeqs, isApart } = compared;
  const others = new Set(otherSeqs);
  const lastSeq = Math.max(...otherSeqs);
  return (body) => body.client_id === client_id && (others.has(body.seq) || (isApart && body.seq > lastSeq));
}

/**
 * Carried work goes under other numbers, in its place. Whoever has the same work gives it the same ones: the client id is
 * made of the first of those that follow on each other. So it is taken once, also when a copy or an importer brings it too.
 */
export function recarried(content: OutboxContent, isMoved: (body: MutationBody) => boolean): OutboxContent {
  const runs = new Map<string, { client_id: string; first: number; last: number }>();
  const carried = content.carried.map((body) => {
    if (!isMoved(body)) return body;
    const { client_id, seq, place } = body;
    let run = runs.get(client_id);
    if (run?.last !== seq - 1) run = { client_id: derivedClientId(content.device, body), first: seq, last: seq };
    run.last = seq;
    runs.set(client_id, run);
    return { ...numbered(body, run.client_id, seq - run.first + 1), ...(place === undefined ? {} : { place }) };
  });
  return { ...content, carried };
}

/** A UUID (RFC 9562, 5.5) of the account, the work and the number that it has. */
function derivedClientId({ account_id = '' }: DeviceBody, work: MutationBody): string {
  const { client_id, seq, name, args, recorded_at } = work;
  return uuidOf(canonicalJson([account_id, client_id, seq, name, args, recorded_at]), derivedNamespace);
}

const derivedNamespace = '0c9f3f0e-3f64-4bb1-9a5e-6a3f5f2f8d11';

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
