/** The runs that one transaction loads and changes, by id, by recording session and by map. */
import { assert } from '../../../shared/domain/assert.ts';
import { withoutStages } from '../../../shared/domain/map.ts';
import type { RunRow } from '../../store/rows/documents.ts';
import type { ReadSet } from '../../store/transaction.ts';
import { deletedRunBytesMax } from '../stored-bytes.ts';
import { RowSet } from './row-set.ts';

export class RunSet {
  readonly #rows: RowSet<number, RunRow>;
  /** The runs of `runIdsToChange`, loaded with their steps. Writing a run loaded without would delete its stored steps. */
  readonly #withSteps: ReadonlySet<number>;
  readonly #readSessions: ReadonlySet<string>;
  readonly #runIdBySession = new Map<string, number>();
  /** The run ids of each map in the order of the run numbers. `#newestInSet` drops deleted runs from the end. */
  readonly #runIdsByMap = new Map<string, number[]>();
  /** The maps of which this transaction deleted a loaded run. */
  readonly #mapsWithDeletedRun = new Set<string>();

  constructor(loaded: RunRow[], { runIds, runIdsToDelete, runIdsToChange, recordingSessionIds }: ReadSet) {
    this.#rows = new RowSet(loaded, {
      keyOf: (run) => run.id,
      read: [...runIds, ...runIdsToDelete, ...runIdsToChange],
    });
    this.#withSteps = new Set(runIdsToChange);
    this.#readSessions = new Set(recordingSessionIds);
    for (const run of loaded.toSorted((a, b) => a.number - b.number)) this.#index(run);
  }

  get(runId: number): RunRow | undefined {
    return this.#rows.get(runId);
  }

  runOfRecordingSession(recordingSessionId: string): RunRow | undefined {
    const runId = this.#runIdBySession.get(recordingSessionId);
    assert(runId !== undefined || this.#readSessions.has(recordingSessionId), 'the session is in the read set');
    return runId === undefined ? undefined : this.#rows.get(runId);
  }

  add(run: RunRow): void {
    this.#rows.put(run);
    this.#index(run);
  }

  /** Replaces the row of a run that was loaded with its steps, or that this transaction made. */
  change(row: RunRow): void {
    assert(this.#withSteps.has(row.id) || !this.#rows.loadedRow(row.id), 'a run to change is in the read set');
    this.#rows.put(row);
  }

  /**
   * Marks the run as deleted, and returns the bytes that this frees. The row stays, so that no other run gets the run's id,
   * number or recording session.
   */
  remove(runId: number, version: number): number {
    const run = this.#rows.get(runId);
    if (!run) return 0;
    if (this.#rows.loadedRow(runId)) this.#mapsWithDeletedRun.add(run.map_id);
    const bytes = Math.min(run.bytes, deletedRunBytesMax);
    this.#rows.put({ ...run, version, map_then: withoutStages(run.map_then), bytes, doc: null });
    return run.bytes - bytes;
  }

  changedRows(): RunRow[] {
    return this.#rows.changedRows();
  }

  /**
   * Returns the newest run of a map except `exceptRunId`. If the map's newest runs are not loaded, returns the time of the
   * newest stored run, `lastRunAtLoaded`.
   */
  newest(
    mapId: string,
    { exceptRunId, lastRunAtLoaded }: { exceptRunId: number; lastRunAtLoaded: string | null },
  ): { created_at: string } | undefined {
    const newest = this.#newestInSet(mapId, exceptRunId);
    if (newest && !this.#rows.loadedRow(newest.id)) return newest;
    const areNewestLoaded = this.#mapsWithDeletedRun.has(mapId) || this.#rows.loadedRow(exceptRunId) !== undefined;
    if (areNewestLoaded) return newest;
    return lastRunAtLoaded === null ? undefined : { created_at: lastRunAtLoaded };
  }

  #newestInSet(mapId: string, exceptRunId: number): RunRow | undefined {
    const ids = this.#runIdsByMap.get(mapId) ?? [];
    while (ids.length > 0 && this.#rows.get(ids.at(-1)!)?.doc === null) ids.pop();
    const id = ids.findLast((runId) => runId !== exceptRunId && this.#rows.get(runId)?.doc);
    return id === undefined ? undefined : this.#rows.get(id);
  }

  #index(run: RunRow): void {
    this.#runIdBySession.set(run.recording_session_id, run.id);
    const ids = this.#runIdsByMap.get(run.map_id);
    if (ids) ids.push(run.id);
    else this.#runIdsByMap.set(run.map_id, [run.id]);
  }
}
