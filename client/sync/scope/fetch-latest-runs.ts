/**
 * Fetches a map's latest runs from the server, without their steps and without excluded runs. The latest runs are the
 * runs that started last, and even a run with a low number may be one of them. Memory holds only the latest runs and
 * one page.
 */
import type { RunTotals, TotalsPage, TotalsQuery } from './run-totals-request.ts';

export interface FetchedRuns {
  /** The fetched runs that are not on the device, by id. */
  runs: Map<number, RunTotals>;
  /** All runs that started at this time or later are known. -Infinity if all runs are known. */
  fromMs: number;
}

interface FetchOptions {
  mapId: string;
  /** The map's runs on the device, without excluded ones. */
  here: readonly RunTotals[];
  /** Tells whether the device has the run or a pending deletion of it. The server's copy of such a run is ignored. */
  isHere: (runId: number) => boolean;
  runsMax: number;
  request: (query: TotalsQuery) => Promise<TotalsPage>;
  /** Called after each page with the number of runs received so far. */
  onProgress: (received: number) => void;
}

/** Limits a fetch to 20,000 runs. It needs so many only if the last runs to arrive at the server started long ago. */
const pagesMax = 100;
const runsPerPage = 200;

export async function fetchLatestRuns(options: FetchOptions): Promise<FetchedRuns> {
  const { mapId, here, isHere, runsMax, request, onProgress } = options;
  let known: readonly RunTotals[] = selectLatestRuns(here, runsMax);
  let received = 0;
  let pages = 0;
  const readPage = async (query: Omit<TotalsQuery, 'mapId'>): Promise<string | null> => {
    if (++pages > pagesMax) throw new Error(`more than ${pagesMax} pages of totals`);
    const { runs, next } = await request({ mapId, ...query });
    onProgress((received += runs.length));
    const added = new Map(runs.filter(({ id }) => !isHere(id)).map((run) => [run.id, run]));
    known = selectLatestRuns([...known.filter(({ id }) => !added.has(id)), ...added.values()], runsMax);
    return next;
  };
  // Reads the runs with the highest numbers until `runsMax` runs are known. Then reads all runs that did not start
  // before the earliest of the known runs.
  let page: string | null = '';
  while (page !== null && known.length < runsMax) {
    page = await readPage({ limit: runsMax, ...(page && { page }) });
  }
  const isAll = page === null;
  const fromMs = earliestStartMsOf(known, runsMax);
  for (page = isAll ? null : ''; page !== null;) {
    page = await readPage({ fromMs, limit: runsPerPage, ...(page && { page }) });
  }
  const runs = new Map(known.filter(({ id }) => !isHere(id)).map((run) => [run.id, run]));
  return { runs, fromMs: earliestStartMsOf(known, runsMax) };
}

/** Returns the start of a run, or its arrival if it has no start. */
const startMsOf = ({ started_at, created_at }: RunTotals): number => Date.parse(started_at ?? created_at);

/** Returns the `runsMax` runs that started last, sorted by their start. */
export const selectLatestRuns = (runs: readonly RunTotals[], runsMax: number): RunTotals[] =>
  runs
    // Parses each start once, since a desk may have 10,000 runs.
    .map((run) => ({ run, ms: startMsOf(run) }))
    .toSorted((a, b) => a.ms - b.ms || a.run.number - b.run.number)
    .slice(-runsMax)
    .map(({ run }) => run);

/** Returns the start of the earliest run in `latest`; -Infinity if `latest` has fewer than `runsMax` runs. */
export function earliestStartMsOf(latest: readonly RunTotals[], runsMax: number): number {
  const [first] = latest;
  return first && latest.length >= runsMax ? startMsOf(first) : -Infinity;
}
