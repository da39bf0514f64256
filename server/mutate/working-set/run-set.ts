/** The runs that one transaction loads and changes, by id, by recording session and by map. */
import { assert } from '../../../shared/domain/assert.ts';
import { withoutStages } from '../../../shared/domain/map.ts';
import type { RunRowWithoutSteps, RunRow } from '../../store/rows/documents.ts';
import type { LoadedRows, ReadSet } from '../../store/transaction.ts';
import { deletedRunBytesMax } from '../stored-bytes.ts';
import { RowSet } from './row-set.ts';

export class RunSet {
  /** The runs that were loaded with their steps, and the changed runs. */
  readonly #rows: RowSet<number, RunRow>;
  /** The runs that were loaded without their steps. Writing such a row would delete its stored steps. */
  readonly #loadedWithoutSteps: ReadonlyMap<number, RunRowWithoutSteps>;
  readonly #read: ReadonlySet<number>;
  readonly #readSessions: ReadonlySet<string>;
  readonly #runIdBySession = new Map<string, number>();
  /** The run ids of each map in the order of the run numbers. The ids of deleted runs may be missing. */
  readonly #runIdsByMap = new Map<string, number[]>();
  /** The maps of which this transaction deleted a loaded run. */
  readonly #mapsWithDeletedRun = new Set<string>();

  constructor(
    { runs, runsWithSteps }: Pick<LoadedRows, 'runs' | 'runsWithSteps'>,
    { runIds, runIdsToDelete, runIdsToChange, recordingSessionIds }: ReadSet,
  ) {
    this.#rows = new RowSet(runsWithSteps, { keyOf: (run) => run.id, read: runIdsToChange });
    this.#loadedWithoutSteps = new Map(runs.map((run) => [run.id, run]));
    this.#read = new Set([...runIds, ...runIdsToDelete, ...runIdsToChange]);
    this.#readSessions = new Set(recordingSessionIds);
    for (const run of [...runs, ...runsWithSteps].toSorted((a, b) => a.number - b.number)) this.#index(run);
  }

  get(runId: number): RunRowWithoutSteps | undefined {
    const row = this.#find(runId);
    assert(row !== undefined || this.#read.has(runId), `${runId} is in the read set`);
    return row;
  }

  /** Throws if the run was loaded without its steps. */
  getWithSteps(runId: number): RunRow | undefined {
    return this.#rows.get(runId);
  }

  runOfRecordingSession(recordingSessionId: string): RunRowWithoutSteps | undefined {
    const runId = this.#runIdBySession.get(recordingSessionId);
    assert(runId !== undefined || this.#readSessions.has(recordingSessionId), 'the session is in the read set');
    return runId === undefined ? undefined : this.#find(runId);
  }

  add(run: RunRow): void {
    this.#rows.put(run);
    this.#index(run);
  }

  change(row: RunRow): void {
    this.#rows.put(row);
  }

  /**
   * Marks the run as deleted, and returns the bytes that this frees. The row stays, so that no other run gets the run's
   * id, number or recording session.
   */
  remove(runId: number, version: number): number {
    const run = this.get(runId);
    if (!run) return 0;
    if (this.#isLoaded(runId)) this.#mapsWithDeletedRun.add(run.map_id);
    const bytes = Math.min(run.bytes, deletedRunBytesMax);
    this.#rows.put({ ...run, version, map_then: withoutStages(run.map_then), bytes, doc: null });
    return run.bytes - bytes;
  }

  changedRows(): RunRow[] {
    return this.#rows.changedRows();
  }

  /**
   * Returns the newest run of a map except `exceptRunId`. If the map's newest runs are not loaded, returns
   * `lastRunAtLoaded`, the time of the map's newest stored run.
   */
  newest(
    mapId: string,
    { exceptRunId, lastRunAtLoaded }: { exceptRunId: number; lastRunAtLoaded: string | null },
  ): { created_at: string } | undefined {
    const newest = this.#newestInSet(mapId, exceptRunId);
    if (newest && !this.#isLoaded(newest.id)) return newest;
    const areNewestLoaded = this.#mapsWithDeletedRun.has(mapId) || this.#isLoaded(exceptRunId);
    if (areNewestLoaded) return newest;
    return lastRunAtLoaded === null ? undefined : { created_at: lastRunAtLoaded };
  }

  #find(runId: number): RunRowWithoutSteps | undefined {
    return this.#rows.getIfLoaded(runId) ?? this.#loadedWithoutSteps.get(runId);
  }

  #isLoaded(runId: number): boolean {
    return this.#loadedWithoutSteps.has(runId) || this.#rows.loadedRow(runId) !== undefined;
  }

  #newestInSet(mapId: string, exceptRunId: number): RunRowWithoutSteps | undefined {
    const ids = this.#runIdsByMap.get(mapId) ?? [];
    while (ids.length > 0 && this.#find(ids.at(-1)!)?.doc === null) ids.pop();
    const id = ids.findLast((runId) => runId !== exceptRunId && this.#find(runId)?.doc);
    return id === undefined ? undefined : this.#find(id);
  }

  #index(run: RunRowWithoutSteps): void {
    this.#runIdBySession.set(run.recording_session_id, run.id);
    const ids = this.#runIdsByMap.get(run.map_id);
    if (ids) ids.push(run.id);
    else this.#runIdsByMap.set(run.map_id, [run.id]);
  }
}
