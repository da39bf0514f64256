/** Decides which mutations one push contains, and converts each mutation to its wire format. */
import type { PushedMutation } from '../../../shared/protocol/push.ts';
import { noopName } from '../../../shared/protocol/noop.ts';
import { digestOf } from '../../outbox/model/chain.ts';
import type { SendableEntry } from '../../outbox/model/entry.ts';
import type { Failure } from './failure.ts';

/** The largest batch. The slowest line uploads it in less than a minute, the most by which a mutation's time may be off. */
export const batchBytesMax = 896 * 1024;
const mutationsPerBatchMax = 100;

export interface Batch {
  entries: readonly SendableEntry[];
  /** The size of the entries as JSON. */
  bytes: number;
}

export const emptyBatch: Batch = { entries: [], bytes: 0 };

/** The last number that a push answer reported as taken. It decides what to push next; only a pull settles mutations. */
export interface Taken {
  clientId: string;
  seq: number;
}

/** The entries that no push answer has reported as taken yet. */
export function waitingOf(
  pending: readonly SendableEntry[],
  { clientId, taken }: { clientId: string; taken: Taken | undefined },
): SendableEntry[] {
  const takenSeq = taken?.clientId === clientId ? taken.seq : 0;
  return pending.filter((entry) => (entry.state === 'forwarded' ? entry.answer === undefined : entry.seq > takenSeq));
}

/**
 * Takes as many of the first waiting entries as fit into a batch, at least one. All have the same client id and were dated
 * by the same device's clock.
 */
export function nextBatch(waiting: readonly SendableEntry[], bytesMax: number): Batch {
  const entries: SendableEntry[] = [];
  let bytes = 0;
  for (const entry of waiting.slice(0, mutationsPerBatchMax)) {
    const first = entries[0] ?? entry;
    if (entry.client_id !== first.client_id || entry.is_foreign !== first.is_foreign) break;
    const size = utf8.encode(JSON.stringify(fieldsOf(entry))).length;
    if (entries.length > 0 && bytes + size > bytesMax) break;
    bytes += size;
    entries.push(entry);
  }
  return { entries, bytes };
}

export const isAlone = ({ entries }: Batch): boolean => entries.length === 1;

/** The size limit after a batch was too large or too slow. */
export const halved = (bytesMax: number, { bytes }: Batch): number => Math.max(1, Math.min(bytesMax, bytes) / 2);

/** The size limit after a batch was taken. */
export const doubled = (bytesMax: number): number => Math.min(batchBytesMax, bytesMax * 2);

/** Whether the line was too slow for the batch: no response came in time, or the server answered 408. */
export function isTooSlow(failure: Failure): boolean {
  if (failure.kind === 'unreachable') return failure.timedOut === true;
  return failure.kind === 'busy' && failure.problem.status === 408;
}

/** A smaller mutation cannot be too large: if it is refused with 413, the failure counts as busy and it is sent again. */
const oversizedBytesMin = 64 * 1024;

/** Treats `too_large` as busy if the refused batch is a single small mutation. */
export function failureOfBatch(failure: Failure, batch: Batch): Failure {
  if (failure.kind !== 'too_large' || !isAlone(batch) || batch.bytes >= oversizedBytesMin) return failure;
  return { ...failure, kind: 'busy', retryAfterMs: null };
}

/** Adds the digest for the hash chain if the server would compute another digest from the sent name and args. */
export async function wireOf(entry: SendableEntry): Promise<PushedMutation> {
  const isOther = entry.made_as !== undefined || entry.payload.kind === 'noop';
  return { ...fieldsOf(entry), ...(isOther ? { digest: await digestOf(entry) } : {}) };
}

function fieldsOf({ seq, name, args, version, recorded_at, payload }: SendableEntry): PushedMutation {
  if (payload.kind === 'noop') return { seq, name: noopName, args: {}, recorded_at };
  return { seq, name, args, recorded_at, ...(version === undefined ? {} : { version }) };
}

const utf8 = new TextEncoder();
