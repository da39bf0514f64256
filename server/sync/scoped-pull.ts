/**
 * The first pull of a device with a scope: all maps, then the runs of the scope, the newest first, then what changed
 * since the pull began. The last part makes the records consistent, since each page before it saw the account at
 * another moment.
 *
 *   maps ──► runs of the scope ──► changes since the first page, the client's record last
 */
import type { PullQuery, RecordChange } from '../../shared/protocol/pull.ts';
import { pullableKinds } from '../../shared/protocol/pullable-kinds.ts';
import type { RunScopeQuery } from '../../shared/protocol/run-scope.ts';
import type { World } from '../core/world.ts';
import { positionAfterAllRuns, type ChangesPage, type ChangesQuery, type RunPosition } from '../store/queries.ts';
import type { Store } from '../store/store.ts';
import type { Cursor, ScopedPull } from './cursor.ts';

interface ScopedPullServices {
  store: Store;
  world: Pick<World, 'now'>;
}

interface ScopedQuery extends Pick<ChangesQuery, 'limit' | 'clientId'> {
  cursor: Cursor;
  scope: RunScopeQuery;
}

export interface ScopedPage {
  changes: RecordChange[];
  cursor: Cursor;
  hasMore: boolean;
  /** True if some runs are outside of the scope. Present on the last page. */
  partial?: boolean;
}

/** Returns undefined if the query names no scope, or wants no runs. */
export function scopeOf({ runs_max, runs_days, runs_per_map, kinds }: PullQuery): RunScopeQuery | undefined {
  if (kinds !== undefined && !kinds.split(',').includes('run')) return undefined;
  if (runs_max === undefined && runs_days === undefined && runs_per_map === undefined) return undefined;
  return {
    ...(runs_max === undefined ? {} : { runs_max }),
    ...(runs_days === undefined ? {} : { runs_days }),
    ...(runs_per_map === undefined ? {} : { runs_per_map }),
  };
}

/**
 * Returns true if more runs changed after the cursor than the scope has. A new first pull is then less work for the
 * device.
 */
export async function isBeyondScope(
  store: Store,
  accountId: string,
  { after, page, scope }: { after: number; page: ChangesPage; scope: RunScopeQuery },
): Promise<boolean> {
  const { runs_max: count } = scope;
  if (count === undefined || page.accountVersion - after <= count) return false;
  return store.haveMoreRunsChanged(accountId, { after, count });
}

export async function pullScoped(
  services: ScopedPullServices,
  accountId: string,
  query: ScopedQuery,
): Promise<ScopedPage> {
  const changes: RecordChange[] = [];
  let cursor = query.cursor;
  for (;;) {
    const part = await readPart(services, accountId, { ...query, cursor, limit: query.limit - changes.length });
    changes.push(...part.changes);
    cursor = part.cursor;
    const { scoped } = part.cursor;
    const isLast = !part.hasMore && !scoped;
    if (isLast) return { ...part, changes };
    if (part.hasMore || changes.length >= query.limit) return { changes, cursor, hasMore: true };
  }
}

function readPart(services: ScopedPullServices, accountId: string, query: ScopedQuery): Promise<ScopedPage> {
  const { scoped, began } = query.cursor;
  if (!scoped || began === undefined) return readFirstMaps(services, accountId, query);
  const pull = { ...query, began, scoped };
  const { start, before } = scoped;
  if (!start) return readLaterChanges(services, accountId, pull);
  return before
    ? readRuns(services, accountId, { ...pull, start, before })
    : readMaps(services, accountId, { ...pull, start });
}

const msPerDay = 86_400_000;

/**
 * Finds the oldest run of the scope before reading anything, so that `runs_max` and `runs_days` mean the same runs on
 * all pages. `runs_per_map` is not in the cursor: each page applies the value of its own query.
 */
async function readFirstMaps(services: ScopedPullServices, accountId: string, query: ScopedQuery): Promise<ScopedPage> {
  const { runs_max, runs_days } = query.scope;
  const newest = runs_max === undefined ? undefined : await services.store.startOfNewestRuns(accountId, runs_max);
  const oldestMs = runs_days === undefined ? 0 : services.world.now() - runs_days * msPerDay;
  const start = newest && newest.createdMs >= oldestMs ? newest : { createdMs: Math.max(0, oldestMs), id: 0 };
  return readMaps(services, accountId, { ...query, start, scoped: { missing: 0, start } });
}

interface ScopedReadOptions extends ScopedQuery {
  /** The version when the pull began; absent before the first page. */
  began?: number;
  scoped: ScopedPull;
  start: RunPosition;
}

async function readMaps(
  { store }: ScopedPullServices,
  accountId: string,
  query: ScopedReadOptions,
): Promise<ScopedPage> {
  const { cursor, limit, start, scoped, began } = query;
  const page = await store.changes(accountId, { after: cursor.version, limit, kinds: ['map'] });
  const missing = page.changes.reduce(
    (sum, change) => sum + (change.kind === 'map' ? (change.doc?.run_count ?? 0) : 0),
    scoped.missing,
  );
  const next = page.hasMore ? { missing, start } : { missing, start, before: positionAfterAllRuns };
  const beganVersion = began ?? page.accountVersion;
  return {
    changes: page.changes,
    cursor: { version: page.hasMore ? page.version : beganVersion, began: beganVersion, scoped: next },
    hasMore: page.hasMore,
  };
}

async function readRuns(
  { store }: ScopedPullServices,
  accountId: string,
  { limit, scope, start, before, began, scoped }: ScopedReadOptions & { began: number; before: RunPosition },
): Promise<ScopedPage> {
  const runsPerMap = scope.runs_per_map;
  const page = await store.runsInScope(accountId, {
    start,
    before,
    limit,
    ...(runsPerMap === undefined ? {} : { runsPerMap }),
  });
  const missing = scoped.missing - page.runs.length;
  const last = page.runs.at(-1);
  const next =
    page.hasMore && last
      ? { missing, start, before: { createdMs: Date.parse(last.created_at), id: last.id } }
      : { missing };
  return {
    changes: page.runs.map((doc) => ({ kind: 'run', id: doc.id, version: doc.version, deleted: false, doc })),
    cursor: { version: began, began, scoped: next },
    hasMore: page.hasMore,
  };
}

async function readLaterChanges(
  { store }: ScopedPullServices,
  accountId: string,
  { cursor, limit, clientId, began, scoped }: Omit<ScopedReadOptions, 'start'> & { began: number },
): Promise<ScopedPage> {
  const client = clientId === undefined ? {} : { clientId };
  // If the client's record is older than the pull, the changes since the pull began lack the record. The record is read
  // before the changes, so that the changes have the effects of each mutation that the record names.
  const [own] = clientId === undefined ? [] : await readClient(store, accountId, clientId);
  const page = await store.changes(accountId, {
    after: cursor.version,
    limit,
    kinds: pullableKinds,
    deletedAfter: began,
    ...client,
  });
  const added = own && !page.changes.some(({ kind }) => kind === 'client') ? [own] : [];
  if (page.hasMore || page.changes.length + added.length > limit) {
    return { changes: page.changes, cursor: { version: page.version, began, scoped }, hasMore: true };
  }
  return {
    changes: [...page.changes, ...added],
    cursor: { version: page.version },
    hasMore: false,
    partial: scoped.missing > 0,
  };
}

const readClient = async (store: Store, accountId: string, clientId: string): Promise<RecordChange[]> =>
  (await store.changes(accountId, { after: 0, limit: 1, kinds: [], clientId })).changes;
