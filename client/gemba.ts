/** The public types of the engine: the names of the contract, section 7. */
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
import type { Recording as RecordingBody } from '../shared/schema/recording.ts';
import type { Comparison, RunDoc, RunRecord } from '../shared/schema/run.ts';
import type { NewStage, StagePatch } from '../shared/schema/stage.ts';
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
import type { Pending } from './view/view.ts';

/**
 * Observables emit their current value on subscription and never half a mutation. Verbs resolve when their effect is
 * durable on the device, online or not; what cannot be is refused at once with a `GembaError` and leaves nothing behind.
 *
 * Each verb names its own codes. Besides, a verb with fields may reject with `validation_failed`, whose `errors` have the
 * path of each wrong one, and any verb with `closed`, `storage_lost`, `storage_full` or
 * `storage_timeout`. What the server refuses later is
 * no rejection: it stands in `attention$`.
 */
export interface Gemba {
  /** Maps that are not deleted, newest first. */
  maps$: Observable<Pending<MapRecord>[]>;
  /** The recycle bin. */
  deletedMaps$: Observable<Pending<MapRecord>[]>;
  /** With its stages in their order; undefined while there is none. A map in the recycle bin is there, `deleted`. */
  map$(mapId: string): Observable<Pending<FullMap> | undefined>;
  /** Newest first. */
  runs$(mapId: string): Observable<Pending<RunRecord>[]>;
  /** With its steps; undefined while there is none. */
  run$(runId: number): Observable<Pending<RunDoc> | undefined>;

  /** The device makes the id, unless `fields` has one; `id_taken`. */
  createMap(fields: NewMap): Promise<{ map_id: string }>;
  /** `map_not_found`, `map_deleted`; so do the verbs of stages. */
  updateMap(mapId: string, patch: MapPatch): Promise<void>;
  /** Into the recycle bin, where its runs stay as they are; `map_not_found`. */
  deleteMap(mapId: string): Promise<void>;
  /** Out of it again; `map_not_found`. */
  restoreMap(mapId: string): Promise<void>;
  addStage(mapId: string, fields: NewStage): Promise<{ stage_id: number }>;
  /** `stage_not_found`. */
  updateStage(mapId: string, stageId: number, patch: StagePatch): Promise<void>;
  /** Those behind it move up; `stage_not_found`. */
  deleteStage(mapId: string, stageId: number): Promise<void>;
  /** `stageIds` are all of the map's, in their new order; `stage_ids_mismatch`. */
  reorderStages(mapId: string, stageIds: number[]): Promise<void>;
  /** For good; `run_not_found`. */
  deleteRun(runId: number): Promise<void>;
  /** The same figures as `POST /runs/compare`, made on the device; `run_not_found`, also for what a wearable did not pull. */
  compareRuns(runIds: number[]): Promise<Comparison>;

  /** The recording under way, also after a restart or a crash; one at a time a device. */
  recording$: Observable<Recording | null>;
  /** `recording_under_way`, `map_not_found`, `map_deleted`; `storage_full` while only the room to finish one is left. */
  startRecording(target: RecordingTarget): Promise<Recording>;
  /** The last 20 recordings that were given up and had a step, the newest first. */
  discardedRecordings$: Observable<Discarded[]>;
  /** Takes one of them up again, its last step under way; `recording_under_way`, `recording_ended` when it is not there. */
  restoreRecording(recordingSessionId: string): Promise<Recording>;
  /**
   * A recording that was made elsewhere; once for its session, however often it is imported. `map_not_found`,
   * `map_deleted`, `payload_too_large` over 7 MiB, `recording_session_mismatch` when the session has other steps already.
   */
  importRecording(imported: { mapId: string; recording: RecordingBody }): Promise<Finished>;
  /** 'server' once the pull has proven it; 'device' before, and for a session that nobody knows. */
  custody$(recordingSessionId: string): Observable<Custody>;

