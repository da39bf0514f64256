import type { RunTotals } from '../../../client.ts';

/** The medians over some runs of a trend. */
export interface RunMedians {
  /** The number of runs. */
  runs: number;
  /** The median of the runs' total times. */
  secs: number;
  /** The median of the runs' PCEs; null if no run has a PCE. */
  pce: number | null;
}

const startedAtMs = ({ started_at, created_at }: RunTotals): number => Date.parse(started_at ?? created_at);

/** Sorts the oldest run first. */
export const compareByStart = (a: RunTotals, b: RunTotals): number =>
  startedAtMs(a) - startedAtMs(b) || a.number - b.number;

/**
 * The border between before and after in a trend. `runId`: the first run after the border. `date`: the border is the
 * start of this day (YYYY-MM-DD).
 */
export type TrendBorder = { runId: number } | { date: string };

interface CountRunsBeforeOptions {
  /** The runs to divide, sorted by their start. */
  shown: readonly RunTotals[];
  /** All known runs, since the border's run may be older than the shown runs, or excluded from them. */
  all: readonly RunTotals[];
  border: TrendBorder | undefined;
}

/**
 * Returns how many shown runs began before the border; half of them if there is no border, or if its run is unknown.
 */
export function countRunsBefore({ shown, all, border }: CountRunsBeforeOptions): number {
  if (border && 'date' in border) {
    const borderMs = Date.parse(`${border.date}T00:00`);
    return shown.filter((run) => startedAtMs(run) < borderMs).length;
  }
  const borderRun = all.find(({ id }) => id === border?.runId);
  return borderRun ? shown.filter((run) => compareByStart(run, borderRun) < 0).length : Math.floor(shown.length / 2);
}

/** Returns undefined if there are no runs. */
export function runMediansOf(runs: readonly RunTotals[]): RunMedians | undefined {
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
