/**
 * The rows of one transaction. A mutation reads the loaded rows together with the changes of the mutations before it.
 * Loaded rows are never changed. At the end, `writes` returns the rows that the transaction must write.
 */
import { assert } from '../../../shared/domain/assert.ts';
import { apply } from '../../../shared/domain/apply.ts';
import { withoutStages } from '../../../shared/domain/map.ts';
import { withMapVersion, withRunVersion } from '../../../shared/protocol/record-versions.ts';
import type { Applied, MapUsage, KnownUpload, DomainState, AffectedIds } from '../../../shared/domain/state.ts';
import type { MapDoc } from '../../../shared/schema/map.ts';
import type { Mutation } from '../../../shared/schema/mutation.ts';
import type { RunDoc, RunRecord } from '../../../shared/schema/run.ts';
import type { RefusedRequest } from '../../core/reply.ts';
import type { AccountLimits } from '../../store/account-limits.ts';
import type { AccountRow } from '../../store/account-row.ts';
import type { LoadedRows, ReadSet, RecordWrites } from '../../store/transaction.ts';
import type { AnswerWithDigest } from '../../store/rows/push-answers.ts';
import type { RunRow } from '../../store/rows/documents.ts';
import { AppliedMutationSet } from './applied-mutation-set.ts';
import { SyncClientSet } from './sync-client-set.ts';
import { EventSet } from './event-set.ts';
import { IdempotencyKeySet } from './idempotency-key-set.ts';
import { RowSet } from './row-set.ts';
import { RunSet } from './run-set.ts';
import { deviceMadeStageIdsOf, StageIdSet } from './stage-id-set.ts';
import { storageRefusal } from '../storage-limit.ts';
import { bytesPerStageId, mapBytes, runBytes } from '../stored-bytes.ts';

/** The sender and the time of a mutation. */
export interface MutationOrigin {
  deviceId: string | null;
  /** The hash of a recording's target and steps, used to recognize a repeated upload; empty for other mutations. */
  fingerprint: string;
  now: string;
  deviceClockBehindMs?: number;
}

/** The records that a mutation is about, in their state after the mutation. Unchanged records keep their versions. */
export interface AffectedRecords {
  ok: true;
  affectedIds: AffectedIds;
  map?: MapDoc;
  /** The run that the mutation recorded, changed or deleted. A repeated upload has the run of the first upload. */
  run?: RunRow;
}

export class WorkingSet implements DomainState {
  readonly #account: AccountRow;
  readonly #maps: RowSet<string, MapDoc>;
  readonly #runs: RunSet;
  readonly clients: SyncClientSet;
  readonly idempotencyKeys: IdempotencyKeySet;
  readonly appliedMutations: AppliedMutationSet;
  readonly events = new EventSet();
  readonly #bytesMax: number;
  readonly #deviceMadeStageIds: StageIdSet;
  readonly #readTokens: ReadonlySet<string>;
  readonly #revokedTokens: ReadonlySet<string>;
  readonly #pushAnswers: RecordWrites['pushAnswers'] = [];
  #stagesAndStepsVisited = 0;

  constructor(loaded: LoadedRows, readSet: ReadSet, limits: AccountLimits) {
    this.#readTokens = new Set(readSet.tokenHashes);
    this.#account = { ...loaded.account };
    this.#maps = new RowSet(loaded.maps, { keyOf: (map) => map.id, read: readSet.mapIds });
    this.#runs = new RunSet(loaded, readSet);
    this.clients = new SyncClientSet(loaded, readSet, limits);
    this.appliedMutations = new AppliedMutationSet(loaded, readSet);
    this.idempotencyKeys = new IdempotencyKeySet(loaded, readSet, limits);
    this.#bytesMax = limits.storedBytesMax[loaded.account.plan];
    this.#deviceMadeStageIds = new StageIdSet(loaded.takenStageIds, readSet.deviceMadeStageIds);
    this.#revokedTokens = new Set(loaded.revokedTokens);
  }

