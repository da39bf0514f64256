/**
 * Gets from the server those runs of a map that count and are among the latest by their start. The server filters by
 * the start, since a run with a low number may have begun last. In memory are the latest runs and one page.
 */
import type { RunTotals, TotalsPage, TotalsQuery } from './run-totals-request.ts';

export interface FetchedRuns {
  /** The runs that are not on the device, by their ids. */
  runs: Map<number, RunTotals>;
  /** Every run that began later is known; -Infinity if all runs are. */
  fromMs: number;
}

interface FetchOptions {
  mapId: string;
  /** The runs on the device that count. */
  here: readonly RunTotals[];
  /** Tells whether the device decides about a run, so that the server's copy does not count. */
  isHere: (runId: number) => boolean;
  runsMax: number;
  request: (query: TotalsQuery) => Promise<TotalsPage>;
  /** Called with the number of runs that all pages so far had. */
  onProgress: (received: number) => void;
}

/** Bounds a fetch to 20,000 runs, which only a map reaches whose old runs arrived last. */
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
  // The newest by number give a start to filter by, which makes a short list of a long one.
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

/** A run without a start counts from its arrival. */
const startedMs = ({ started_at, created_at }: RunTotals): number => Date.parse(started_at ?? created_at);

/** Returns the latest runs, sorted by their start. */
export const selectLatest = (runs: readonly RunTotals[], runsMax: number): RunTotals[] =>
  runs
    // Each start is parsed once, since a desk has 10,000 runs.
    .map((run) => ({ run, ms: startedMs(run) }))
    .toSorted((a, b) => a.ms - b.ms || a.run.number - b.run.number)
    .slice(-runsMax)
    .map(({ run }) => run);

/** Returns the start of the first of the `runsMax` latest runs, sorted by their start; -Infinity if there are fewer. */
export function startBoundMs(latest: readonly RunTotals[], runsMax: number): number {
  const [first] = latest;
  return first && latest.length >= runsMax ? startedMs(first) : -Infinity;
}
