/**
 * A model of an account: all records that `apply` made, in memory and without a database. Tests compare the real stores
 * and devices with the model. Its records are frozen, so that a rule that changed its inputs would throw.
 */
import { apply } from '../../shared/domain/apply.ts';
import { fingerprintText } from '../../shared/domain/recording-fingerprint.ts';
import type { ChangedRecords, MapUsage, ApplyOutcome, KnownUpload, DomainState } from '../../shared/domain/state.ts';
import type { Plan } from '../../shared/schema/account.ts';
import type { MapDoc } from '../../shared/schema/map.ts';
import type { Mutation } from '../../shared/schema/mutation.ts';
import type { RunDoc } from '../../shared/schema/run.ts';

export interface Circumstances {
  now: string;
  deviceId?: string | null;
}

/** A run. Its id, number and session are never used again, even after the run is deleted. */
export interface ModelRun {
  id: number;
  map_id: string;
  number: number;
  created_at: string;
  session: string;
  fingerprint: string;
  /** null once the run is deleted. */
  doc: RunDoc | null;
}

export class AccountModel implements DomainState {
  readonly maps = new Map<string, MapDoc>();
  /** Runs by id, in the order in which they were made. */
  readonly runs = new Map<number, ModelRun>();
  readonly plan: Plan;
  nextId: number;
  version = 0;
  readonly #stageIds = new Set<string>();
  readonly #sessions = new Map<string, KnownUpload>();

  constructor({ plan = 'team', nextId = 1 }: { plan?: Plan; nextId?: number } = {}) {
    this.plan = plan;
    this.nextId = nextId;
  }

  /** Applies the mutation and keeps its changes, as the server does in one transaction. */
  commit(mutation: Mutation, { now, deviceId = null }: Circumstances): ApplyOutcome {
    const fingerprint = fingerprintOf(mutation);
    const context = { now, deviceId, firstFreeId: this.nextId, fingerprint };
    const outcome = apply(this, deepFreeze(mutation), Object.freeze(context));
    if (outcome.ok) {
      this.#storeChanges(outcome.changes, fingerprint);
      this.nextId += outcome.idsTaken;
    }
    return deepFreeze(outcome);
  }

  #storeChanges({ map, newRun, changedRun, deletedRunId }: ChangedRecords, fingerprint: string): void {
    if (map) this.#storeMap({ ...map, version: ++this.version });
    if (newRun) this.#storeRun({ ...newRun, version: ++this.version }, fingerprint);
    if (changedRun) {
      const doc = deepFreeze({ ...changedRun, version: ++this.version });
      this.runs.set(doc.id, { ...this.runs.get(doc.id)!, doc });
    }
    if (deletedRunId !== undefined) this.runs.set(deletedRunId, { ...this.runs.get(deletedRunId)!, doc: null });
  }

  #storeMap(map: MapDoc): void {
    this.maps.set(map.id, deepFreeze(map));
    for (const { id } of map.stages) this.#stageIds.add(`${map.id}|${id}`);
  }

  #storeRun(doc: RunDoc, fingerprint: string): void {
    const { id, map_id, number, created_at, recording_session_id: session } = doc;
    this.runs.set(id, { id, map_id, number, created_at, session, fingerprint, doc: deepFreeze(doc) });
    this.#sessions.set(session, { fingerprint, map_id, run_id: id });
  }

  map(mapId: string): MapDoc | undefined {
    return this.maps.get(mapId);
  }

  run(runId: number): RunDoc | undefined {
    return this.runs.get(runId)?.doc ?? undefined;
  }

  runWithSteps(runId: number): RunDoc | undefined {
    return this.run(runId);
  }

  isRunIdTaken(runId: number): boolean {
    return this.runs.has(runId);
  }

  isStageIdTaken(mapId: string, stageId: number): boolean {
    return this.#stageIds.has(`${mapId}|${stageId}`);
  }

  recordingSession(recordingSessionId: string): KnownUpload | undefined {
    return this.#sessions.get(recordingSessionId);
  }

  newestRun(mapId: string, exceptRunId: number): RunDoc | undefined {
    return this.runsOf(mapId)
      .filter(({ id }) => id !== exceptRunId)
      .toSorted((a, b) => b.number - a.number)[0];
  }

  mapUsage(): MapUsage {
    return { plan: this.plan, liveMaps: [...this.maps.values()].filter(({ deleted }) => !deleted).length };
  }

  /** The runs of the map that still exist, oldest first. */
  runsOf(mapId: string): RunDoc[] {
    return [...this.runs.values()].flatMap(({ map_id, doc }) => (map_id === mapId && doc ? [doc] : []));
  }

  /**
   * All records as text, so that equal texts mean equal models. Versions only count writes, so they may be left out.
   */
  snapshot({ versions = true } = {}): string {
    const leaveOut = (key: string, value: unknown) => (!versions && key === 'version' ? undefined : value);
    const maps = [...this.maps.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
    const runs = [...this.runs.values()].toSorted((a, b) => a.id - b.id);
    const counters = versions ? [this.version, this.nextId] : [];
    return JSON.stringify([maps, runs, [...this.#stageIds].toSorted(), counters], leaveOut);
  }
}

/** Compares the text itself; the server compares its hash. */
export function fingerprintOf(mutation: Mutation): string {
  if (mutation.name === 'upload_recording') {
    return fingerprintText({ mapId: mutation.args.map_id }, mutation.args.steps);
  }
  if (mutation.name === 'record_new_map') {
    return fingerprintText({ newMapName: mutation.args.name }, mutation.args.steps);
  }
  return '';
}

export function deepFreeze<Thing>(thing: Thing): Thing {
  if (typeof thing !== 'object' || thing === null || Object.isFrozen(thing)) return thing;
  for (const inner of Object.values(thing)) deepFreeze(inner);
  return Object.freeze(thing);
}
