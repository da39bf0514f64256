/**
 * A client's rejections as they are kept: those that follow on each other with the same error are one row, so that a push of
 * nothing but broken mutations takes as little as one.
 */
import type { Problem } from '../../shared/protocol/problem.ts';
import type { ClientRow, Rejection } from './store.ts';

/** A row: the rejections `seq`..`last_seq`. */
interface RejectionRange {
  seq: number;
  last_seq: number;
  /** JSON text. */
  error: string;
}

/** The rows of those that are not kept yet. */
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

/** `ranges` is JSON text, with the errors as they are. A row may begin before `ackedSeq`. */
export function readRejections(ranges: string, ackedSeq: number): { seq: number; error: Problem }[] {
  const rows = JSON.parse(ranges) as { seq: number; last_seq: number; error: Problem }[];
  return rows.flatMap(({ seq, last_seq, error }) =>
    numbers(seq, last_seq, ackedSeq).map((one) => ({ seq: one, error })),
  );
}

export interface ClientColumns extends Omit<ClientRow, 'rejections'> {
  /** JSON text: the first and the last number of each row of rejections, in any order. */
  rejected: string;
}

/** A client as it is loaded: of its rejections only the numbers, since none is written twice. */
export function clientRow({ rejected, ...row }: ClientColumns): ClientRow {
  const ranges = JSON.parse(rejected) as [first: number, last: number][];
  const seqs = ranges.flatMap(([first, last]) => numbers(first, last, row.acked_seq));
  return { ...row, rejections: seqs.map((seq) => ({ seq })) };
}

function numbers(first: number, last: number, ackedSeq: number): number[] {
  const from = Math.max(first, ackedSeq + 1);
  return Array.from({ length: Math.max(0, last - from + 1) }, (_, index) => from + index);
}
