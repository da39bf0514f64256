/**
 * Implements the verbs of a device with a scope: counts and loads runs that the device does not hold, and drops runs
 * beyond the scope.
 */
import type { Observable } from 'rxjs';
import { distinctUntilChanged, map } from 'rxjs/operators';
import type { PullResponse, RecordChange } from '../../../shared/protocol/pull.ts';
import type { RunScopeQuery } from '../../../shared/protocol/run-scope.ts';
import type { RunDoc } from '../../../shared/schema/run.ts';
import { GembaError } from '../../core/errors.ts';
import { lowerCaseUuid } from '../../core/ids.ts';
import { mutex } from '../../core/mutex.ts';
import { cursorRowId, recordRowId } from '../../storage/rows.ts';
import { WriteConflict } from '../../storage/table.ts';
import { RequestError } from '../net/failure.ts';
import { requestRunTotals, type TotalsQuery } from './run-totals-request.ts';
import { runsToDrop } from './drop-runs.ts';
import type { LoadedRuns, NeededRunsContext, ScopedEngine, ServerConnection } from './hooks.ts';
import { latestRuns$, type LatestRuns } from './latest-runs.ts';
import { loadRunsByIds, loadRunsOfMap, type LoadRunsOptions } from './load-runs.ts';
import { loadNeededRuns } from './needed-runs.ts';
import { runListKey, runKey, ShownRuns } from './shown-runs.ts';
import { isSameScope } from './run-scope.ts';
import { isSameRunsOnServer, countRunsOnServer, type RunsOnServer } from './runs-on-server.ts';

/**
 * A device drops runs only when their number exceeds the scope's limit by this share. Otherwise each new run would
 * cause a drop.
 */
const excessShareMax = 0.05;

interface OtherRunsOptions extends ScopedEngine {
  query: RunScopeQuery;
  /** Returns the connection to the server; undefined until the engine has one. */
  server: () => ServerConnection | undefined;
}

export class OtherRuns {
  readonly shownRuns: ShownRuns;
  readonly runsOnServer$: Observable<RunsOnServer>;
  readonly #options: OtherRunsOptions;
  /**
   * Runs one write of records at a time, so that no load writes between the decision and the write of a drop. If a pull
   * writes in between, the write of the drop conflicts.
   */
  readonly #writeInTurn = mutex();
  #isDropping = false;
  /**
   * Counts the loads under way. While it is not 0, the device drops no runs, since the callers need the loaded runs.
   */
  #loadsUnderWay = 0;

  constructor(options: OtherRunsOptions) {
    this.#options = options;
    this.shownRuns = new ShownRuns(options.name);
    const { view } = options;
    this.runsOnServer$ = view.changed$.pipe(
      map(() => countRunsOnServer(view.base)),
      distinctUntilChanged(isSameRunsOnServer),
    );
  }

  async loadRuns(mapId: string, runIds?: readonly number[]): Promise<LoadedRuns> {
    const { base } = this.#options.view;
    const { cursor, runs } = base;
    // A server without scopes has sent all runs, and has no route for loads.
    if (cursor?.complete && cursor.partial === undefined) {
      return { loaded: 0, missing: (runIds ?? []).filter((id) => !runs.has(id)) };
    }
    const before = runs.size;
    const missing = runIds
      ? await this.loadByIds(runIds)
      : await this.#load((options) => loadRunsOfMap(options, lowerCaseUuid(mapId)));
    return { loaded: Math.max(0, runs.size - before), missing: missing ?? [] };
  }

  latestRuns$(mapId: string, runsMax: number): Observable<LatestRuns> {
    const { view, outbox, server } = this.#options;
    const request = async (query: TotalsQuery, signal: AbortSignal) => {
      const { transport } = server() ?? {};
      if (!transport) throw new GembaError({ code: 'unreachable', detail: 'The device is still opening.' });
      return requestRunTotals(transport.requestJson, query, signal);
    };
    return latestRuns$({ view, outbox, mapId: lowerCaseUuid(mapId), runsMax, request });
  }

  /** Loads the runs with these ids. Resolves to the ids of runs that do not exist. */
  loadByIds(runIds: readonly number[]): Promise<number[]> {
    return this.#load((options) => loadRunsByIds(options, runIds));
  }

