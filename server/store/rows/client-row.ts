/** The row of a sync client. Consecutive rejections with equal errors are stored as one row, which has a range of numbers. */
import type { Problem } from '../../../shared/protocol/problem.ts';

export interface ClientRow {
  client_id: string;
  /** The device that pushed last. null if an API key pushed last. */
  device_id: string | null;
  /** When the client last pushed. null if the last push was to an earlier version of the server, which did not store it. */
  seen_at: string | null;
  last_seq: number;
  acked_seq: number;
  /** The hash chain over the client's mutations up to `last_seq` (shared/protocol/chain.ts). */
  chain: string;
  version: number;
  /** The rejections with numbers above `acked_seq`, in any order. */
  rejections: Rejection[];
}

interface Rejection {
  seq: number;
  /** Absent if the rejection is stored already. The store writes only rejections that have an error. */
  error?: Problem;
}

/** The rejections with the numbers from `seq` to `last_seq`, which have the same error. */
interface RejectionRange {
  seq: number;
  last_seq: number;
  /** JSON text. */
  error: string;
}

/** Groups the rejections that are not stored yet into ranges with equal errors. */
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

/** Parses ranges of rejections from JSON text. Returns the rejections with numbers above `ackedSeq`. */
export function readRejections(ranges: string, ackedSeq: number): { seq: number; error: Problem }[] {
  const rows: { seq: number; last_seq: number; error: Problem }[] = JSON.parse(ranges);
  return rows.flatMap(({ seq, last_seq, error }) =>
    unacknowledgedSeqs(seq, last_seq, ackedSeq).map((one) => ({ seq: one, error })),
  );
}

export interface ClientColumns extends Omit<ClientRow, 'rejections'> {
  /** JSON text: a list with the first and last number of each range of rejections, in any order. */
  rejected: string;
}

/** Makes a client's row from its columns. The rejections have no errors, since they are stored already. */
export function clientRow({ rejected, ...row }: ClientColumns): ClientRow {
  const ranges: [first: number, last: number][] = JSON.parse(rejected);
  const seqs = ranges.flatMap(([first, last]) => unacknowledgedSeqs(first, last, row.acked_seq));
  return { ...row, rejections: seqs.map((seq) => ({ seq })) };
}

function unacknowledgedSeqs(first: number, last: number, ackedSeq: number): number[] {
  const from = Math.max(first, ackedSeq + 1);
  return Array.from({ length: Math.max(0, last - from + 1) }, (_, index) => from + index);
}
