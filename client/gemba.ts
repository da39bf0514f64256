/** Defines the public types of the engine. */
import type { Observable } from 'rxjs';
import type { DeviceReport } from '../shared/protocol/device-report.ts';
import type { AccountOverview } from '../shared/schema/account.ts';
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
import type { NewStage, StagePatch, StageReplacement } from '../shared/schema/stage.ts';
import type { StudyRequest } from '../shared/schema/study.ts';
import type { Clock } from './core/clock.ts';
import type { IdGenerator } from './core/ids.ts';
import type { AttachedParts } from './attached-parts.ts';
import type { InterchangeVerbs } from './import-steps.ts';
import type { TabPlatform } from './core/supports-tabs.ts';
import type { Attention, Remedy } from './outbox/attention/attention.ts';
import type { PhotoParts } from './photos/photo-platform.ts';
import type { PhotoVerbs } from './photos/photo-verbs.ts';
import type { Discarded, Finished, Recording, RecordingTarget } from './recording/recording.ts';
import type { SuppliedStorage } from './storage/row-storage.ts';
import type { Mirror } from './storage/journal/mirror.ts';
import type { PairedDevice } from './devices/device-verbs.ts';
import type { Status } from './sync/tabs/status.ts';
import type { Fetch } from './sync/net/transport.ts';
import type { ImportedUnsent } from './transfer/import-unsent.ts';
import type { UnsentFile } from './transfer/unsent-file.ts';
import type { Custody } from './recording/custody.ts';
import type { RunScope, ScopedVerbs } from './sync/scope/hooks.ts';
import type { Pending } from './view/observed-records.ts';

/**
 * Observables emit their current value on subscription, and never a partly applied mutation. Verbs resolve when their
 * effect is durable on the device, online or offline. A refused verb rejects with a `GembaError` and changes nothing.
 *
 * The docstring of a verb names the codes of its errors. Any verb may also reject with `closed`, `storage_lost`,
 * `storage_full` or `storage_timeout`. Invalid arguments make a verb reject with `validation_failed`, whose `errors`
 * have the path of each invalid field. A change of over 7 MiB or about 50,000 values makes a verb reject with
 * `payload_too_large`. If the server refuses a mutation later, `attention$` emits the mutation.
 */
export interface Gemba extends PhotoVerbs, InterchangeVerbs {
  /** Emits the maps that are not in the recycle bin, newest first. */
  maps$: Observable<Pending<MapRecord>[]>;
  /** Emits the maps in the recycle bin. */
  deletedMaps$: Observable<Pending<MapRecord>[]>;
  /** Emits the map with its stages in their order; undefined if there is none. `deleted` is true in the recycle bin. */
  map$(mapId: string): Observable<Pending<FullMap> | undefined>;
  /** Emits the runs of the map, newest first. */
  runs$(mapId: string): Observable<Pending<RunRecord>[]>;
  /** Emits the run with its steps; undefined if there is none. */
  run$(runId: number): Observable<Pending<RunDoc> | undefined>;

  /** Creates a map under the id `fields.id`, or under a new id if `fields.id` is absent. Errors: `id_taken`. */
  createMap(fields: NewMap): Promise<{ map_id: string }>;
  /** Changes the fields of the map that are present in `patch`. Errors: `map_not_found`, `map_deleted`. */
  updateMap(mapId: string, patch: MapPatch): Promise<void>;
  /** Moves the map to the recycle bin and leaves its runs as they are. Errors: `map_not_found`. */
  deleteMap(mapId: string): Promise<void>;
  /** Takes the map out of the recycle bin. Errors: `map_not_found`. */
  restoreMap(mapId: string): Promise<void>;
  /** Adds a stage at the position `fields.order`, by default the last. Errors: `map_not_found`, `map_deleted`. */
  addStage(mapId: string, fields: NewStage): Promise<{ stage_id: number }>;
  /**
   * Changes the fields of the stage that are present in `patch`. Errors: `map_not_found`, `map_deleted`,
   * `stage_not_found`.
   */
  updateStage(mapId: string, stageId: number, patch: StagePatch): Promise<void>;
  /** Deletes the stage; later stages move up. Errors: `map_not_found`, `map_deleted`, `stage_not_found`. */
  deleteStage(mapId: string, stageId: number): Promise<void>;
  /**
   * Puts the stages into the order of `stageIds`, which must contain each stage id of the map once. Errors:
   * `map_not_found`, `map_deleted`, `stage_ids_mismatch`.
   */
  reorderStages(mapId: string, stageIds: number[]): Promise<void>;
  /**
   * Replaces all stages of the map by `stages`, in one step. A listed stage whose id the map already has changes that
   * stage, and every other listed stage is new. Stages that are not listed are deleted. Errors: `map_not_found`,
   * `map_deleted`.
   */
  replaceStages(mapId: string, stages: StageReplacement[]): Promise<void>;
  /**
   * Changes the name, tags, notes or exclusion from statistics of a run. Fields that the patch lacks stay as they are.
   * Errors: `run_not_found`.
   */
  updateRun(runId: number, patch: RunPatch): Promise<void>;
  /** Replaces the steps of a run. The run keeps its original steps as `recorded_steps`. Errors: `run_not_found`. */
  correctRun(runId: number, steps: RecordingStep[]): Promise<void>;
  /** Deletes the run for good. Errors: `run_not_found`. */
  deleteRun(runId: number): Promise<void>;
  /**
   * Compares runs on the device, with the result of `POST /runs/compare`. Errors: `run_not_found` if the device lacks a
   * run, and `validation_failed` if `study` rates a run that is not in `runIds`.
   */
  compareRuns(runIds: number[], study?: StudyRequest): Promise<Comparison>;

