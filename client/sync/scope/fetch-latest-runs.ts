/**
 * Fetches the totals of a map's latest runs by their start from the server, without excluded runs. The server filters
 * by the start, since a run with a low number may have begun last. Memory holds only the latest runs and one page.
 */
import type { RunTotals, TotalsPage, TotalsQuery } from './run-totals-request.ts';

export interface FetchedRuns {
  /** The fetched runs that are not on the device, by id. */
  runs: Map<number, RunTotals>;
  /** Each run that began at this time or later is known; -Infinity if all runs are known. */
  fromMs: number;
}

interface FetchOptions {
  mapId: string;
  /** The map's runs on the device, without excluded ones. */
  here: readonly RunTotals[];
  /** Tells whether the device decides about a run, so that the server's copy is ignored. */
  isHere: (runId: number) => boolean;
  runsMax: number;
  request: (query: TotalsQuery) => Promise<TotalsPage>;
  /** Called after each page with the number of runs received so far. */
  onProgress: (received: number) => void;
}

/** Limits a fetch to 20,000 runs. Only a map whose old runs arrived last needs so many. */
const pagesMax = 100;
const runsPerPage = 200;

export async function fetchLatestRuns(options: FetchOptions): Promise<FetchedRuns> {
  const { mapId, here, isHere, runsMax, request, onProgress } = options;
  let known: readonly RunTotals[] = selectLatest(here, runsMax);
  let received = 0;
  let pages = 0;
  const readPage = async (query: Omit<TotalsQuery, 'mapId'>): Promise<string | null> => {
    if (++pages > pagesMax) throw new Error(`more than ${pagesMax} pages of totals`);
    const { runs, next } = await request({ mapId, ...query });
    onProgress((received += runs.length));
    const added = new Map(runs.filter(({ id }) => !isHere(id)).map((run) => [run.id, run]));
    known = selectLatest([...known.filter(({ id }) => !added.has(id)), ...added.values()], runsMax);
    return next;
  };
  // Reads the newest runs by number first. The start of the oldest of them is a filter that shortens the list.
  let page: string | null = '';
  while (page !== null && known.length < runsMax) {
    page = await readPage({ limit: runsMax, ...(page && { page }) });
  }
  const isAll = page === null;
  const fromMs = startBoundMs(known, runsMax);
  for (page = isAll ? null : ''; page !== null;) {
    page = await readPage({ fromMs, limit: runsPerPage, ...(page && { page }) });
  }
  const runs = new Map(known.filter(({ id }) => !isHere(id)).map((run) => [run.id, run]));
  return { runs, fromMs: startBoundMs(known, runsMax) };
}

/** Returns the start of a run, or its arrival if it has no start. */
const startedMs = ({ started_at, created_at }: RunTotals): number => Date.parse(started_at ?? created_at);

/** Returns the latest runs, sorted by their start. */
export const selectLatest = (runs: readonly RunTotals[], runsMax: number): RunTotals[] =>
  runs
    // Parses each start once, since a desk may have 10,000 runs.
    .map((run) => ({ run, ms: startedMs(run) }))
    .toSorted((a, b) => a.ms - b.ms || a.run.number - b.run.number)
    .slice(-runsMax)
    .map(({ run }) => run);

/** Returns when the first of the `runsMax` runs of `latest` started; -Infinity if `latest` has fewer runs. */
export function startBoundMs(latest: readonly RunTotals[], runsMax: number): number {
  const [first] = latest;
  return first && latest.length >= runsMax ? startedMs(first) : -Infinity;
}
