/**
 * The rows of one transaction: the loaded rows, overlaid with the changes of its mutations, so that each mutation sees
 * the ones before it. Loaded rows are never changed; `writes` returns the differences at the end.
 */
import { assert } from '../../shared/domain/assert.ts';
import { apply } from '../../shared/domain/apply.ts';
import { mapRecord } from '../../shared/domain/map.ts';
import { refused } from '../../shared/domain/outcome.ts';
import type {
  Applied,
  MapCap,
  Outcome,
  RecordingSession,
  Refused,
  State,
  AffectedIds,
} from '../../shared/domain/state.ts';
import type { MapDoc } from '../../shared/schema/map.ts';
import type { Plan } from '../../shared/schema/account.ts';
import type { Mutation, MutationName } from '../../shared/schema/mutation.ts';
import type { RunDoc } from '../../shared/schema/run.ts';
import { bytesPerMiB, type AccountLimits } from '../store/account-limits.ts';
import type { AccountRow } from '../store/account-row.ts';
import type { LoadedRows, ReadSet, StageKey, RecordWrites } from '../store/transaction.ts';
import type { RememberedAnswer } from '../store/rows/push-answers.ts';
import type { RunRow } from '../store/rows/documents.ts';
import { ClientSet } from './client-set.ts';
import { IdempotencyKeySet } from './idempotency-keys.ts';
import { RowSet } from './row-set.ts';
import { RunSet } from './run-set.ts';
import { mapBytes, runBytes } from './stored-bytes.ts';

/** The device that sent a mutation, and the instant. */
export interface Origin {
  deviceId: string | null;
  fingerprint: string;
  now: string;
  clockBehindMs?: number;
}

/** The records that a mutation changed, with their new versions. */
export interface Effect {
  ok: true;
  affectedIds: AffectedIds;
  map?: MapDoc;
  /** The run that the mutation deleted or the recording made, now or at its first upload. */
  run?: RunRow;
}

export class WorkingSet implements State {
  readonly #account: AccountRow;
  readonly #maps: RowSet<string, MapDoc>;
  readonly #runs: RunSet;
  readonly clients: ClientSet;
  readonly idempotencyKeys: IdempotencyKeySet;
  readonly #bytesMax: number;
  readonly #readStageIds: ReadonlySet<string>;
  readonly #readTokens: ReadonlySet<string>;
  readonly #stageIds: Set<string>;
  readonly #revokedTokens: Set<string>;
  readonly #newStageIds: StageKey[] = [];
  readonly #pushAnswers: RecordWrites['pushAnswers'] = [];
  #visitedCount = 0;

  constructor(loaded: LoadedRows, readSet: ReadSet, limits: AccountLimits) {
    this.#readStageIds = new Set(readSet.stageIds.map(stageIdText));
    this.#readTokens = new Set(readSet.tokenHashes);
    this.#account = { ...loaded.account };
    this.#maps = new RowSet(loaded.maps, { keyOf: (map) => map.id, read: readSet.mapIds });
    this.#runs = new RunSet(loaded.runs, readSet);
    this.clients = new ClientSet(loaded, readSet, limits);
    this.idempotencyKeys = new IdempotencyKeySet(loaded, readSet, limits);
    this.#bytesMax = limits.storedBytesMax[loaded.account.plan];
    this.#stageIds = new Set(loaded.stageIds.map(stageIdText));
    this.#revokedTokens = new Set(loaded.revokedTokens);
  }

  /** The number of stages and steps visited so far, which determines how long the transaction computes. */
  get visitedCount(): number {
    return this.#visitedCount;
  }

  apply(mutation: Mutation, origin: Origin): Effect | Refused {
    const outcome = this.outcomeOf(mutation, origin);
    return outcome.ok ? this.keep(mutation, outcome, origin) : outcome;
  }