  /** Emits the recording under way, or null. A device has at most one, which survives restarts and crashes. */
  recording$: Observable<Recording | null>;
  /**
   * Starts a recording of an existing map or of a new one. Errors: `recording_under_way`, `map_not_found`,
   * `map_deleted`, and `storage_full` if there is too little free space for a whole recording.
   */
  startRecording(target: RecordingTarget): Promise<Recording>;
  /**
   * Emits the discarded recordings that have a step, the latest discard first. Each opening of the engine deletes all
   * but the 20 latest.
   */
  discardedRecordings$: Observable<Discarded[]>;
  /**
   * Resumes a discarded recording at its last step. Errors: `recording_under_way`, and `recording_ended` if there is no
   * such discarded recording.
   */
  restoreRecording(recordingSessionId: string): Promise<Recording>;
  /**
   * Adds a recording that was made elsewhere. Importing it again makes no second run. Errors: `map_not_found`,
   * `map_deleted`, `payload_too_large` over 7 MiB, and `recording_session_mismatch` if the device has other steps or
   * another map for the same recording session.
   */
  importRecording(imported: { mapId: string; recording: RecordingBody }): Promise<Finished>;
  /**
   * Emits 'server' once a pull has proven that the server has the recording. Emits 'device' before that proof, and for
   * an unknown recording session.
   */
  custody$(recordingSessionId: string): Observable<Custody>;

  /** Emits the status of the device: the state of its sync, what is pending, and the health of its storage. */
  status$: Observable<Status>;
  /** Emits the report for admins that each push and pull carries to the server; null if the device sends none. */
  report$: Observable<DeviceReport | null>;
  /** Emits the refused mutations that wait for a decision of a person, in the order in which they were made. */
  attention$: Observable<Attention[]>;
  /**
   * Applies a remedy that `attention$` offers for the mutation with the number `seq`. A remedy that resends the
   * mutation also resends its dependent mutations. The remedy `edit` needs new `args` and validates them at once.
   * Errors: `attention_not_found`, `remedy_unfit`.
   */
  resolve(seq: number, remedy: Remedy, args?: Record<string, unknown>): Promise<void>;
  /** Emits the 20 mutations that a person discarded last, the latest discard first. */
  discardedChanges$: Observable<Attention[]>;
  /** Moves a discarded mutation back to `attention$`. Errors: `attention_not_found`. */
  restoreChange(seq: number): Promise<void>;
  /** Returns all unsent work as JSON for import on another device. The work also stays on this device. */
  exportUnsent(): Promise<UnsentFile>;
  /**
   * Imports a file of `exportUnsent`, as text or parsed JSON. No work arrives twice, even if several devices import the
   * file and the exporting device syncs later. Errors: `unsent_file_invalid`, `unsent_file_too_new`,
   * `account_mismatch`, and on a watch `forbidden` if the file has more than recordings.
   */
  importUnsent(content: unknown): Promise<ImportedUnsent>;
  /** Syncs at once. Resolves at the end of the attempt, whether it succeeds or fails; `status$` shows the outcome. */
  sync(): Promise<void>;
  /**
   * Exchanges a pairing code for a device token and stores the token. Needs the network. Errors: `unreachable`,
   * `pairing_code_invalid`, `seat_limit_reached`, and `account_mismatch` if the device has work of another account.
   * After `account_mismatch`, the pairing code is still valid.
   */
  pair(code: string, deviceName: string): Promise<void>;
  /** Returns the account that `pair` would join, and leaves the pairing code valid. Errors: the errors of `pair`. */
  pairingAccount(code: string): Promise<PairingCodeAccount['account']>;
  /**
   * Returns the account of this device with its plan and limits. Needs the network. Errors: `unreachable`,
   * `unauthorized`, `rate_limited` with `retryAfterMs`.
   */
  account(): Promise<AccountOverview>;
  /**
   * Returns all devices ever paired with the account, newest first. This verb and the verbs below, down to
   * `pairingCode`, need the network and a paired phone or desk. Errors: `unreachable`, `unauthorized`, `forbidden`,
   * `rate_limited` with `retryAfterMs`.
   */
  devices(): Promise<PairedDevice[]>;
  /** Changes the name under which `devices` returns the device. Errors: `device_not_found`. */
  renameDevice(deviceId: string, name: string): Promise<void>;
  /** Revokes the token of the device for good. Unsent work stays on that device. Errors: `device_not_found`. */
  revokeDevice(deviceId: string): Promise<void>;
  /** Returns all API keys of the account, including revoked ones, newest first. */
  keys(): Promise<ApiKey[]>;
  /** Creates an API key and returns its secret, which cannot be read again. Errors: `key_limit_reached`. */
  createKey(fields?: NewApiKey): Promise<NewApiKeyResult>;
  /** Revokes the API key for good. Errors: `key_not_found`, `last_admin_key`. */
  revokeKey(keyId: string): Promise<void>;
  /**
   * Makes a pairing code for one device of this kind. An app should show the time left from `expires_in_secs`, because
   * `expires_at` follows the server's clock.
   */
  pairingCode(kind: DeviceKind): Promise<PairingCode>;
  /**
   * Waits for running verbs and closes the database. Later calls reject with `closed`, except `sync()`, which resolves.
   */
  close(): Promise<void>;
}

