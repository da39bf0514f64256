/**
 * The view's maps and runs as observables. A list emits when it is a new object. A document emits when it is a new
 * object or when its `pending` changes. Each changed list and document is a new object. A rebuild of the overlay, such
 * as after a pull, also makes new objects of all lists and of all pending records.
 */
import type { Observable } from 'rxjs';
import { distinctUntilChanged, map } from 'rxjs/operators';
import { toFullMap, withoutStages } from '../../shared/domain/map.ts';
import type { FullMap, MapRecord } from '../../shared/schema/map.ts';
import type { RunDoc, RunRecord } from '../../shared/schema/run.ts';
import type { Overlay } from './overlay.ts';

/** A record; `pending` is true if an unsettled mutation created or changed it. */
export type Pending<Record> = Record & { pending: boolean };

interface ObservedRecordsOptions {
  changed$: Observable<number>;
  /** Returns the current overlay. A pull replaces it by a new one. */
  overlay: () => Overlay;
}

export class ObservedRecords {
  readonly #changed$: Observable<number>;
  readonly #overlay: () => Overlay;

  constructor({ changed$, overlay }: ObservedRecordsOptions) {
    this.#changed$ = changed$;
    this.#overlay = overlay;
  }

  /** Emits the maps in the recycle bin if `deleted`, otherwise all other maps, newest first. */
  maps$(deleted: boolean): Observable<Pending<MapRecord>[]> {
    return this.#changed$.pipe(
      map(() => this.#overlay().allMaps()),
      distinctUntilChanged(),
      map((docs) =>
        docs
          .filter((doc) => doc.deleted === deleted)
          .map((doc) => ({ ...withoutStages(doc), pending: this.#overlay().maps.has(doc.id) })),
      ),
    );
  }

  map$(mapId: string): Observable<Pending<FullMap> | undefined> {
    return this.#doc$(
      () => this.#overlay().map(mapId),
      () => this.#overlay().maps.has(mapId),
    ).pipe(map((found) => found && { ...toFullMap(found.doc), pending: found.pending }));
  }

  runs$(mapId: string): Observable<Pending<RunRecord>[]> {
    return this.#changed$.pipe(
      map(() => this.#overlay().runsOf(mapId)),
      distinctUntilChanged(),
      map((docs) =>
        docs.map(({ steps: _steps, recorded_steps: _recorded, ...record }) => ({
          ...record,
          pending: this.#overlay().runs.has(record.id),
        })),
      ),
    );
  }

  run$(runId: number): Observable<Pending<RunDoc> | undefined> {
    return this.#doc$(
      () => this.#overlay().run(runId),
      () => this.#overlay().runs.has(runId),
    ).pipe(map((found) => found && { ...found.doc, pending: found.pending }));
  }

  /** Emits a document when it is a new object or its `pending` changes. A changed document is always a new object. */
  #doc$<Doc>(select: () => Doc | undefined, isPending: () => boolean) {
    return this.#changed$.pipe(
      map(() => ({ doc: select(), pending: isPending() })),
      distinctUntilChanged((a, b) => a.doc === b.doc && a.pending === b.pending),
      map(({ doc, pending }) => (doc === undefined ? undefined : { doc, pending })),
    );
  }
}