  /** Decides without changing a row. */
  outcomeOf(mutation: Mutation, origin: Origin): Outcome {
    this.#visitedCount += this.#visitsOf(mutation);
    const outcome = apply(this, mutation, { ...origin, firstFreeId: this.#account.next_id });
    if (!outcome.ok) return outcome;
    const grows = growingMutations.has(mutation.name) && !outcome.affectedIds.replayed;
    return grows && this.#account.bytes >= this.#bytesMax ? storageFull(this.#bytesMax, this.#account.plan) : outcome;
  }

  /** Makes the changes of an outcome that this set decided last. */
  keep(mutation: Mutation, outcome: Applied, { fingerprint }: Origin): Effect {
    this.#account.next_id += outcome.idsTaken;
    this.#putChanges(outcome, mutation, fingerprint);
    const { affectedIds } = outcome;
    // The recording of a known session may have made another map than the one that this mutation names.
    const map = this.#maps.peek(affectedIds.mapId);
    const run = affectedIds.runId === undefined ? undefined : this.#runs.get(affectedIds.runId);
    return { ok: true, affectedIds, ...(map ? { map } : {}), ...(run ? { run } : {}) };
  }

  /** Returns the rows to write; undefined if nothing changed. */
  writes(): RecordWrites | undefined {
    const maps = this.#maps.changed();
    const grown = maps.reduce((bytes, map) => bytes + mapBytes(map) - this.#bytesBefore(map.id), 0);
    const { version, next_id, live_maps, bytes } = this.#account;
    const writes: RecordWrites = {
      account: { version, next_id, live_maps, bytes: Math.max(0, bytes + grown), ...this.idempotencyKeys.counters() },
      maps,
      runs: this.#runs.changed(),
      stageIds: this.#newStageIds,
      clients: this.clients.changed(),
      pushAnswers: this.#pushAnswers,
      ...this.idempotencyKeys.writes(),
    };
    const { account: _account, idempotencyDeletedBefore: _deletedBefore, ...rows } = writes;
    return Object.values(rows).some((list) => list.length > 0) ? writes : undefined;
  }

  isRevoked(tokenHash: string): boolean {
    assert(this.#readTokens.has(tokenHash), 'the token is in the read set');
    return this.#revokedTokens.has(tokenHash);
  }

  accountVersion(): number {
    return this.#account.version;
  }

  rememberAnswers(clientId: string, answers: RememberedAnswer[]): void {
    this.#pushAnswers.push({ client_id: clientId, answers });
  }

  /** Takes the version for the next written record. */
  nextVersion(): number {
    return ++this.#account.version;
  }

  map(mapId: string): MapDoc | undefined {
    return this.#maps.get(mapId);
  }

  run(runId: number): RunDoc | undefined {
    return this.#runs.get(runId)?.doc ?? undefined;
  }

  runIdTaken(runId: number): boolean {
    return this.#runs.get(runId) !== undefined;
  }

  stageIdTaken(mapId: string, stageId: number): boolean {
    const text = stageIdText({ map_id: mapId, id: stageId });
    if (this.#stageIds.has(text)) return true;
    assert(this.#readStageIds.has(text), 'the stage id is in the read set');
    return this.map(mapId)?.stages.some(({ id }) => id === stageId) ?? false;
  }

  recordingSession(recordingSessionId: string): RecordingSession | undefined {
    const run = this.#runs.ofSession(recordingSessionId);
    return run && { fingerprint: run.fingerprint, map_id: run.map_id, run_id: run.id };
  }

  newestRun(mapId: string, exceptRunId: number): { created_at: string } | undefined {
    const lastRunAtLoaded = this.#maps.loaded(mapId)?.last_run_at ?? null;
    return this.#runs.newest(mapId, { exceptRunId, lastRunAtLoaded });
  }

  mapCap(): MapCap {
    return { plan: this.#account.plan, liveMaps: this.#account.live_maps };
  }

  #visitsOf({ name, args }: Mutation): number {
    if (name === 'delete_run') return 1;
    const steps = 'steps' in args ? args.steps.length : 0;
    const stages = args.map_id === undefined ? 0 : (this.map(args.map_id)?.stages.length ?? 0);
    return 1 + steps + stages;
  }

  #putChanges({ changes, affectedIds }: Applied, mutation: Mutation, fingerprint: string): void {
    const map = changes.map && this.#putMap(changes.map);
    if (changes.run && map) {
      const run = { ...changes.run, version: this.nextVersion() };
      this.#runs.add({
        id: run.id,
        map_id: run.map_id,
        number: run.number,
        created_at: run.created_at,
        version: run.version,
        recording_session_id: run.recording_session_id,
        fingerprint,
        made_map: mutation.name === 'record_new_map',
        map_then: mapRecord(map),
        stage_ids: affectedIds.stageIds ?? [],
        bytes: runBytes(run),
        doc: run,
      });
      this.#account.bytes += runBytes(run);
    }
    if (changes.deletedRunId !== undefined) {
      this.#account.bytes -= this.#runs.get(changes.deletedRunId)?.bytes ?? 0;
      this.#runs.remove(changes.deletedRunId, this.nextVersion());
    }
    if (affectedIds.replayed) return;
    for (const key of clientStageIds(mutation)) {
      this.#stageIds.add(stageIdText(key));
      this.#newStageIds.push(key);
    }
  }

  #bytesBefore(mapId: string): number {
    const before = this.#maps.loaded(mapId);
    return before ? mapBytes(before) : 0;
  }

  #putMap(changed: MapDoc): MapDoc {
    const before = this.#maps.get(changed.id);
    const version = this.nextVersion();
    const map = { ...changed, version, created_version: before?.created_version ?? version };
    this.#account.live_maps += Number(!map.deleted) - Number(before !== undefined && !before.deleted);
    this.#maps.put(map);
    return map;
  }
}

/** Only these mutations are refused when the storage is full. Updates and deletions may free space. */
const growingMutations: ReadonlySet<MutationName> = new Set([
  'create_map',
  'add_stage',
  'upload_recording',
  'record_new_map',
]);

function storageFull(bytesMax: number, plan: Plan): Refused {
  const detail = `The ${plan} plan stores ${Math.round(bytesMax / bytesPerMiB)} MiB, and all are taken. Delete runs, or change the plan.`;
  return refused('storage_limit_reached', detail, { members: { limit_bytes: bytesMax, plan } });
}

/** Returns the ids that a device chose for the stages that the mutation makes. */
function clientStageIds({ name, args }: Mutation): StageKey[] {
  if (name === 'add_stage') return args.stage_id === undefined ? [] : [{ map_id: args.map_id, id: args.stage_id }];
  if (name !== 'upload_recording' && name !== 'record_new_map') return [];
  return (args.stage_ids ?? []).map((id) => ({ map_id: args.map_id, id }));
}

const stageIdText = ({ map_id, id }: StageKey): string => `${map_id} ${id}`;
