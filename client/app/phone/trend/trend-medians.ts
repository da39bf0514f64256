import type { RunRecord } from '../../../../shared/schema/run.ts';

export interface Medians {
  runs: number;
  secs: number;
  /** Null if none of the runs has a PCE. */
  pce: number | null;
}

export type TrendRun = Pick<RunRecord, 'id' | 'total_time_secs' | 'pce'>;

/**
 * Returns the medians of the runs before the run `fromId`, and of that run and the later ones. Without such runs, a
 * median is undefined.
 */
export function mediansAround(runs: readonly TrendRun[], fromId: number) {
  const index = runs.findIndex(({ id }) => id === fromId);
  const split = index < 0 ? runs.length : index;
  return { before: mediansOf(runs.slice(0, split)), after: mediansOf(runs.slice(split)) };
}

function mediansOf(runs: readonly TrendRun[]): Medians | undefined {
  const secs = median(runs.map(({ total_time_secs }) => total_time_secs));
  if (secs === undefined) return undefined;
  return { runs: runs.length, secs, pce: median(runs.flatMap(({ pce }) => pce ?? [])) ?? null };
}

function median(values: readonly number[]): number | undefined {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.floor((sorted.length - 1) / 2)];
  return upper === undefined || lower === undefined ? undefined : (upper + lower) / 2;
}
