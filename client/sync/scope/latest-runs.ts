/**
 * Emits the latest runs of a map by their start: those of the device, and the totals of those that the server alone has. The
 * device's own records always win, since they have its pending changes and what the last pull brought.
 *
 *   nothing missing ─► complete ◄── fetched ── loading ── failed ─► partial
 *                         └─ the map or the missing runs changed ──►┘▲
 */
import { combineLatest, Observable } from 'rxjs';
import { distinctUntilChanged, map } from 'rxjs/operators';
import { controlChartOf } from '../../../shared/domain/study/statistics.ts';
import { runsPerCompareMax } from '../../../shared/schema/limits.ts';
import type { RunRecord } from '../../../shared/schema/run.ts';
import type { ControlChart } from '../../../shared/schema/study.ts';
import type { Outbox } from '../../outbox/outbox.ts';
import type { View } from '../../view/view.ts';
import { totalsOf, type RunTotals, type TotalsPage, type TotalsQuery } from './run-totals-request.ts';
import { startBoundMs, fetchLatestRuns, selectLatest, type FetchedRuns } from './fetch-latest-runs.ts';
import { countRunsOnServer } from './runs-on-server.ts';

export interface LatestRuns {
  /** The latest runs that count, sorted by their start. */
  runs: RunTotals[];
  /** The control chart of the last 50 of `runs`; null for fewer than 8. */
  chart: ControlChart | null;
  /** How many of `runs` are on the server alone. */
  fromServer: number;
  /** How many runs of the map are not on the device. */
  missing: number;
  /**
   * `complete`: as if all runs of the map were on the device. `loading`: the server is being asked. `partial`: the
   * server could not be asked, and `runs` has those of the device alone.
   */
  state: 'complete' | 'loading' | 'partial';
  /** How many runs the server has sent so far. */
  received: number;
}

interface LatestRunsOptions {
  view: Pick<View, 'base' | 'changed$' | 'observed' | 'run'>;
  outbox: Pick<Outbox, 'entries'>;
  mapId: string;
  runsMax: number;
  /** Rejects without the server. */
  request: (query: TotalsQuery, signal: AbortSignal) => Promise<TotalsPage>;
}

interface TotalsFetch extends FetchedRuns {
  /** The state of the map's runs that this fetch fits. */
  key: string;
  state: LatestRuns['state'];
  received: number;
  ended: AbortController;
}

export const latestRuns$ = (options: LatestRunsOptions): Observable<LatestRuns> =>
  new Observable((subscriber) => {
    const merge = new LatestRunsMerge(options, (latest) => subscriber.next(latest));
    // A change of the map or of what is missing may leave the list as it is.
    const keys$ = options.view.changed$.pipe(
      map(() => fetchKeyOf(options)),
      distinctUntilChanged(),
    );
    subscriber.add(
      combineLatest([options.view.observed.runs$(options.mapId), keys$]).subscribe({
        next: ([runs]) => merge.update(runs),
        complete: () => subscriber.complete(),
      }),
    );
    subscriber.add(() => merge.end());
  });

class LatestRunsMerge {
  readonly #options: LatestRunsOptions;
  readonly #emit: (latest: LatestRuns) => void;
  /** The runs of the map on the device that count. */
  #here: readonly RunTotals[] = [];
  /** Undefined while all runs are on the device. */
  #fetch: TotalsFetch | undefined;

  constructor(options: LatestRunsOptions, emit: (latest: LatestRuns) => void) {
    this.#options = options;
    this.#emit = emit;
  }

  update(runsOfMap: readonly RunRecord[]): void {
    this.#here = runsOfMap.filter(({ excluded }) => !excluded).map(totalsOf);
    this.#refresh();
  }

  end(): void {
    this.#fetch?.ended.abort();
    this.#fetch = undefined;
  }

  /** Lets go of runs that came to the device, asks the server if what it said no longer fits, and emits. */
  #refresh(): void {
    const missing = missingCount(this.#options);
    const key = fetchKeyOf(this.#options);
    const isHere = isHereFor(this.#options);
    for (const id of this.#fetch?.runs.keys() ?? []) if (isHere(id)) this.#fetch?.runs.delete(id);
    const needsRuns = () => startBoundMs(this.#merged(), this.#options.runsMax) < (this.#fetch?.fromMs ?? -Infinity);
    if (missing === 0) this.end();
    else if (this.#fetch?.key !== key || needsRuns()) this.#start(key);
    const runs = this.#merged();
    const fromServer = runs.filter(({ id }) => this.#fetch?.runs.has(id)).length;
    const { state = 'complete', received = 0 } = this.#fetch ?? {};
    const timed = runs.slice(-runsPerCompareMax).map((run) => ({ run_id: run.id, secs: run.total_time_secs }));
    this.#emit({ runs, chart: controlChartOf(timed), fromServer, missing, state, received });
  }

  #merged = (): RunTotals[] =>
    selectLatest([...this.#here, ...(this.#fetch?.runs.values() ?? [])], this.#options.runsMax);

  #start(key: string): void {
    const { mapId, runsMax, request } = this.#options;
    const ended = new AbortController();
    // The runs of the fetch before stay until the new ones are here.
    const runs = this.#fetch?.runs ?? new Map<number, RunTotals>();
    this.end();
    const begun: TotalsFetch = { key, state: 'loading', received: 0, ended, runs, fromMs: -Infinity };
    this.#fetch = begun;
    const change = (changed: Partial<TotalsFetch>) => {
      if (this.#fetch !== begun) return;
      Object.assign(begun, changed);
      this.#refresh();
    };
    fetchLatestRuns({
      mapId,
      runsMax,
      here: this.#here,
      isHere: isHereFor(this.#options),
      request: (query) => request(query, ended.signal),
      onProgress: (received) => change({ received }),
    }).then(
      (found) => change({ ...found, state: 'complete' }),
      () => change({ runs: new Map(), state: 'partial' }),
    );
  }
}

/** Changes with each run that arrives at the server, leaves it, comes to the device or is dropped. */
const fetchKeyOf = (options: LatestRunsOptions): string =>
  `${options.view.base.maps.get(options.mapId)?.version} ${missingCount(options)}`;

const missingCount = ({ view, mapId }: LatestRunsOptions): number => countRunsOnServer(view.base).ofMap.get(mapId) ?? 0;

/** A deletion that waits in the outbox decides, too, also once the server has applied it and before the pull. */
function isHereFor({ view, outbox }: LatestRunsOptions): (runId: number) => boolean {
  const deleted = new Set<unknown>();
  for (const state of ['pending', 'forwarded'] as const) {
    for (const { name, args } of outbox.entries(state)) if (name === 'delete_run') deleted.add(args['run_id']);
  }
  return (runId) => view.base.runs.has(runId) || view.run(runId) !== undefined || deleted.has(runId);
}