  /** The computing time grows with this number, since each mutation visits its own steps and all stages of its map. */
  get stagesAndStepsVisited(): number {
    return this.#stagesAndStepsVisited;
  }

  applyMutation(mutation: Mutation, origin: MutationOrigin): AffectedRecords | RefusedRequest {
    const outcome = this.outcomeOf(mutation, origin);
    return outcome.ok ? this.putOutcome(outcome, mutation, origin) : outcome;
  }

  /** Returns what the mutation would change, or why it is refused. Changes no row. */
  outcomeOf(mutation: Mutation, origin: MutationOrigin): Applied | RefusedRequest {
    this.#stagesAndStepsVisited += this.#visitCountOf(mutation);
    const outcome = apply(this, mutation, { ...origin, firstFreeId: this.#account.next_id });
    if (!outcome.ok || outcome.affectedIds.isRepeatedUpload) return outcome;
    const { bytes, plan } = this.#account;
    return storageRefusal(mutation.name, { bytes, bytesMax: this.#bytesMax, plan }) ?? outcome;
  }

  /** Applies the changes of an outcome to the rows. No row may have changed since `outcomeOf` returned the outcome. */
  putOutcome(outcome: Applied, mutation: Mutation, origin: MutationOrigin): AffectedRecords {
    this.#account.next_id += outcome.idsTaken;
    this.#putChanges(outcome, mutation, origin);
    const { affectedIds } = outcome;
    // The map may not be loaded: a repeated upload names the map of the first upload, and a change of a run loads no
    // map.
    const map = this.#maps.getIfLoaded(affectedIds.mapId);
    const run = affectedIds.runId === undefined ? undefined : this.#runs.getWithSteps(affectedIds.runId);
    return { ok: true, affectedIds, ...(map ? { map } : {}), ...(run ? { run } : {}) };
  }

  /** Returns the rows to write; undefined if nothing changed. */
  writes(): RecordWrites | undefined {
    const maps = this.#maps.changedRows();
    const mapBytesAdded = maps.reduce((bytes, map) => bytes + mapBytes(map) - this.#mapBytesBefore(map.id), 0);
    const { version, next_id, live_maps, bytes } = this.#account;
    const bytesAfter = Math.max(0, bytes + mapBytesAdded);
    const writes: RecordWrites = {
      account: { version, next_id, live_maps, bytes: bytesAfter, ...this.idempotencyKeys.counters() },
      maps,
      runs: this.#runs.changedRows(),
      takenStageIds: this.#deviceMadeStageIds.addedKeys(),
      clients: this.clients.changedRows(),
      pushAnswers: this.#pushAnswers,
      ...this.appliedMutations.writes(),
      ...this.idempotencyKeys.writes(),
      events: this.events.rows(),
    };
    return Object.values(writes).some((rows: unknown) => Array.isArray(rows) && rows.length > 0) ? writes : undefined;
  }

  isRevoked(tokenHash: string): boolean {
    assert(this.#readTokens.has(tokenHash), 'the token is in the read set');
    return this.#revokedTokens.has(tokenHash);
  }

  accountVersion(): number {
    return this.#account.version;
  }

  rememberAnswers(clientId: string, answers: AnswerWithDigest[]): void {
    this.#pushAnswers.push({ client_id: clientId, answers });
  }

  /** Takes the next version of the account, for one record to write or for one event without a record. */
  nextVersion(): number {
    return ++this.#account.version;
  }

  map(mapId: string): MapDoc | undefined {
    return this.#maps.get(mapId);
  }

  run(runId: number): RunRecord | undefined {
    return this.#runs.get(runId)?.doc ?? undefined;
  }

  runWithSteps(runId: number): RunDoc | undefined {
    return this.#runs.getWithSteps(runId)?.doc ?? undefined;
  }

  isRunIdTaken(runId: number): boolean {
    return this.#runs.get(runId) !== undefined;
  }

  isStageIdTaken(mapId: string, stageId: number): boolean {
    if (this.#deviceMadeStageIds.has({ map_id: mapId, id: stageId })) return true;
    return this.map(mapId)?.stages.some(({ id }) => id === stageId) ?? false;
  }

  recordingSession(recordingSessionId: string): KnownUpload | undefined {
    const run = this.#runs.runOfRecordingSession(recordingSessionId);
    return run && { fingerprint: run.fingerprint, map_id: run.map_id, run_id: run.id };
  }

  newestRun(mapId: string, exceptRunId: number): { created_at: string } | undefined {
    const lastRunAtLoaded = this.#maps.loadedRow(mapId)?.last_run_at ?? null;
    return this.#runs.newest(mapId, { exceptRunId, lastRunAtLoaded });
  }

  mapUsage(): MapUsage {
    return { plan: this.#account.plan, liveMaps: this.#account.live_maps };
  }

  #visitCountOf({ args }: Mutation): number {
    const steps = 'steps' in args ? args.steps.length : 0;
    const stages = !('map_id' in args) ? 0 : (this.map(args.map_id)?.stages.length ?? 0);
    return 1 + steps + stages;
  }

  #putChanges({ changes, affectedIds }: Applied, mutation: Mutation, { fingerprint, now }: MutationOrigin): void {
    const map = changes.map && this.#putMap(changes.map, now);
    if (changes.newRun && map) {
      const run = withRunVersion(changes.newRun, this.nextVersion());
      // A run also stores the stages of its map, unless its steps determine the stages (`RunRow.map_then`).
      const bytes = runBytes(run) + (affectedIds.stageIdsOfSteps ? 0 : mapBytes(map));
      this.#runs.add({
        id: run.id,
        map_id: run.map_id,
        number: run.number,
        created_at: run.created_at,
        version: run.version,
        recording_session_id: run.recording_session_id,
        fingerprint,
        made_map: mutation.name === 'record_new_map',
        map_then: affectedIds.stageIdsOfSteps ? withoutStages(map) : map,
        stage_ids: affectedIds.stageIdsOfSteps ?? [],
        bytes,
        doc: run,
      });
      this.#account.bytes += bytes;
      this.events.add('recording.received', run.id, { version: run.version, now });
    }
    if (changes.changedRun) this.#changeRun(changes.changedRun, now);
    if (changes.deletedRunId !== undefined) {
      this.events.add('run.deleted', changes.deletedRunId, { version: this.nextVersion(), now });
      this.#account.bytes -= this.#runs.remove(changes.deletedRunId, this.#account.version);
    }
    if (!map || affectedIds.isRepeatedUpload) return;
    // Only ids that a stage got are stored, so that a mutation without effect adds no rows.
    const ids = new Set(map.stages.map(({ id }) => id));
    for (const key of deviceMadeStageIdsOf(mutation)) {
      if (!ids.has(key.id)) continue;
      this.#deviceMadeStageIds.add(key);
      this.#account.bytes += bytesPerStageId;
    }
  }

  #changeRun(changed: RunDoc, now: string): void {
    const row = this.#runs.getWithSteps(changed.id);
    assert(row?.doc, 'a run that changes exists');
    const doc = withRunVersion(changed, this.nextVersion());
    const bytesAdded = runBytes(doc) - runBytes(row.doc);
    this.#account.bytes += bytesAdded;
    this.#runs.change({ ...row, doc, version: doc.version, bytes: row.bytes + bytesAdded });
    this.events.add('run.updated', doc.id, { version: doc.version, now });
  }

  #mapBytesBefore(mapId: string): number {
    const before = this.#maps.loadedRow(mapId);
    return before ? mapBytes(before) : 0;
  }

  #putMap(changed: MapDoc, now: string): MapDoc {
    const before = this.#maps.get(changed.id);
    const map = withMapVersion(changed, before, this.nextVersion());
    this.#account.live_maps += Number(!map.deleted) - Number(before !== undefined && !before.deleted);
    this.#maps.put(map);
    this.events.addMap(map, { before, now });
    return map;
  }
}
