/**
 * The row of a sync client. Consecutive rejections with equal errors are stored as one row with a range of sequence
 * numbers.
 */
import type { Problem } from '../../../shared/protocol/problem.ts';

export interface ClientRow {
  client_id: string;
  /** The device whose push wrote this row last. null if an API key authorized that push. */
  device_id: string | null;
  /**
   * When a push last wrote this row. null if an earlier version of the server, which did not store the time, got that
   * push.
   */
  seen_at: string | null;
  last_seq: number;
  acked_seq: number;
  /** The hash chain over the client's mutations up to `last_seq` (shared/protocol/chain.ts). */
  chain: string;
  version: number;
  /** The sequence numbers above `acked_seq` whose rejections are stored, in any order. */
  rejectedSeqs: number[];
  /** The rejections that the transaction must store. */
  newRejections: Rejection[];
}

interface Rejection {
  seq: number;
  error: Problem;
}

/** Counts the stored and the new rejections that the client has not acknowledged. */
export function countRejections({ rejectedSeqs, newRejections }: ClientRow): number {
  return rejectedSeqs.length + newRejections.length;
}

/** Rejections with the sequence numbers from `seq` to `last_seq`, all with the same error. */
interface RejectionRange {
  seq: number;
  last_seq: number;
  /** JSON text. */
  error: string;
}

export function toRejectionRanges(rejections: Rejection[]): RejectionRange[] {
  const ranges: RejectionRange[] = [];
  for (const { seq, error } of rejections.toSorted((a, b) => a.seq - b.seq)) {
    const text = JSON.stringify(error);
    const last = ranges.at(-1);
    if (last && last.last_seq === seq - 1 && last.error === text) last.last_seq = seq;
    else ranges.push({ seq, last_seq: seq, error: text });
  }
  return ranges;
}

/** Parses ranges of rejections from JSON text. Returns only rejections with sequence numbers above `ackedSeq`. */
export function parseRejections(ranges: string, ackedSeq: number): { seq: number; error: Problem }[] {
  const rows: { seq: number; last_seq: number; error: Problem }[] = JSON.parse(ranges);
  return rows.flatMap(({ seq, last_seq, error }) =>
    unacknowledgedSeqs(seq, last_seq, ackedSeq).map((one) => ({ seq: one, error })),
  );
}

export interface ClientColumns extends Omit<ClientRow, 'rejectedSeqs' | 'newRejections'> {
  /** JSON text: the first and last sequence number of each range of rejections, in any order. */
  rejected: string;
}

export function parseClientRow({ rejected, ...row }: ClientColumns): ClientRow {
  const ranges: [first: number, last: number][] = JSON.parse(rejected);
  const rejectedSeqs = ranges.flatMap(([first, last]) => unacknowledgedSeqs(first, last, row.acked_seq));
  return { ...row, rejectedSeqs, newRejections: [] };
}

function unacknowledgedSeqs(first: number, last: number, ackedSeq: number): number[] {
  const from = Math.max(first, ackedSeq + 1);
  return Array.from({ length: Math.max(0, last - from + 1) }, (_, index) => from + index);
}
