/** Collections of TanStack DB that show what a Gemba device shows, its unsent work included (`pending`). */
import { BasicIndex, deepEquals, type CollectionConfig } from '@tanstack/db';
import type { Gemba, MapRecord, Pending, RunRecord } from 'gemba';
import type { Observable } from 'rxjs';

type Handlers<Row extends object, Key extends string | number> = Pick<
  CollectionConfig<Row, Key>,
  'onInsert' | 'onUpdate' | 'onDelete'
>;

interface GembaCollection<Row extends object, Key extends string | number> extends Handlers<Row, Key> {
  id: string;
  /** Any list of the engine, such as `gemba.maps$`. */
  list: (gemba: Gemba) => Observable<readonly Row[]>;
}

/** Without handlers the collection refuses writes, and the app calls the engine's verbs. */
export function gembaCollectionOptions<Key extends string | number, Row extends { id: Key }>(
  gemba: Gemba,
  { list, ...options }: GembaCollection<Row, Key>,
): CollectionConfig<Row, Key> {
  return {
    ...options,
    getKey: ({ id }) => id,
    // Joins and filters of live queries make the indexes that they need.
    autoIndex: 'eager',
    defaultIndexType: BasicIndex,
    sync: {
      rowUpdateMode: 'full',
      sync: ({ begin, write, commit, markReady, markError }) => {
        let shown = new Map<Key, Row>();
        const subscription = list(gemba).subscribe({
          next: (rows) => {
            const next = new Map(rows.map((row) => [row.id, row]));
            begin();
            for (const [key, value] of next) {
              const before = shown.get(key);
              if (!before) write({ type: 'insert', value });
              else if (!deepEquals(before, value)) write({ type: 'update', value });
            }
            for (const key of shown.keys()) if (!next.has(key)) write({ type: 'delete', key });
            commit();
            shown = next;
            markReady();
          },
          error: markError,
        });
        return () => subscription.unsubscribe();
      },
    },
  };
}

/** The maps. A draft that changes becomes a verb, which is done once it is on the disk, long before it is pulled. */
export const mapsOptions = (gemba: Gemba): CollectionConfig<Pending<MapRecord>, string> =>
  gembaCollectionOptions(gemba, {
    id: 'gemba-maps',
    list: ({ maps$ }) => maps$,
    onUpdate: async ({ transaction }) => {
      for (const { key, changes } of transaction.mutations) await gemba.updateMap(String(key), changes);
    },
  });

/** The runs of one map, which are changed by verbs alone. */
export const runsOptions = (gemba: Gemba, mapId: string): CollectionConfig<Pending<RunRecord>, number> =>
  gembaCollectionOptions(gemba, { id: `gemba-runs-${mapId}`, list: ({ runs$ }) => runs$(mapId) });
