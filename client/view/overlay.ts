/** Holds the changes that unsettled mutations make to the base (the pulled records). */
import { apply } from '../../shared/domain/apply.ts';
import type {
  ChangedRecords,
  ApplyContext,
  ApplyOutcome,
  KnownUpload,
  DomainState,
} from '../../shared/domain/state.ts';
import type { MapDoc } from '../../shared/schema/map.ts';
import type { Mutation } from '../../shared/schema/mutation.ts';
import type { RunDoc } from '../../shared/schema/run.ts';
import type { MutationFields } from '../outbox/model/entry.ts';
import type { Base } from './base.ts';

export type MutationToReplay = Pick<MutationFields, 'name' | 'args' | 'recorded_at'>;

export class Overlay implements DomainState {
  readonly #base: Base;
  readonly #deviceId: string | null;
  /** The maps that unsettled mutations created or changed. */
  readonly maps = new Map<string, MapDoc>();
  /** The runs that unsettled mutations created or changed; null for a deleted run. */
  readonly runs = new Map<number, RunDoc | null>();

  #allMaps: MapDoc[] | undefined;
  readonly #runsOf = new Map<string, RunDoc[]>();
  /** The runs that unsettled uploads created, by recording session. */
  readonly #pendingSessions = new Map<string, KnownUpload>();

  constructor(base: Base, deviceId: string | null) {
    this.#base = base;
    this.#deviceId = deviceId;
  }

  /**
   * Replays one more mutation. A mutation that `apply` refuses changes nothing here; the server decides about it later.
   */
  replay(body: MutationToReplay): void {
    const outcome = this.dryRun(body);
    if (outcome.ok) this.applyChanges(outcome.changes);
  }

  /**
   * Returns the outcome that the mutation would have. The overlay stays as it is. `times` has the server's time and
   * replaces the device's time.
   */
  dryRun(body: MutationToReplay, times?: Pick<ApplyContext, 'now' | 'deviceClockBehindMs'>): ApplyOutcome {
    const mutation = { name: body.name, args: body.args } as unknown as Mutation;
    return apply(this, mutation, {
      now: body.recorded_at,
      deviceId: this.#deviceId,
      firstFreeId: 1,
      // A fingerprint tells different recordings of one session apart. A device makes only one recording for each
      // session.
      fingerprint: '',
      ...times,
    });
  }

  /** Returns all maps, also those in the recycle bin, newest first. The array stays the same until a map changes. */
  allMaps(): MapDoc[] {
    this.#allMaps ??= [...this.#newMaps().toReversed(), ...this.#pulledMapsWithChanges().toSorted(compareNewestFirst)];
    return this.#allMaps;
  }

  /** Returns the maps that the base lacks, in the order of the mutations that create them. */
  #newMaps(): MapDoc[] {
    return [...this.maps.values()].filter(({ id }) => !this.#base.maps.has(id));
  }

  #pulledMapsWithChanges(): MapDoc[] {
    return [...this.#base.maps.values()].map((doc) => this.maps.get(doc.id) ?? doc);
  }

  map(mapId: string): MapDoc | undefined {
    return this.maps.get(mapId) ?? this.#base.maps.get(mapId);
  }

  /** Returns undefined while the run's map is missing, since the first pull may bring a run before its map. */
  run(runId: number): RunDoc | undefined {
    const pending = this.runs.get(runId);
    const run = pending === undefined ? this.#base.runs.get(runId) : (pending ?? undefined);
    return run && this.map(run.map_id) ? run : undefined;
  }

  runWithSteps(runId: number): RunDoc | undefined {
    return this.run(runId);
  }

  isRunIdTaken(runId: number): boolean {
    return this.runs.has(runId) || this.#base.runs.has(runId);
  }

  isStageIdTaken(mapId: string, stageId: number): boolean {
    return this.map(mapId)?.stages.some(({ id }) => id === stageId) ?? false;
  }

  recordingSession(recordingSessionId: string): KnownUpload | undefined {
    const pending = this.#pendingSessions.get(recordingSessionId);
    if (pending) return pending;
    const run = this.#base.runs.get(this.#base.runIdOfSession.get(recordingSessionId) ?? 0);
    return run && toKnownUpload(run);
  }

  newestRun(mapId: string, exceptRunId: number): RunDoc | undefined {
    return this.runsOf(mapId).find(({ id }) => id !== exceptRunId);
  }

  /**
   * Returns undefined, since the device does not know the account's limit of maps. Only the server checks this limit.
   */
  mapUsage(): undefined {
    return undefined;
  }

  /** Returns the runs of a map, newest first. The array stays the same until the map or a run of it changes. */
  runsOf(mapId: string): RunDoc[] {
    const known = this.#runsOf.get(mapId);
    if (known) return known;
    const ids = new Set(this.map(mapId) ? this.#base.runIdsOfMap.get(mapId) : []);
    for (const [id, run] of this.runs) if (run?.map_id === mapId) ids.add(id);
    const runs = [...ids].flatMap((id) => this.run(id) ?? []).toSorted((a, b) => b.number - a.number);
    this.#runsOf.set(mapId, runs);
    return runs;
  }

  applyChanges({ map, newRun, changedRun, deletedRunId }: ChangedRecords): void {
    // Drop the cached list of runs whenever the map changes: each new or deleted run also changes its map.
    if (map) {
      this.maps.set(map.id, map);
      this.#runsOf.delete(map.id);
      this.#allMaps = undefined;
    }
    if (newRun) {
      this.runs.set(newRun.id, newRun);
      this.#pendingSessions.set(newRun.recording_session_id, toKnownUpload(newRun));
    }
    if (changedRun) {
      this.runs.set(changedRun.id, changedRun);
      this.#runsOf.delete(changedRun.map_id);
    }
    if (deletedRunId !== undefined) this.runs.set(deletedRunId, null);
  }
}

const toKnownUpload = ({ map_id, id }: RunDoc): KnownUpload => ({ fingerprint: '', map_id, run_id: id });

/**
 * Orders maps as the server does: by the version that created them. Maps from a server of an earlier version have
 * version 0 and come last.
 */
function compareNewestFirst(a: MapDoc, b: MapDoc): number {
  const byTime = () => compareText(b.created_at, a.created_at) || compareText(b.id, a.id);
  return b.created_version - a.created_version || byTime();
}

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