/** The engine of a device that holds only a part of the account's runs. */
export interface ScopedGemba extends Gemba, ScopedVerbs {}

export interface GembaOptions extends AttachedParts, PhotoParts {
  /** The name of the device's database, beginning with a letter. Each account and each open engine needs its own. */
  name: string;
  /** The server's address, such as https://gemba.example. */
  url: string;
  /** An API key or a device token. Default: the token that `pair` stored. */
  token?: string;
  /** An RxDB storage, or your own row stores. Default: Dexie on IndexedDB with strict durability. */
  storage?: SuppliedStorage;
  /** Stores the second copy of unsent work. Default: the browser's private file system; none if `storage` is given. */
  mirror?: Mirror;
  /** Connects the engines that share one `storage`. Default: the browser's tabs; in Node, no other engine. */
  tabs?: TabPlatform;
  /** Replaces methods of the system clock. */
  clock?: Partial<Clock>;
  /** Makes the ids of new records. Default: random ids. A simulation passes seeded ids. */
  ids?: IdGenerator;
  /** Returns a number from 0 up to 1, for the random part of waits. Default: `Math.random`. */
  random?: () => number;
  /** Sends all requests. Default: the platform's `fetch`. A device without a token syncs only if `fetch` is given. */
  fetch?: Fetch;
  /**
   * Whether a push asks the server to confirm the changes that the push made. The device then stores these changes
   * without a pull. Default: true; false if `fetch` is given, since an app's `fetch` may expect only the documented
   * protocol.
   */
  pushEffects?: boolean;
  /**
   * Whether the device requests packed pages, which have a third of the bytes, and the next page while one is arriving.
   * A push that asks for its effects is then brief. Default: true; false if `fetch` is given, since it may read the
   * bodies.
   */
  packedPages?: boolean;
  /** Whether the device sends `report$` to the server. Default: true. */
  report?: boolean;
  /** Default: `phone`. A wearable pulls maps, but no runs. A desk does not use a seat of the account. */
  kind?: DeviceKind;
  /** The part of the account's runs that the device holds, made by `runScope`. Default: all. A wearable holds none. */
  scope?: RunScope;
  /** Called as soon as a recording can start or continue, before all records are loaded. */
  onBegun?: (early: EarlyEngine) => void;
}

/** The part of a `Gemba` that works before all records are loaded. */
export interface EarlyEngine extends Pick<Gemba, 'recording$' | 'discardedRecordings$' | 'map$' | 'startRecording'> {
  /**
   * Loads the map, so that `map$` emits it. Resolves to false if the map depends on records that are not loaded yet.
   */
  loadMap(mapId: string): Promise<boolean>;
}
