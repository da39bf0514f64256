/** The engine calls these hooks of a scope and has no other code of scopes, so that a device without one loads none. */
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

/** The parts of a device that pulls a part of the runs. */
export interface ScopedDevice {
  /** The name of the device's database, which its tabs share. */
  name: string;
  records: Table<RecordBody>;
  outbox: Outbox;
  view: View;
  lifetime: Lifetime;
  clock: { wallMs(): number };
}

/** The parts of an engine that speak with the server. */
export interface ScopeServer {
  transport: Transport;
  /** Pulls, so that the device has the runs that changed after its cursor. */
  sync: () => Promise<void>;
}

export interface NeededRunsRequest {
  transport: Pick<Transport, 'requestJson'>;
  signal: AbortSignal;
}

export interface PullScope {
  query: RunScopeQuery;
  /** Tells whether a device with this cursor must pull all that its scope is now. */
  isOutdated(stored: CursorBody): boolean;
  /** The fields of the next cursor row. `held` is the cursor of the records that the pull adds to, if any. */
  cursorFields(page: Pick<PullResponse, 'partial'>, held: CursorBody | undefined): Partial<CursorBody>;
  /** Loads runs outside the scope that the device still needs, by the way that the pull takes. */
  neededChanges(pages: PullResponse[], request: NeededRunsRequest): Promise<RecordChange[]>;
}

/** The outcome of a load: how many runs it brought, and which of those asked for do not exist. */
export interface LoadedRuns {
  loaded: number;
  missing: number[];
}

/** An engine with a scope has these besides. */
export interface ScopedVerbs {
  /** Emits how many runs of the account are not on this device, in all and for each map that has such runs. */
  runsOnServer$: Observable<RunsOnServer>;
  /**
   * Emits the latest runs of a map by their start, at most `runsMax`, without those that are excluded. The totals of
   * runs that are not here come from the server, and are not stored.
   */
  latestRuns$(mapId: string, runsMax: number): Observable<LatestRuns>;
  /**
   * Loads runs that are not here: those of `runIds`, or about the 100 newest of the map that are missing. The device
   * keeps them until it needs the room. Errors: `unreachable`, `unauthorized`, `rate_limited`.
   */
  loadRuns(mapId: string, runIds?: readonly number[]): Promise<LoadedRuns>;
}

export interface AttachedScope {
  pull: PullScope;
  verbs: ScopedVerbs;
  /** Counts a subscription as a look at a run (`run|5`), or at the runs of a map (`list|UUID`). */
  watch<Value>(source: Observable<Value>, key: string): Observable<Value>;
  /** Loads the runs of `run_id` or `run_ids` that are not here, before a verb uses them. */
  ensureRuns(args: object): Promise<void>;
  /** Must be called once the engine can speak with the server. */
  connect(server: ScopeServer): void;
  /** Drops what is beyond the scope. Only the leader calls this, when nothing is left to sync. */
  dropWhenIdle(): Promise<void>;
}

/** Made by `runScope`. */
export interface RunScope {
  bounds: RunScopeBounds;
  /** @internal */
  attach(device: ScopedDevice): Promise<AttachedScope>;
}