  /** Loads the runs of `run_id` and `run_ids` that this device does not hold. */
  async ensureRuns(args: { run_id?: unknown; run_ids?: unknown }): Promise<void> {
    const { view } = this.#options;
    if (view.base.cursor?.partial === undefined) return;
    const asked: unknown[] = Array.isArray(args.run_ids) ? args.run_ids : [args.run_id];
    const lacking = asked.filter((id): id is number => isRunId(id) && !view.base.runs.has(id) && !view.run(id));
    if (lacking.length > 0) await this.loadByIds(lacking);
  }

  /** Drops the runs beyond the scope, if nothing is being loaded. */
  async dropWhenIdle(): Promise<void> {
    const { query } = this.#options;
    const { cursor, runs } = this.#options.view.base;
    // A server without scopes could not send dropped runs again.
    if (this.#isDropping || this.#loadsUnderWay > 0 || !cursor?.complete || cursor.partial === undefined) return;
    const isBeyond = runs.size > (query.runs_max ?? Infinity) * (1 + excessShareMax);
    if (!isBeyond && isSameScope(cursor.scope ?? {}, query)) return;
    this.#isDropping = true;
    try {
      await this.#writeInTurn(() => this.#dropNow());
    } catch (error) {
      // Another tab wrote meanwhile, or the storage refuses removals. The next idle moment tries again.
      if (error instanceof WriteConflict) await this.#options.records.refreshAll().catch(() => {});
    } finally {
      this.#isDropping = false;
    }
  }

  /** Loads the runs that a full pull leaves out because of the scope, but that the device needs. */
  async neededChanges(pages: PullResponse[], request: NeededRunsContext): Promise<RecordChange[]> {
    const { view, outbox } = this.#options;
    const page = pages.at(-1);
    if (page?.partial === undefined) return [];
    const needed = this.#needed(await this.shownRuns.keys());
    return loadNeededRuns({ ...request, base: view.base, outbox }, { pages, page, needed });
  }

  /**
   * Returns the ids of the runs that the device must keep: runs that the outbox names, even in refused mutations, and
   * runs that any tab shows.
   */
  #needed(shown: ReadonlySet<string>): Set<number> {
    const { outbox, view } = this.#options;
    const ids = new Set<number>();
    for (const state of ['pending', 'forwarded', 'refused'] as const) {
      for (const { args } of outbox.entries(state)) {
        // Skips invalid ids, which an imported file may contain.
        if (isRunId(args['run_id'])) ids.add(args['run_id']);
      }
    }
    for (const [id, { map_id }] of view.base.runs) {
      if (shown.has(runKey(id)) || shown.has(runListKey(map_id))) ids.add(id);
    }
    return ids;
  }

  async #load<Result>(work: (options: LoadRunsOptions) => Promise<Result>): Promise<Result> {
    const { records, outbox, lifetime, view } = this.#options;
    const server = this.#options.server();
    if (!server) throw new GembaError({ code: 'unreachable', detail: 'The device is still opening.' });
    const writeInTurn = this.#writeInTurn;
    const accountId = () => outbox.device.account_id;
    this.#loadsUnderWay++;
    try {
      // Waits for a drop under way. Otherwise the load would skip runs that the drop then removes.
      await writeInTurn(async () => {});
      return await lifetime.runUnawaited((signal) =>
        work({ base: view.base, records, accountId, writeInTurn, ...server, signal }),
      );
    } catch (error) {
      throw error instanceof RequestError ? gembaErrorOf(error) : error;
    } finally {
      this.#loadsUnderWay--;
    }
  }

  async #dropNow(): Promise<void> {
    const { query, clock, records } = this.#options;
    const { base } = this.#options.view;
    const shown = await this.shownRuns.keys();
    const { cursor } = base;
    if (!cursor) return;
    const needed = this.#needed(shown);
    const lastSeen = ({ id, map_id }: RunDoc) =>
      Math.max(this.shownRuns.lastSeen(runKey(id)), this.shownRuns.lastSeen(runListKey(map_id)));
    const isNarrowed = !isSameScope(cursor.scope ?? {}, query);
    const ids = runsToDrop({ base, scope: query, isNarrowed, needed, lastSeen, nowMs: clock.wallMs() });
    if (ids.length === 0 && !isNarrowed) return;
    const rowIds = ids.map((id) => recordRowId({ kind: 'run', id }));
    await records.write([{ id: cursorRowId, body: { ...cursor, scope: query } }], rowIds);
  }
}

const isRunId = (id: unknown): id is number => Number.isSafeInteger(id) && Number(id) > 0;

function gembaErrorOf({ failure }: RequestError): GembaError {
  if (failure.kind === 'unreachable') return new GembaError({ code: 'unreachable', detail: failure.detail });
  return new GembaError(failure.problem);
}
