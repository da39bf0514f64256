/**
 * The numbers of the outbox's mutations. Pure. A sequence counts from 1 under one client id and has no gaps; the server
 * takes each number once. A number of 0 or less is never sent: it only names a mutation that is offered no more.
 *
 *   renumbered            the server has another store, or misses mutations: everything is offered again
 *   underNewClient        the device has another token, or was put back from a second copy that may have been behind: it
 *                         gives no number of the old client id again, and pending work keeps its numbers, as carried
 *   forked                numbers stand for other work on the server, since a copy of the device or a later state of its
 *                         database gave them: common work keeps its numbers, as carried, and the rest gets new ones
 *   underDerivedClients   carried work leaves numbers that stand for other work, for the same new ones on every device
 *   belowAll              work that was refused or done under another client id becomes this device's own
 */
import { v5 as uuidOf } from 'uuid';
import { canonicalJson } from '../../../shared/protocol/canonical-json.ts';
import { chainStart } from '../../../shared/protocol/chain.ts';
import { withPastClient } from '../../storage/journal/lineage.ts';
import { originOf, type DeviceBody, type MutationBody } from '../../storage/rows.ts';
import type { OutboxContent } from './content.ts';

/** Offers everything again under a new client id: receipts, carried and pending work from 1 on, the rest below 1. */
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
 * Makes pending work carried: with its numbers the server takes it once, whether a push under way, the device that it was
 * exported to, or this one brings it. The rest goes below 1, in its order.
 */
export function underNewClient(content: OutboxContent, client_id: string): OutboxContent {
  const isOwn = (body: MutationBody) => body.client_id === content.device.client_id;
  // The second copy may have put back work of an earlier client id.
  const inOrder = [...content.pending.filter((body) => !isOwn(body)), ...content.pending.filter(isOwn)];
  const pending = inOrder.map((body) => ({ ...body, state: 'carried' as const }));
  const below = numberedBelow([...content.receipts, ...content.refused, ...content.discarded], client_id);
  const carried = withPlaces(content, pending);
  return { ...below, device: underClient(content.device, client_id), pending: [], carried };
}

/** Up to `agreedSeq` a client's numbers stand for the same work on the server, as far as it has them; later ones may not. */
export interface SequenceConflict {
  client_id: string;
  agreedSeq: number;
  /** A server without a chain compares no carried work with its own: then it is absent. */
  compared?: {
    /** Known to stand for other work on the server. */
    otherSeqs: number[];
    /** The last number of the server is among them: what the device has behind it is other work, too. */
    hasDiverged: boolean;
  };
}

/**
 * Carries the pending work, for the server to compare number by number. A server that cannot is brought only the agreed
 * numbers so; later work goes under the new client id.
 */
export function forked(content: OutboxContent, conflict: SequenceConflict, client_id: string): OutboxContent {
  const { device, pending } = content;
  const { agreedSeq, compared } = conflict;
  const isOwn = conflict.client_id === device.client_id;
  const isUnanswered = ({ answer }: MutationBody) => answer === undefined;
  if (!isOwn) return underDerivedClients(content, (body) => isUnanswered(body) && isOtherWork(conflict)(body));
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
  const { otherSeqs, hasDiverged } = compared;
  const others = new Set(otherSeqs);
  const lastSeq = Math.max(...otherSeqs);
  return (body) => body.client_id === client_id && (others.has(body.seq) || (hasDiverged && body.seq > lastSeq));
}

/**
 * Moves carried work to client ids that every device derives alike, each from the first of a run of consecutive numbers:
 * the server takes it once, even if a copy or an importer brings it too. Its place stays.
 */
export function underDerivedClients(content: OutboxContent, isMoved: (body: MutationBody) => boolean): OutboxContent {
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

/** A UUID (RFC 9562, 5.5) made from the account, the work and its present number. */
function derivedClientId({ account_id = '' }: DeviceBody, work: MutationBody): string {
  const { client_id, seq, name, args, recorded_at } = work;
  return uuidOf(canonicalJson([account_id, client_id, seq, name, args, recorded_at]), derivedNamespace);
}

const derivedNamespace = '0c9f3f0e-3f64-4bb1-9a5e-6a3f5f2f8d11';

export function numbered(body: MutationBody, client_id: string, seq: number): MutationBody {
  const { withdrawn: _withdrawn, answer: _answer, place: _place, ...kept } = body;
  return { ...kept, client_id, seq, origin: originOf(body) };
}

/** The device under a client id that numbered and sent nothing yet. */
function underClient(device: DeviceBody, client_id: string): DeviceBody {
  const { is_put_back: _isPutBack, offered_seq: _offeredSeq, ...kept } = device;
  return { ...withPastClient(kept), client_id, last_seq: 0, proven_seq: 0, proven_chain: chainStart };
}

/** Places `bodies` behind the carried work, in their order: they may depend on it, and on each other. */
export function withPlaces({ carried }: OutboxContent, bodies: MutationBody[]): MutationBody[] {
  const last = carried.reduce((most, { place = 0 }) => Math.max(most, place), 0);
  return [...carried, ...bodies.map((body, index) => ({ ...body, place: last + 1 + index }))];
}

/** Numbers `bodies` as this device's own, in their order, below 1 and below all others. */
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
