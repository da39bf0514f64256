/**
 * Decides which messages a carrier has room for. Complete requests, answers and incomplete requests have a quota each,
 * so that a device that begins many requests and completes none takes no room from others. An undelivered request is
 * dropped only if it gives way. It gives way if it exceeds the share of its device, if it is shorter than any sealed
 * request, or if the server declined it often while answering other requests.
 */
import { sealedRequestBytesMin } from '../../shared/relay/media-types.ts';
import type { Message, MessageEntries } from './carried-index.ts';
import type { Carrying } from './carrier-verbs.ts';

/** Limits the bytes that one device can bring in one session, so that other devices find room. */
export const newBytesPerSessionMax = 4 * 1024 * 1024;
const messagesMax = 64;
const bytesMax = 16 * 1024 * 1024;
/**
 * A device's share of the held messages. One hand-over has about this many: some pushes of up to 896 KiB each, and a
 * pull.
 */
const messagesPerShareMax = 8;
const ageMsMax = 14 * 24 * 3_600_000;
/** Incomplete requests are dropped after a day. A device whose channel broke comes back earlier or seals again. */
const partialAgeMsMax = 24 * 3_600_000;
const answersBytesMax = 16 * 1024 * 1024;
const partialsMax = 16;
const partialsBytesMax = 4 * 1024 * 1024;

const withState = (messages: MessageEntries, ...states: Message['state'][]): MessageEntries =>
  messages.filter(([, { state }]) => states.includes(state));
const storedBytes = (messages: MessageEntries): number => messages.reduce((sum, [, { have }]) => sum + have, 0);

/** Returns the refused messages and then the answered messages, both from the oldest to the newest. */
const answeredOrRefused = (messages: MessageEntries): MessageEntries => [
  ...withState(messages, 'refused'),
  ...withState(messages, 'answered'),
];

export function summaryOf(messages: MessageEntries): Carrying {
  const carried = withState(messages, 'held', 'answered');
  return {
    messages: carried.length,
    bytes: storedBytes(carried),
    oldest_at: carried[0]?.[1].taken_at ?? null,
  };
}

export const freeBytesOf = (messages: MessageEntries): number =>
  Math.max(0, bytesMax - storedBytes(withState(messages, 'held')));

export interface Admission {
  toDrop: string[];
  givesWay: boolean;
}

/**
 * Decides which messages to drop so that one more complete request has room, and whether the request gives way. Returns
 * undefined if there is no room. `broughtIds` has the ids that the request's device has brought. Held messages that
 * give way make room for the request, unless the request gives way, too.
 */
export function admissionFor(
  messages: MessageEntries,
  total: number,
  broughtIds: ReadonlySet<string>,
): Admission | undefined {
  const held = withState(messages, 'held');
  const own = held.filter(([id]) => broughtIds.has(id));
  const isBeyondShare = own.length >= messagesPerShareMax || storedBytes(own) + total > newBytesPerSessionMax;
  const givesWay = isBeyondShare || total < sealedRequestBytesMin;
  const toDrop: string[] = [];
  let [count, bytes] = [held.length, storedBytes(held)];
  for (const [id, { have }] of givesWay ? [] : held.filter(([, { gives_way }]) => gives_way)) {
    if (count < messagesMax && bytes + total <= bytesMax) break;
    toDrop.push(id);
    count--;
    bytes -= have;
  }
  if (count >= messagesMax || bytes + total > bytesMax) return undefined;
  const tooMany = Math.max(0, count + answeredOrRefused(messages).length + 1 - messagesMax);
  const forgotten = answeredOrRefused(messages).slice(0, tooMany);
  return { toDrop: [...toDrop, ...forgotten.map(([id]) => id)], givesWay };
}

interface ExpiredMessages {
  toDrop: string[];
  /** The expired messages that stay for another period, counted from now. A message gets one such period at most. */
  toRedate: MessageEntries;
}

/**
 * Returns the expired messages. A held message expires only after a delivery in vain. An answered or refused message is
 * dropped only when it expires a second time, since the correction of a wrong clock can add years to its age.
 */
export function findExpired(
  messages: MessageEntries,
  { nowMs, triedInVain }: { nowMs: number; triedInVain: ReadonlySet<string> },
): ExpiredMessages {
  const isExpired = ([, { state, taken_at }]: MessageEntries[number]) =>
    nowMs - Date.parse(taken_at) > (state === 'receiving' ? partialAgeMsMax : ageMsMax);
  const expired = messages.filter((one) => isExpired(one) && (one[1].state !== 'held' || triedInVain.has(one[0])));
  const toRedate = withState(expired, 'answered', 'refused').filter(([, { dated_anew }]) => !dated_anew);
  const kept = new Set(toRedate.map(([id]) => id));
  return { toDrop: expired.flatMap(([id]) => (kept.has(id) ? [] : [id])), toRedate };
}

/** Returns the answers to drop so that one more answer fits, the oldest first. */
export function toDropForAnswer(messages: MessageEntries, bytes: number): string[] {
  const answered = withState(messages, 'answered');
  return firstUntilFits(answered, { bytes, bytesMax: answersBytesMax, countMax: messagesMax });
}

interface PartToPlace {
  key: string;
  bytes: number;
  /** Returns the origin of the session that is giving this message; undefined if no session is giving it. */
  originOf: (key: string) => object | undefined;
}

/**
 * Returns the incomplete requests to drop so that a part of the request `key` fits: first the requests that no session
 * is giving, and then the requests of the origin with the largest share of the bytes and places.
 */
export function toDropForPart(messages: MessageEntries, { key, bytes, originOf }: PartToPlace): string[] {
  const partials = withState(messages, 'receiving');
  const own = partials.find(([other]) => other === key)?.[1].have ?? 0;
  const shares = new Map<object, number>();
  const add = (one: string, have: number) => {
    const origin = originOf(one);
    const share = Math.max(have / partialsBytesMax, 1 / partialsMax);
    if (origin) shares.set(origin, (shares.get(origin) ?? 0) + share);
  };
  for (const [other, { have }] of partials) if (other !== key) add(other, have);
  add(key, own + bytes);
  const shareOf = (one: string) => shares.get(originOf(one) ?? {}) ?? Infinity;
  const others = partials.filter(([other]) => other !== key).toSorted(([a], [b]) => byShare(shareOf(a), shareOf(b)));
  return firstUntilFits(others, { bytes: own + bytes, bytesMax: partialsBytesMax, countMax: partialsMax });
}

/** Sorts the greatest share first. The test for equality is for infinite shares, whose difference is NaN. */
const byShare = (a: number, b: number): number => (a === b ? 0 : b - a);

/** Returns the first messages to drop so that one more message with `bytes` bytes fits. */
function firstUntilFits(
  present: MessageEntries,
  { bytes, bytesMax: max, countMax }: { bytes: number; bytesMax: number; countMax: number },
): string[] {
  let left = storedBytes(present);
  const dropped: string[] = [];
  for (const [id, { have }] of present) {
    const fits = left + bytes <= max && present.length - dropped.length < countMax;
    if (fits) break;
    dropped.push(id);
    left -= have;
  }
  return dropped;
}
