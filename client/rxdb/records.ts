/** Streams changes of the engine's maps and runs. Each id is a text, as RxDB needs it. */
import { combineLatest, Observable, type Subscription } from 'rxjs';
import { distinctUntilChanged, map } from 'rxjs/operators';
import { deepEqual } from 'rxdb/plugins/utils';
import type { FullMap, Gemba, Pending, RunDoc } from '../client.ts';

/**
 * A map with its stages, analytics and `pending`. It has no `deleted`, which RxDB reserves: maps in the recycle bin are
 * left out.
 */
export type MapDocument = Omit<Pending<FullMap>, 'deleted' | 'deleted_at'>;
/**
 * A run with its steps and `pending`. Its `id` is the text `String(run.id)`, and `revision` is called `steps_revision`,
 * since RxDB needs text ids and reserves `revision`.
 */
export type RunDocument = Omit<Pending<RunDoc>, 'id' | 'revision'> & { id: string; steps_revision?: number };

export interface Identified {
  id: string;
}

/** A changed record; `record` is undefined if the engine no longer shows it. */
export interface RecordChange {
  id: string;
  record: Identified | undefined;
}

export interface Records<Doc extends Identified> {
  /** Emits all records on subscription, then each changed record. Completes when the engine closes. */
  changes$: Observable<RecordChange>;
  /** Returns the part of a document that `changes$` emits. */
  recordOf(doc: Doc): Identified;
  /** Returns the whole document of a record; undefined if the engine shows no such record. */
  documentOf(id: string): Doc | undefined;
}

export const mapRecordsOf = (gemba: Gemba): Records<MapDocument> => ({
  changes$: changesOfLists(
    idsOf(gemba.maps$),
    (mapId) => gemba.map$(mapId).pipe(map((doc) => (doc ? [doc] : []))),
    (doc) => doc,
  ),
  recordOf: (doc) => doc,
  documentOf: (id) => currentOf(gemba.map$(id)),
});

/**
 * A record of a run has no steps, so comparisons ignore the steps. A correction of the steps still counts as a change,
 * since it changes `steps_revision`.
 */
export const runRecordsOf = (gemba: Gemba): Records<RunDocument> => ({
  changes$: changesOfLists(
    combineLatest([idsOf(gemba.maps$), idsOf(gemba.deletedMaps$)]).pipe(map((ids) => ids.flat())),
    (mapId) => gemba.runs$(mapId),
    withRxdbNames,
  ),
  recordOf: ({ steps: _steps, recorded_steps: _recorded, ...record }) => record,
  documentOf: (id) => {
    const run = currentOf(gemba.run$(Number(id)));
    return run && withRxdbNames(run);
  },
});

const withRxdbNames = <Run extends { id: number; revision?: number }>({ id, revision, ...run }: Run) => ({
  ...run,
  id: String(id),
  ...(revision === undefined ? {} : { steps_revision: revision }),
});

const idsOf = (list$: Observable<readonly Identified[]>): Observable<string[]> =>
  list$.pipe(
    map((list) => list.map(({ id }) => id)),
    distinctUntilChanged(deepEqual),
  );

/**
 * Returns the value that an observable of the engine emits on subscription. If the observable fails, throws its error.
 */
function currentOf<Value>(source$: Observable<Value>): Value | undefined {
  let current: Value | undefined;
  let failure: { error: unknown } | undefined;
  const subscription = source$.subscribe({
    next: (value) => (current = value),
    error: (error: unknown) => (failure = { error }),
  });
  subscription.unsubscribe();
  if (failure) throw failure.error;
  return current;
}

interface FollowedList<Row> {
  rows: ReadonlyMap<string, Row>;
  subscription?: Subscription;
}

/** Follows one list of rows for each key. Emits each changed row as a record. */
function changesOfLists<Row extends { id: string | number }>(
  keys$: Observable<readonly string[]>,
  listOf$: (key: string) => Observable<readonly Row[]>,
  toRecord: (row: Row) => Identified,
): Observable<RecordChange> {
  return new Observable((subscriber) => {
    const followed = new Map<string, FollowedList<Row>>();

    function emitChanges(list: FollowedList<Row>, rows: ReadonlyMap<string, Row>): void {
      const before = list.rows;
      list.rows = rows;
      for (const [id, row] of rows) {
        if (!isSameRow(before.get(id), row)) subscriber.next({ id, record: toRecord(row) });
      }
      for (const id of before.keys()) if (!rows.has(id)) subscriber.next({ id, record: undefined });
    }
    function follow(key: string): void {
      const list: FollowedList<Row> = { rows: new Map() };
      followed.set(key, list);
      list.subscription = listOf$(key).subscribe({
        next: (rows) => emitChanges(list, new Map(rows.map((row) => [String(row.id), row]))),
        error: (error) => subscriber.error(error),
      });
    }
    function unfollow(key: string, list: FollowedList<Row>): void {
      followed.delete(key);
      list.subscription?.unsubscribe();
      emitChanges(list, new Map());
    }

    subscriber.add(() => followed.forEach(({ subscription }) => subscription?.unsubscribe()));
    subscriber.add(
      keys$.subscribe({
        next: (keys) => {
          const wanted = new Set(keys);
          for (const [key, list] of followed) if (!wanted.has(key)) unfollow(key, list);
          for (const key of wanted) if (!followed.has(key)) follow(key);
        },
        error: (error) => subscriber.error(error),
        complete: () => subscriber.complete(),
      }),
    );
  });
}

/** Compares values by identity before content. After a pull, most values of 10,000 runs are still the same objects. */
function isSameRow(before: object | undefined, after: object): boolean {
  if (!before) return false;
  for (const name in before) if (!isSameValue(before, after, name)) return false;
  for (const name in after) if (!(name in before)) return false;
  return true;
}

function isSameValue(before: object, after: object, name: string): boolean {
  const [old, now] = [before as Record<string, unknown>, after as Record<string, unknown>];
  return old[name] === now[name] || deepEqual(old[name], now[name]);
}
