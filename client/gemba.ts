/** The public types of the engine. */
import type { Observable } from 'rxjs';
import type {
  ApiKey,
  DeviceKind,
  NewApiKey,
  NewApiKeyResult,
  PairingCode,
  PairingCodeAccount,
} from '../shared/schema/auth.ts';
import type { FullMap, MapPatch, MapRecord, NewMap } from '../shared/schema/map.ts';
import type { RecordingBody, RecordingStep } from '../shared/schema/recording.ts';
import type { Comparison, RunDoc, RunPatch, RunRecord } from '../shared/schema/run.ts';
import type { NewStage, StagePatch } from '../shared/schema/stage.ts';
import type { StudyRequest } from '../shared/schema/study.ts';
import type { Clock } from './core/clock.ts';
import type { Attention, Remedy } from './outbox/attention/attention.ts';
import type { Discarded, Finished, Recording, RecordingTarget } from './recording/recording.ts';
import type { DeviceStorage } from './storage/row-storage.ts';
import type { Mirror } from './storage/journal/mirror.ts';
import type { PairedDevice } from './devices/device-verbs.ts';
import type { Status } from './sync/tabs/status.ts';
import type { Fetch } from './sync/net/transport.ts';
import type { ImportedUnsent } from './transfer/import-unsent.ts';
import type { UnsentFile } from './transfer/unsent-file.ts';
import type { Custody } from './recording/custody.ts';
import type { Pending } from './view/observed-records.ts';

/**
 * Observables emit their current value on subscription and never half a mutation. Verbs resolve when their effect is
 * durable on the device, online or not. A verb that cannot be done rejects with a `GembaError` and changes nothing.
 *
 * The docstring of a verb names the codes of its errors. In addition, a verb with fields may reject with
 * `validation_failed`, whose `errors` have the path of each invalid field, and any verb with `closed`, `storage_lost`,
 * `storage_full` or `storage_timeout`. If the server refuses the mutation later, the mutation appears in `attention$`.
 */
export interface Gemba {
  /** Emits the maps that are not deleted, newest first. */
  maps$: Observable<Pending<MapRecord>[]>;
  /** Emits the maps in the recycle bin. */
  deletedMaps$: Observable<Pending<MapRecord>[]>;
  /** Emits the map with its ordered stages, or undefined when there is no such map. A map in the bin has `deleted`. */
  map$(mapId: string): Observable<Pending<FullMap> | undefined>;
  /** Emits the runs of the map, newest first. */
  runs$(mapId: string): Observable<Pending<RunRecord>[]>;
  /** Emits the run with its steps, or undefined when there is no such run. */
  run$(runId: number): Observable<Pending<RunDoc> | undefined>;

  /** Creates a map with the id `fields.id`, or with an id that the device makes. Errors: `id_taken`. */
  createMap(fields: NewMap): Promise<{ map_id: string }>;
  /** Errors: `map_not_found`, `map_deleted`. The verbs for stages have these errors, too. */
  updateMap(mapId: string, patch: MapPatch): Promise<void>;
  /** Moves the map to the recycle bin and leaves its runs as they are. Errors: `map_not_found`. */
  deleteMap(mapId: string): Promise<void>;
  /** Takes the map out of the recycle bin. Errors: `map_not_found`. */
  restoreMap(mapId: string): Promise<void>;
  addStage(mapId: string, fields: NewStage): Promise<{ stage_id: number }>;
  /** Errors: `stage_not_found`. */
  updateStage(mapId: string, stageId: number, patch: StagePatch): Promise<void>;
  /** Deletes the stage; the stages after it move up by one position. Errors: `stage_not_found`. */
  deleteStage(mapId: string, stageId: number): Promise<void>;
  /** Orders the stages of the map as in `stageIds`, which must have each stage once. Errors: `stage_ids_mismatch`. */
  reorderStages(mapId: string, stageIds: number[]): Promise<void>;
  /** Changes a run's name, tags, notes or exclusion; fields that the patch leaves out stay. Errors: `run_not_found`. */
  updateRun(runId: number, patch: RunPatch): Promise<void>;
  /** Replaces the steps of a run. `recorded_steps` keeps the steps as they were recorded. Errors: `run_not_found`. */
  correctRun(runId: number, steps: RecordingStep[]): Promise<void>;
  /** Deletes the run for good. Errors: `run_not_found`. */
  deleteRun(runId: number): Promise<void>;
  /**
   * Computes the figures of `POST /runs/compare` on the device. Errors: `run_not_found` if the device lacks a run, and
   * `validation_failed` for a rating of a run that is not compared.
   */
  compareRuns(runIds: number[], study?: StudyRequest): Promise<Comparison>;

