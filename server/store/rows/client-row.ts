/** The row of a sync client. Consecutive rejections with equal errors share one stored row, a range of numbers. */
import type { Problem } from '../../../shared/protocol/problem.ts';

export interface ClientRow {
  client_id: string;
  /** The device that pushed last; null for an API key. */
  device_id: string | null;
  /** The instant of the last push; null if only an earlier version of the server took the last push. */
  seen_at: string | null;
  last_seq: number;
  acked_seq: number;
  /** The hash chain over the client's mutations up to `last_seq` (shared/protocol/chain.ts). */
  chain: string;
  version: number;
  /** The rejections beyond `acked_seq`, in any order. */
  rejections: Rejection[];
}

export interface Rejection {
  seq: number;
  /** Absent when the rejection is stored already, since no rejection is written twice. */
  error?: Problem;
}

/** The rejections `seq`..`last_seq`, which share one error. */
interface RejectionRange {
  seq: number;
  last_seq: number;
  /** JSON text. */
  error: string;
}

/** Groups the rejections that are not stored yet into ranges. */
export function rejectionRanges(rejections: Rejection[]): RejectionRange[] {
  const ranges: RejectionRange[] = [];
  for (const { seq, error } of rejections.toSorted((a, b) => a.seq - b.seq)) {
    if (!error) continue;
    const text = JSON.stringify(error);
    const last = ranges.at(-1);
    if (last && last.last_seq === seq - 1 && last.error === text) last.last_seq = seq;
    else ranges.push({ seq, last_seq: seq, error: text });
  }
  return ranges;
}

/** Parses ranges of rejections from JSON text and returns the rejections beyond `ackedSeq`. */
export function readRejections(ranges: string, ackedSeq: number): { seq: number; error: Problem }[] {
  const rows: { seq: number; last_seq: number; error: Problem }[] = JSON.parse(ranges);
  return rows.flatMap(({ seq, last_seq, error }) =>
    unacknowledgedSeqs(seq, last_seq, ackedSeq).map((one) => ({ seq: one, error })),
  );
}

export interface ClientColumns extends Omit<ClientRow, 'rejections'> {
  /** JSON text: the first and last number of each range of rejections, in any order. */
  rejected: string;
}

/** Turns stored columns into a client's row whose rejections have numbers but no errors. */
export function clientRow({ rejected, ...row }: ClientColumns): ClientRow {
  const ranges: [first: number, last: number][] = JSON.parse(rejected);
  const seqs = ranges.flatMap(([first, last]) => unacknowledgedSeqs(first, last, row.acked_seq));
  return { ...row, rejections: seqs.map((seq) => ({ seq })) };
}

function unacknowledgedSeqs(first: number, last: number, ackedSeq: number): number[] {
  const from = Math.max(first, ackedSeq + 1);
  return Array.from({ length: Math.max(0, last - from + 1) }, (_, index) => from + index);
}
