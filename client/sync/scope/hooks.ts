/**
 * Defines the hooks through which the engine calls a scope. The engine has no other link to scopes, so a device without
 * a scope loads no code of scopes.
 */
import type { Observable } from 'rxjs';
import type { PullResponse, RecordChange } from '../../../shared/protocol/pull.ts';
import type { RunScopeQuery } from '../../../shared/protocol/run-scope.ts';
import type { Lifetime } from '../../core/lifetime.ts';
import type { Outbox } from '../../outbox/outbox.ts';
import type { CursorBody, RecordBody } from '../../storage/rows.ts';
import type { Table } from '../../storage/table.ts';
import type { View } from '../../view/view.ts';
import type { Transport } from '../net/transport.ts';
import type { LatestRuns } from './latest-runs.ts';
import type { RunScopeBounds } from './run-scope.ts';
import type { RunsOnServer } from './runs-on-server.ts';

/** The parts of the engine that a scope needs. */
export interface ScopedEngine {
  /** The name of the device's database, which its tabs share. */
  name: string;
  records: Table<RecordBody>;
  outbox: Outbox;
  view: View;
  lifetime: Lifetime;
  clock: { wallMs(): number };
}

/** The engine's connection to the server, as far as a scope needs it. */
export interface ServerConnection {
  transport: Transport;
  /** Runs a round, so that the device has the runs that changed after its cursor. */
  sync: () => Promise<void>;
}

export interface NeededRunsContext {
  transport: Pick<Transport, 'requestJson'>;
  signal: AbortSignal;
}

/** The hooks of a pull. */
export interface PullScope {
  /** The scope as the parameters of a pull's request. */
  query: RunScopeQuery;
  /** Tells whether a device with this cursor must pull all records again, because its scope has changed. */
  isOutdated(stored: CursorBody): boolean;
  /**
   * Returns the fields of the next cursor row that describe the scope. `held` is the present cursor row if the pull
   * adds records; undefined if the pull replaces all records.
   */
  cursorFields(page: Pick<PullResponse, 'partial'>, held: CursorBody | undefined): Partial<CursorBody>;
  /**
   * Loads runs that the device needs although they are outside the scope. Uses the transport and signal of the pull.
   */
  neededChanges(pages: PullResponse[], request: NeededRunsContext): Promise<RecordChange[]>;
}

/** The outcome of a load: how many runs it brought, and which of the requested runs do not exist. */
export interface LoadedRuns {
  loaded: number;
  missing: number[];
}

/** The members that only an engine with a scope has. */
export interface ScopedVerbs {
  /** Emits the number of runs of the account that are not on this device: the total, and the number for each map. */
  runsOnServer$: Observable<RunsOnServer>;
  /**
   * Emits the runs of a map that started last, at most `runsMax`, without excluded runs. Runs that are not on this
   * device come from the server without their steps, and are not stored.
   */
  latestRuns$(mapId: string, runsMax: number): Observable<LatestRuns>;
  /**
   * Loads runs that are not on this device: the runs of `runIds`, or the map's missing runs with the highest numbers,
   * about 100. The device keeps them until it drops runs. Errors: `unreachable`, `unauthorized`, `rate_limited`.
   */
  loadRuns(mapId: string, runIds?: readonly number[]): Promise<LoadedRuns>;
}

/** The hooks of a scope that is attached to an engine. */
export interface AttachedScope {
  pull: PullScope;
  verbs: ScopedVerbs;
  /**
   * Returns an observable with the values of `source`. While it has a subscriber, the run (`run|5`) or the list of a
   * map's runs (`list|UUID`) that `key` names counts as shown in this tab.
   */
  watch<Value>(source: Observable<Value>, key: string): Observable<Value>;
  /** Loads the runs of `run_id` and `run_ids` that this device does not hold, before a verb uses them. */
  ensureRuns(args: object): Promise<void>;
  /** Must be called once the engine has a connection to the server. */
  connect(server: ServerConnection): void;
  /** Drops the runs beyond the scope. Only the leader calls this, when nothing is left to sync. */
  dropWhenIdle(): Promise<void>;
}

/** A scope for the option `scope` of `openGemba`, made by `runScope`. */
export interface RunScope {
  bounds: RunScopeBounds;
  /** @internal */
  attach(device: ScopedEngine): Promise<AttachedScope>;
}
