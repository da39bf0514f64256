/**
 * Emits the runs of a map that started last: the device's own runs, merged with the totals of runs that only the server
 * has. If both have a run, emits the device's record, since it has the pending changes.
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
import { earliestStartMsOf, fetchLatestRuns, selectLatestRuns, type FetchedRuns } from './fetch-latest-runs.ts';
import { countRunsOnServer } from './runs-on-server.ts';

export interface LatestRuns {
  /** The latest runs without excluded ones, sorted by their start. */
  runs: RunTotals[];
  /** The control chart of the last 50 of `runs`; null if there are fewer than 8. */
  chart: ControlChart | null;
  /** How many of `runs` are not on this device. */
  fromServer: number;
  /** How many runs of the map are not on this device. */
  missing: number;
  /**
   * `complete`: the list is as if all runs of the map were on the device. `loading`: the device is asking the server.
   * `partial`: the device could not ask the server, so `runs` has only its own runs.
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
  /** Requests a page of runs without their steps from the server; rejects if the server is unreachable. */
  request: (query: TotalsQuery, signal: AbortSignal) => Promise<TotalsPage>;
}

interface TotalsFetch extends FetchedRuns {
  /** The version of the map and the number of missing runs for which this fetch was made. */
  key: string;
  state: LatestRuns['state'];
  received: number;
  /** Aborts the fetch when its outcome is no longer needed. */
  ended: AbortController;
}

export const latestRuns$ = (options: LatestRunsOptions): Observable<LatestRuns> =>
  new Observable((subscriber) => {
    const merge = new LatestRunsMerge(options, (latest) => subscriber.next(latest));
    // Also updates if only the map or the number of missing runs changes. The device's list may then be unchanged.
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
  /** The map's runs on the device, without excluded ones. */
  #here: readonly RunTotals[] = [];
  /** The current or last fetch; undefined while all runs are on the device. */
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

  /**
   * Forgets fetched runs that are on the device now, starts another fetch if the last one is outdated, and emits the
   * runs.
   */
  #refresh(): void {
    const missing = countMissingRuns(this.#options);
    const key = fetchKeyOf(this.#options);
    const isHere = runsHereFilter(this.#options);
    for (const id of this.#fetch?.runs.keys() ?? []) if (isHere(id)) this.#fetch?.runs.delete(id);
    const needsRuns = () =>
      earliestStartMsOf(this.#merged(), this.#options.runsMax) < (this.#fetch?.fromMs ?? -Infinity);
    if (missing === 0) this.end();
    else if (this.#fetch?.key !== key || needsRuns()) this.#start(key);
    const runs = this.#merged();
    const fromServer = runs.filter(({ id }) => this.#fetch?.runs.has(id)).length;
    const { state = 'complete', received = 0 } = this.#fetch ?? {};
    const timed = runs.slice(-runsPerCompareMax).map((run) => ({ run_id: run.id, secs: run.total_time_secs }));
    this.#emit({ runs, chart: controlChartOf(timed), fromServer, missing, state, received });
  }

  #merged = (): RunTotals[] =>
    selectLatestRuns([...this.#here, ...(this.#fetch?.runs.values() ?? [])], this.#options.runsMax);

  #start(key: string): void {
    const { mapId, runsMax, request } = this.#options;
    const ended = new AbortController();
    // Keeps the runs of the earlier fetch until the new ones arrive.
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
      isHere: runsHereFilter(this.#options),
      request: (query) => request(query, ended.signal),
      onProgress: (received) => change({ received }),
    }).then(
      (found) => change({ ...found, state: 'complete' }),
      () => change({ runs: new Map(), state: 'partial' }),
    );
  }
}

/**
 * Returns a key that changes when a run arrives at the server or is deleted there, and when this device loads or drops
 * a run.
 */
const fetchKeyOf = (options: LatestRunsOptions): string =>
  `${options.view.base.maps.get(options.mapId)?.version} ${countMissingRuns(options)}`;

const countMissingRuns = ({ view, mapId }: LatestRunsOptions): number =>
  countRunsOnServer(view.base).ofMap.get(mapId) ?? 0;

/**
 * Returns a function that tells whether the device has a run or a pending deletion of it. The server's copy of such a
 * run is ignored.
 */
function runsHereFilter({ view, outbox }: LatestRunsOptions): (runId: number) => boolean {
  const deleted = new Set<unknown>();
  for (const state of ['pending', 'forwarded'] as const) {
    for (const { name, args } of outbox.entries(state)) if (name === 'delete_run') deleted.add(args['run_id']);
  }
  return (runId) => view.base.runs.has(runId) || view.run(runId) !== undefined || deleted.has(runId);
}