  /** Emits the recording under way, also after a restart or a crash; null if there is none. A device has at most one. */
  recording$: Observable<Recording | null>;
  /**
   * Errors: `recording_under_way`, `map_not_found`, `map_deleted`, and `storage_full` if the free space is only enough to
   * finish a recording.
   */
  startRecording(target: RecordingTarget): Promise<Recording>;
  /** Emits the 20 latest discarded recordings that have a step, the latest discarded first. */
  discardedRecordings$: Observable<Discarded[]>;
  /**
   * Resumes a discarded recording at its last step. Errors: `recording_under_way`, `recording_ended` if it is not
   * discarded.
   */
  restoreRecording(recordingSessionId: string): Promise<Recording>;
  /**
   * Adds a recording that was made elsewhere. Importing it again makes no second run. Errors: `map_not_found`,
   * `map_deleted`, `payload_too_large` over 7 MiB, `recording_session_mismatch` if its recording session has other
   * steps or another map here.
   */
  importRecording(imported: { mapId: string; recording: RecordingBody }): Promise<Finished>;
  /**
   * Emits 'server' once a pull has proven that the server has the recording. Emits 'device' before that, and for an
   * unknown recording session.
   */
  custody$(recordingSessionId: string): Observable<Custody>;

  status$: Observable<Status>;
  /** Emits the refused mutations that wait for a person, in the order in which they were made. */
  attention$: Observable<Attention[]>;
  /**
   * Applies a remedy that `attention$` offers for `seq`. A remedy that sends the mutation again also sends the mutations
   * that depend on it. `edit` needs the new `args` and validates them at once. Errors: `attention_not_found`, `remedy_unfit`.
   */
  resolve(seq: number, remedy: Remedy, args?: Record<string, unknown>): Promise<void>;
  /** Emits the 20 latest mutations that a person discarded, the latest discarded first. */
  discardedChanges$: Observable<Attention[]>;
  /** Moves a discarded mutation back to `attention$`. Errors: `attention_not_found`. */
  restoreChange(seq: number): Promise<void>;
  /**
   * Returns all work that no pull has proven to be on the server, as JSON for another device. This device keeps the
   * work, too.
   */
  exportUnsent(): Promise<UnsentFile>;
  /**
   * Imports an exported file, parsed or as text. Importing a file again is safe, on this and other devices, even if the
   * device that exported the file syncs later. Errors: `unsent_file_invalid`, `unsent_file_too_new`, `account_mismatch`,
   * and, on a watch, `forbidden` for a file with anything but recordings.
   */
  importUnsent(content: unknown): Promise<ImportedUnsent>;
  /** Syncs at once. Resolves when the attempt has ended; `status$` shows whether the attempt succeeded. */
  sync(): Promise<void>;
  /**
   * Trades a pairing code for this device's token and stores the token. Needs the network. Errors: `unreachable`,
   * `pairing_code_invalid`, `seat_limit_reached`, and `account_mismatch` if the device has work of another account (the code
   * can still be used then).
   */
  pair(code: string, deviceName: string): Promise<void>;
  /** Returns the account that `pair` would join, without using up the code. Errors: those of `pair`. */
  pairingAccount(code: string): Promise<PairingCodeAccount['account']>;
  /**
   * Returns all devices ever paired with the account, newest first. This verb and the verbs below need the network and a
   * paired phone. Errors: `unreachable`, `unauthorized`, `forbidden`, `rate_limited` with `retryAfterMs`.
   */
  devices(): Promise<PairedDevice[]>;
  /** Errors: `device_not_found`. */
  renameDevice(deviceId: string, name: string): Promise<void>;
  /** Revokes the token of the device for good. Unsent work stays on that device. Errors: `device_not_found`. */
  revokeDevice(deviceId: string): Promise<void>;
  /** Returns all API keys of the account, revoked ones included, newest first. */
  keys(): Promise<ApiKey[]>;
  /** Creates a key and returns its secret, which no later call returns. Errors: `key_limit_reached`. */
  createKey(fields?: NewApiKey): Promise<NewApiKeyResult>;
  /** Revokes the key for good. Errors: `key_not_found`, `last_admin_key`. */
  revokeKey(keyId: string): Promise<void>;
  /**
   * Makes a code that pairs one device of this kind. An app should count down `expires_in_secs`, because `expires_at` is a
   * time by the server's clock.
   */
  pairingCode(kind: DeviceKind): Promise<PairingCode>;
  /**
   * Waits for the verbs under way and closes the database. Later verbs reject with `closed`, except `sync()`, which
   * resolves.
   */
  close(): Promise<void>;
}

export interface GembaOptions {
  /**
   * The name of the device's database, which starts with a letter. Use one name for each account. In one process, only one
   * open engine may have the name.
   */
  name: string;
  /** The server's address, such as https://gemba.example. */
  url: string;
  /** An API key or a device token; by default, the token that pairing stored. */
  token?: string;
  /** An RxDB storage; the default is Dexie on IndexedDB with strict durability. */
  storage?: DeviceStorage;
  /**
   * Stores the engine's journal, a second copy of unsent work. Default: the browser's private file system, or no
   * journal if `storage` is given.
   */
  mirror?: Mirror;
  /** Replaces the given methods of the system's clock. */
  clock?: Partial<Clock>;
  fetch?: Fetch;
  /** A wearable pulls maps, but no runs. */
  kind?: 'phone' | 'wearable';
  /** Called as soon as a recording can begin or continue, before all records are read. */
  onBegun?: (early: EarlyEngine) => void;
}

/** The part of a `Gemba` that works before the engine is fully open. */
export interface EarlyEngine extends Pick<Gemba, 'recording$' | 'discardedRecordings$' | 'map$' | 'startRecording'> {
  /** Loads the map, so that `map$` emits it. False if `map$` needs records that only the open engine has. */
  knows(mapId: string): Promise<boolean>;
}