  status$: Observable<Status>;
  /** What the server refused and a person has to look at, in the order in which it was made. */
  attention$: Observable<Attention[]>;
  /**
   * `seq` and `remedy` are of `attention$`; anything else is refused with `attention_not_found` or `remedy_unfit`. What
   * needs attention because of it goes along. `edit` takes the args to send instead, and says at once what is wrong in them.
   */
  resolve(seq: number, remedy: Remedy, args?: Record<string, unknown>): Promise<void>;
  /** The last 20 that were given up with the remedy `discard`, the last one first. */
  discardedChanges$: Observable<Attention[]>;
  /** Brings one of them back: it needs attention again. `attention_not_found`. */
  restoreChange(seq: number): Promise<void>;
  /** All that was made here and is not known to be done, for another device: JSON to be kept in a file. It stays here too. */
  exportUnsent(): Promise<UnsentFile>;
  /**
   * Takes in such a file, parsed or as text. Safe to repeat, on this and on other devices, also when the first one comes
   * back. A bad file is refused with `unsent_file_invalid`, `unsent_file_too_new` or `account_mismatch`, on a watch one that has
   * more than recordings with `forbidden`, and nothing is changed.
   */
  importUnsent(content: unknown): Promise<ImportedUnsent>;
  /** Syncs at once; resolves when the round came to rest, however it ended: `status$` tells. */
  sync(): Promise<void>;
  /**
   * Trades a pairing code for this device's token and keeps it. Needs the network, unlike most verbs: `unreachable`,
   * `pairing_code_invalid`, `seat_limit_reached`; `account_mismatch` when the device holds the work of another account,
   * and the code stays unused then.
   */
  pair(code: string, deviceName: string): Promise<void>;
  /** The account that `pair` would join, to be shown before; leaves the code unused, and is refused as `pair` is. */
  pairingAccount(code: string): Promise<PairingCodeAccount['account']>;
  /**
   * All devices that were ever paired with the account, newest first, and which of them this one is. It, and what follows
   * on it, needs the network as `pair` does, and besides a phone that is paired: `unreachable`, `unauthorized`,
   * `forbidden`, `rate_limited` with `retryAfterMs`.
   */
  devices(): Promise<PairedDevice[]>;
  /** `device_not_found`. */
  renameDevice(deviceId: string, name: string): Promise<void>;
  /** For good: it keeps what it did not send, and sends no more until it is paired again. `device_not_found`. */
  revokeDevice(deviceId: string): Promise<void>;
  /** All API keys of the account, revoked ones too, newest first. The verbs of keys need the network and a phone as those of devices do. */
  keys(): Promise<ApiKey[]>;
  /** Answers with the secret, which is told this once; `key_limit_reached`. */
  createKey(fields?: NewApiKey): Promise<NewApiKeyResult>;
  /** For good; `key_not_found`, `last_admin_key`. */
  revokeKey(keyId: string): Promise<void>;
  /** A code that pairs one device of this kind, once. By the server's clock: count `expires_in_secs` instead of `expires_at`. */
  pairingCode(kind: DeviceKind): Promise<PairingCode>;
  /**
   * Finishes what was begun; verbs reject with `closed` from then on, but for `sync()`, which resolves, and the database is
   * free to be opened again.
   */
  close(): Promise<void>;
}

export interface GembaOptions {
  /** Names the device's database, one for each account; one engine a name and process. Starts with a letter. */
  name: string;
  /** Where the server is, such as https://gemba.example. */
  url: string;
  /** An API key or a device token; without one, that of the pairing. */
  token?: string;
  /** An RxDB storage; the default is Dexie on IndexedDB with strict durability. */
  storage?: DeviceStorage;
  /** Where a second copy of unsent work is kept; the default, where `storage` is, is the browser's private file system. */
  mirror?: Mirror;
  /** Parts of the clock to replace. */
  clock?: Partial<Clock>;
  fetch?: Fetch;
  /** A wearable pulls maps alone. */
  kind?: 'phone' | 'wearable';
  /** Called as soon as a recording can begin or go on. What is asked for then comes before the rest, which may be much. */
  onBegun?: (begun: Begun) => void;
}

/** What is there of a `Gemba` that is not open yet. */
export interface Begun extends Pick<Gemba, 'recording$' | 'discardedRecordings$' | 'map$' | 'startRecording'> {
  /** Whether `map$` knows this map now; if not, that takes an open `Gemba`. */
  knows(mapId: string): Promise<boolean>;
}
