/** What becomes of the outbox's mutations when the pull has told how far the server is with them. Pure. */
import type { ClientDoc } from '../../shared/protocol/pull.ts';
import type { Problem } from '../../shared/protocol/problem.ts';
import type { DeviceBody, MutationBody } from '../store/rows.ts';
import { isRecording } from './mutation.ts';

/** What the pull told: this device's record, if the server has one, and the epoch of the server's store. */
export interface Told {
  client: ClientDoc | undefined;
  epoch: string;
  /** The client is that of an earlier token: no more can be numbered under it. */
  carried?: boolean;
  /** Whether the very record that a mutation makes is among those that were pulled. */
  stands?: (body: MutationBody) => boolean;
  /** What a carried mutation was answered before this was pulled: null when it was done, undefined when it was not. */
  answerTo?: (body: MutationBody) => Problem | null | undefined;
}

export interface OutboxContent {
  device: DeviceBody;
  pending: MutationBody[];
  refused: MutationBody[];
  receipts: MutationBody[];
  discarded: MutationBody[];
  /** Of other devices. */
  carried: MutationBody[];
}

/** Done mutations go, recordings stay as receipts, refused ones wait for a person. */
export function settled(content: OutboxContent, { client }: Told, acknowledged_at: string): OutboxContent {
  if (!client) return content;
  const errors = new Map(client.rejections.map(({ seq, error }) => [seq, error]));
  const pending: MutationBody[] = [];
  const refused = [...content.refused];
  let receipts = [...content.receipts];
  for (const body of content.pending) {
    const error = errors.get(body.seq);
    if (body.seq > client.last_seq) pending.push(body);
    else if (body.is_void) continue;
    else if (error) refused.push({ ...body, state: 'refused', error });
    else if (isRecording(body)) receipts.push({ ...body, state: 'receipt', acknowledged_at });
    // A run that was deleted here is not brought back by its receipt.
    else if (body.name === 'delete_run') {
      receipts = receipts.filter(({ args }) => args['run_id'] !== body.args['run_id']);
    }
  }
  return { ...content, pending, refused, receipts };
}

/**
 * The same for what was carried here from another device, whose record does not come with the pull: the answers to its
 * push count once a pull has followed them. From then on it is this device's own, numbered below all that it made.
 */
export function carriedSettled(content: OutboxContent, { answerTo }: Told, acknowledged_at: string): OutboxContent {
  const answers = new Map(content.carried.map((body) => [body, answerTo?.(body)]));
  const answered = content.carried.filter((body) => answers.get(body) !== undefined && !body.is_void);
  const kept = answered.flatMap((body): MutationBody[] => {
    const error = answers.get(body);
    if (error) return [{ ...body, state: 'refused', error }];
    return isRecording(body) ? [{ ...body, state: 'receipt', acknowledged_at }] : [];
  });
  const own = belowAll(content, kept);
  return {
    ...content,
    carried: content.carried.filter((body) => answers.get(body) === undefined),
    refused: [...content.refused, ...own.filter(({ state }) => state === 'refused')],
    receipts: [...content.receipts, ...own.filter(({ state }) => state === 'receipt')],
  };
}

/** A clock that jumped ahead makes none old, since the newest receipt did not jump along. */
export function withoutOldReceipts(
  content: OutboxContent,
  { now, keptMsMax }: { now: string; keptMsMax: number },
): OutboxContent {
  const times = content.receipts.map(({ acknowledged_at }) => Date.parse(acknowledged_at ?? now));
  const before = Math.min(Date.parse(now), Math.max(...times)) - keptMsMax;
  return { ...content, receipts: content.receipts.filter((_receipt, index) => times[index]! >= before) };
}

/** With numbers of this device's own, in their order, below all that there are and below 1. */
export function belowAll(content: OutboxContent, bodies: MutationBody[]): MutationBody[] {
  const { client_id } = content.device;
  const numbers = [...content.refused, ...content.receipts, ...content.discarded].map(({ seq }) => seq);
  const lowest = numbers.reduce((least, seq) => Math.min(least, seq), 1);
  return bodies.map((body, index) => ({ ...body, client_id, seq: lowest - bodies.length + index }));
}

/**
 * Everything held, numbered anew under a new client id: receipts and pending mutations from 1 in their order, to be
 * offered to a server that lacks them; what is offered no more below, so that no two share a number.
 */
export function renumbered(content: OutboxContent, client_id: string): OutboxContent {
  const { device, pending, receipts, carried } = content;
  const offered = [...receipts, ...carried, ...pending].map((body, index): MutationBody => ({
    ...body,
    client_id,
    seq: index + 1,
    state: 'pending',
  }));
  const below = numberedBelow([...content.refused, ...content.discarded], client_id);
  return {
    ...below,
    device: { ...device, client_id, last_seq: offered.length },
    pending: offered,
    receipts: [],
    carried: [],
  };
}

/**
 * The same under the new client id of another token: the server goes on having what it had, so that only what is left is
 * pushed. Receipts keep their order before it, should they ever be offered again.
 */
export function carriedOver(content: OutboxContent, client_id: string): OutboxContent {
  const { device, refused, discarded, receipts } = content;
  const pending = content.pending.map((body, index) => ({ ...body, client_id, seq: index + 1 }));
  const below = numberedBelow([...receipts, ...refused, ...discarded], client_id);
  return { ...below, device: { ...device, client_id, last_seq: pending.length }, pending, carried: content.carried };
}

/**
 * The same after it was put back from a second copy that may have been behind: none of its numbers is given again. What
 * is left to push keeps its own, as work of another device, so that the server takes it once; what is made from now on
 * is numbered under the new client id.
 */
export function putBack(content: OutboxContent, client_id: string): OutboxContent {
  const { is_put_back: _isPutBack, ...device } = content.device;
  const pending = content.pending.map((body) => ({ ...body, state: 'carried' as const }));
  const below = numberedBelow([...content.receipts, ...content.refused, ...content.discarded], client_id);
  const carried = withPlaces(content, pending);
  return { ...below, device: { ...device, client_id, last_seq: 0 }, pending: [], carried };
}

/** What is carried, and behind it these: they may be of a device that carried work itself, and hang on that. */
export function withPlaces({ carried }: OutboxContent, bodies: MutationBody[]): MutationBody[] {
  const last = carried.reduce((most, { place = 0 }) => Math.max(most, place), 0);
  return [...carried, ...bodies.map((body, index) => ({ ...body, place: last + 1 + index }))];
}

function numberedBelow(
  bodies: MutationBody[],
  client_id: string,
): Pick<OutboxContent, 'refused' | 'receipts' | 'discarded'> {
  const placed = bodies
    .toSorted((a, b) => a.seq - b.seq)
    .map((body, index) => ({ ...body, client_id, seq: index - bodies.length + 1 }));
  const inState = (state: MutationBody['state']) => placed.filter((body) => body.state === state);
  return { refused: inState('refused'), receipts: inState('receipt'), discarded: inState('discarded') };
}
