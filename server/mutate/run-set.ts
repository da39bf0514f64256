/** The runs that one transaction loads and changes, by id, by recording session and by map. */
import { assert } from '../../shared/domain/assert.ts';
import type { RunRow } from '../store/rows/documents.ts';
import type { ReadSet } from '../store/transaction.ts';
import { RowSet } from './row-set.ts';

export class RunSet {
  readonly #rows: RowSet<number, RunRow>;
  readonly #readSessions: ReadonlySet<string>;
  readonly #idBySession = new Map<string, number>();
  /**
   * The ids of each map's runs in the order of their numbers. Deleted runs at the end are removed by the next search.
   */
  readonly #idsByMap = new Map<string, number[]>();
  /** The maps that lost a loaded run in this transaction. */
  readonly #mapsWithLoss = new Set<string>();

  constructor(loaded: RunRow[], { runIds, deletedRunIds, recordingSessionIds }: ReadSet) {
    this.#rows = new RowSet(loaded, { keyOf: (run) => run.id, read: [...runIds, ...deletedRunIds] });
    this.#readSessions = new Set(recordingSessionIds);
    for (const run of loaded.toSorted((a, b) => a.number - b.number)) this.#index(run);
  }

  get(runId: number): RunRow | undefined {
    return this.#rows.get(runId);
  }

  ofSession(recordingSessionId: string): RunRow | undefined {
    const runId = this.#idBySession.get(recordingSessionId);
    assert(runId !== undefined || this.#readSessions.has(recordingSessionId), 'the session is in the read set');
    return runId === undefined ? undefined : this.#rows.get(runId);
  }

  /** Adds a run that a recording made. */
  add(run: RunRow): void {
    this.#rows.put(run);
    this.#index(run);
  }

  /** Marks the run as deleted. The row stays, since the run's id, number and recording session are never used again. */
  remove(runId: number, version: number): void {
    const run = this.#rows.get(runId);
    if (!run) return;
    if (this.#rows.loaded(runId)) this.#mapsWithLoss.add(run.map_id);
    this.#rows.put({ ...run, version, bytes: 0, doc: null });
  }

  changed(): RunRow[] {
    return this.#rows.changed();
  }

  /**
   * Returns the newest run of a map except the run that is about to be deleted. A run that this transaction made was not
   * loaded with its map's newest runs; `lastRunAtLoaded` then has the instant of the newest run before.
   */
  newest(
    mapId: string,
    but: { exceptRunId: number; lastRunAtLoaded: string | null },
  ): { created_at: string } | undefined {
    const found = this.#newestKnown(mapId, but.exceptRunId);
    if (found && !this.#rows.loaded(found.id)) return found;
    const lost = this.#mapsWithLoss.has(mapId) || this.#rows.loaded(but.exceptRunId) !== undefined;
    if (lost) return found;
    return but.lastRunAtLoaded === null ? undefined : { created_at: but.lastRunAtLoaded };
  }

  #newestKnown(mapId: string, exceptRunId: number): RunRow | undefined {
    const ids = this.#idsByMap.get(mapId) ?? [];
    while (ids.length > 0 && this.#rows.get(ids.at(-1)!)?.doc === null) ids.pop();
    const id = ids.findLast((runId) => runId !== exceptRunId && this.#rows.get(runId)?.doc);
    return id === undefined ? undefined : this.#rows.get(id);
  }

  #index(run: RunRow): void {
    this.#idBySession.set(run.recording_session_id, run.id);
    const ids = this.#idsByMap.get(run.map_id);
    if (ids) ids.push(run.id);
    else this.#idsByMap.set(run.map_id, [run.id]);
  }
}
