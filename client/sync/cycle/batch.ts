/** Decides what one push takes along, and gives each mutation its wire form. */
import type { PushedMutation } from '../../../shared/protocol/push.ts';
import { noopName } from '../../../shared/protocol/noop.ts';
import { digestOf } from '../../outbox/model/chain.ts';
import type { SendableEntry } from '../../outbox/model/entry.ts';
import type { Failure } from './failure.ts';

/** A batch is halved when it is too much. The slowest line takes less than a minute for it, as much as clocks may differ. */
export const batchBytesMax = 896 * 1024;
const mutationsPerBatchMax = 100;

export interface Batch {
  entries: readonly SendableEntry[];
  /** The size of their JSON. */
  bytes: number;
}

export const emptyBatch: Batch = { entries: [], bytes: 0 };

/** The last number that the server said it has: it only tells what to push next, until a pull proves it. */
export interface Taken {
  clientId: string;
  seq: number;
}

/** The entries that the server has not yet said to have taken. */
export function waitingOf(
  pending: readonly SendableEntry[],
  { clientId, taken }: { clientId: string; taken: Taken | undefined },
): SendableEntry[] {
  const takenSeq = taken?.clientId === clientId ? taken.seq : 0;
  return pending.filter((entry) => (entry.state === 'forwarded' ? entry.answer === undefined : entry.seq > takenSeq));
}

/** Takes the first waiting entries that share a client and a clock, as many as fit, at least one. */
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

/** The limit after a batch was too much. */
export const halved = (bytesMax: number, { bytes }: Batch): number => Math.max(1, Math.min(bytesMax, bytes) / 2);

/** The limit after a batch was taken. */
export const doubled = (bytesMax: number): number => Math.min(batchBytesMax, bytesMax * 2);

/** Whether the line was too slow for the batch: nothing came back in time, or the server said 408. */
export function isTooSlow(failure: Failure): boolean {
  if (failure.kind === 'unreachable') return failure.timedOut === true;
  return failure.kind === 'busy' && failure.problem.status === 408;
}

/** A smaller mutation is never too large: a server or proxy that says so counts as busy. */
const oversizedBytesMin = 64 * 1024;

/** Corrects a failure by the size of its batch. */
export function failureOfBatch(failure: Failure, batch: Batch): Failure {
  if (failure.kind !== 'too_large' || !isAlone(batch) || batch.bytes >= oversizedBytesMin) return failure;
  return { ...failure, kind: 'busy', retryAfterMs: null };
}

/** The digest goes along where the server would compute another one from the name and args. */
export async function wireOf(entry: SendableEntry): Promise<PushedMutation> {
  const isOther = entry.made_as !== undefined || entry.payload.kind === 'noop';
  return { ...fieldsOf(entry), ...(isOther ? { digest: await digestOf(entry) } : {}) };
}

function fieldsOf({ seq, name, args, version, recorded_at, payload }: SendableEntry): PushedMutation {
  if (payload.kind === 'noop') return { seq, name: noopName, args: {}, recorded_at };
  return { seq, name, args, recorded_at, ...(version === undefined ? {} : { version }) };
}

const utf8 = new TextEncoder();
