/** Decides which mutations one push contains, and in which form they are sent. */
import type { PushedMutation } from '../../../shared/protocol/push.ts';
import { noopName } from '../../../shared/protocol/noop.ts';
import { digestOf } from '../../outbox/model/chain.ts';
import type { SendableEntry } from '../../outbox/model/entry.ts';
import type { RequestFailure } from '../net/failure.ts';

/**
 * Limits a batch, so that its upload takes less than a minute at the lowest accepted speed. During a longer upload, the
 * server would correct the recorded times of the mutations less exactly.
 */
export const batchBytesMax = 896 * 1024;
const mutationsPerBatchMax = 1_000;

export interface Batch {
  entries: readonly SendableEntry[];
  /** The size of the mutations as JSON in UTF-8. */
  bytes: number;
}

export const emptyBatch: Batch = { entries: [], bytes: 0 };

/**
 * The highest sequence number that the server had at the last push response. Pushes skip the mutations up to this
 * number, but only a pull or verified effects settle mutations.
 */
export interface ServerSeq {
  clientId: string;
  seq: number;
}

/** Returns the entries that the server lacks, according to its push responses. */
export function entriesToPush(
  unsettled: readonly SendableEntry[],
  { clientId, serverSeq }: { clientId: string; serverSeq: ServerSeq | undefined },
): SendableEntry[] {
  const receivedSeq = serverSeq?.clientId === clientId ? serverSeq.seq : 0;
  return unsettled.filter((entry) =>
    entry.state === 'forwarded' ? entry.answer === undefined : entry.seq > receivedSeq,
  );
}

/**
 * Returns the length of `entriesToPush`. Reads few entries, since the pending entries come after the forwarded ones and
 * are sorted by sequence number.
 */
export function countEntriesToPush(
  unsettled: readonly SendableEntry[],
  { clientId, serverSeq }: { clientId: string; serverSeq: ServerSeq | undefined },
): number {
  const receivedSeq = serverSeq?.clientId === clientId ? serverSeq.seq : 0;
  const pendingFrom = firstIndexWhere(unsettled, ({ state }) => state === 'pending');
  const unsentFrom = firstIndexWhere(unsettled, ({ state, seq }) => state === 'pending' && seq > receivedSeq);
  const forwarded = unsettled.slice(0, pendingFrom);
  return entriesToPush(forwarded, { clientId, serverSeq }).length + unsettled.length - unsentFrom;
}

/**
 * Finds the first item that fulfils the condition, by binary search. All items after it must fulfil the condition, too.
 */
function firstIndexWhere<Item>(items: readonly Item[], condition: (item: Item) => boolean): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (condition(items[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * Takes as many entries from the front as fit into a batch, at least one. The batch ends where the client id or the
 * device changes, since a push names one client id and has the times of one clock.
 */
export function nextBatch(toPush: readonly SendableEntry[], bytesMax: number): Batch {
  const entries: SendableEntry[] = [];
  let bytes = 0;
  for (const entry of toPush.slice(0, mutationsPerBatchMax)) {
    const first = entries[0] ?? entry;
    if (entry.client_id !== first.client_id || entry.is_foreign !== first.is_foreign) break;
    const size = utf8Encoder.encode(JSON.stringify(wireFieldsOf(entry))).length;
    if (entries.length > 0 && bytes + size > bytesMax) break;
    bytes += size;
    entries.push(entry);
  }
  return { entries, bytes };
}

export const hasSingleEntry = ({ entries }: Batch): boolean => entries.length === 1;

export const halvedBatchLimit = (bytesMax: number, { bytes }: Batch): number =>
  Math.max(1, Math.min(bytesMax, bytes) / 2);

export const doubledBatchLimit = (bytesMax: number): number => Math.min(batchBytesMax, bytesMax * 2);

/** True if the network was too slow for the batch: no response in time, or status 408 (Request Timeout). */
export function isNetworkTooSlow(failure: RequestFailure): boolean {
  if (failure.kind === 'unreachable') return failure.timedOut === true;
  return failure.kind === 'busy' && failure.problem.status === 408;
}

/**
 * The server accepts each mutation below this size. If it answers 413 to a smaller mutation, the size is not the cause.
 */
const oversizedBytesMin = 64 * 1024;

/**
 * Turns `too_large` into a temporary failure if the request had no mutation or one small mutation. The size then cannot
 * be the cause.
 */
export function busyFailureIfBatchIsSmall(failure: RequestFailure, batch: Batch): RequestFailure {
  if (failure.kind !== 'too_large' || batch.entries.length > 1 || batch.bytes >= oversizedBytesMin) return failure;
  return { ...failure, kind: 'busy', retryAfterMs: null };
}

/**
 * Adds a digest if the push lacks what the hash chain covers. For a noop, the chain covers the name and version of the
 * original mutation. For a mutation converted to a newer version, the chain covers the original version and args.
 */
export async function toPushedMutation(entry: SendableEntry): Promise<PushedMutation> {
  const isSentDifferently = entry.made_as !== undefined || entry.payload.kind === 'noop';
  return { ...wireFieldsOf(entry), ...(isSentDifferently ? { digest: await digestOf(entry) } : {}) };
}

function wireFieldsOf({ seq, name, args, version, recorded_at, payload }: SendableEntry): PushedMutation {
  if (payload.kind === 'noop') return { seq, name: noopName, args: {}, recorded_at };
  return { seq, name, args, recorded_at, ...(version === undefined ? {} : { version }) };
}

const utf8Encoder = new TextEncoder();
