import { Observable } from 'rxjs';

/**
 * The account of the token, as devices and API keys see it.
 *
 */
export declare interface AccountOverview {
  id: string;
  name: string;
  /**
   * The plan of an account. The free plan limits the number of maps.
   */
  plan: 'free' | 'team';
  phones: number;
  phones_max: number | null;
  devices: number;
  maps: number;
  maps_max: number | null;
}

export declare type Analytics = Omit<Analytics_2, 'by_work_type'> & {
  by_work_type: Record<WorkType, WorkTypeShare>;
};

/**
 * The sums over all stages of a map.
 *
 */
declare interface Analytics_2 {
  stage_count: number;
  total_cycle_time_hrs: number;
  total_wait_time_hrs: number;
  lead_time_hrs: number;
  value_add_time_hrs: number;
  pce: number | null;
  by_work_type: {
    valuable: WorkTypeShare;
    incidental: WorkTypeShare;
    waste: WorkTypeShare;
  };
  run_count: number;
  last_run_at: string | null;
}

/**
 * Answers the offer in the text of a QR code. Resolves to undefined if the text is no offer, for example because the
 * camera read another code.
 */
export declare function answerChannel(
  text: string,
  { signal }: PeerOptions,
): Promise<ChannelAnswer | 'no_network' | undefined>;

/**
 * An API key, without its secret.
 *
 */
export declare interface ApiKey {
  id: string;
  name: string;
  /**
   * @minItems 1
   */
  scopes: Scope[];
  last_four: string;
  created_at: string;
  created_by: Creator | null;
  last_used_at: string | null;
  revoked_at: string | null;
}

declare interface AttachedParts {
  /**
   * Carries sealed requests of devices without a network to the server. Made by `createCarrier`, one for each engine.
   */
  carrier?: CarrierPart;
  /** Hands this device's work over to carriers. Made by `createHandOver`, one for each engine. */
  handOver?: HandOverPart;
  /** Shows what the engine does. Made by `createInspector` of `gemba/devtools`, one for each engine. */
  inspector?: InspectorPart;
}

export declare interface Attention {
  seq: number;
  name: MutationName;
  args: Record<string, unknown>;
  recorded_at: string;
  error: Problem;
  /**
   * The `seq` of another refused mutation on which this mutation depends. A remedy for the other mutation resends both,
   * unless the remedy is `discard`.
   */
  because_of?: number;
  /**
   * True if the run of this mutation has a newer change. Sending this mutation would overwrite the newer change.
   */
  is_overtaken?: true;
  /** The reason of the refusal, in a sentence for the worker. */
  message: string;
  remedies: Remedy[];
}

declare type ByeCode = (typeof byeCodes)[number];

declare const byeCodes: readonly ['done', 'other_server', 'full', 'too_new', 'busy', 'malformed'];

/** Any pair of streams that keeps bytes in order, such as a data channel's. */
export declare interface ByteChannel {
  readable: ReadableStream<Uint8Array>;
  writable: WritableStream<Uint8Array>;
}

export declare interface Carrier extends CarrierVerbs, CarrierPart {}

declare interface CarrierPart {
  /** Called by `openGemba` with the parts of the engine, a `CarryingEngine`. */
  attach(engine: object, status$: Observable<Status>): void;
}

declare interface CarrierVerbs {
  /**
   * Takes sealed requests from a device without a network over the channel, and sends it the answers that have come.
   * Resolves when either side has ended the channel. No other code may use the channel's streams. `carry` closes them.
   */
  carry(channel: ByteChannel, options?: CarryOptions): Promise<CarryResult>;
  /**
   * Emits a summary of the messages that this device carries for others. This device delivers the messages while its
   * engine is open, after its own unsent work.
   */
  carrying$: Observable<Carrying>;
  /**
   * Begins to read the QR codes on another device's screen. A message that was read completely is carried like any
   * other.
   */
  readCodes(): Promise<CodeReader>;
  /**
   * Emits the messages that this device read from the screens of other devices, the newest first. Each message has the
   * receipt that a person types into the other device.
   */
  readCodes$: Observable<ReadCode[]>;
}

/** Counts the messages that this device carries for others, without incomplete ones. */
export declare interface Carrying {
  messages: number;
  bytes: number;
  /** When the oldest message came, by the clock of this device; null if there is none. */
  oldest_at: string | null;
}

declare interface CarryOptions {
  /** Called when bytes were stored, or an answer was given back. */
  onProgress?: (progress: CarryProgress) => void;
}

/** Counts what came in one meeting with a device. */
export declare interface CarryProgress {
  /** The size of the sealed bytes that the other device gave and that are on this device's disk. */
  bytes: number;
  /** How many messages of the other device are complete on this device. */
  messages: number;
  /** The number of these messages for which this device gave the server's answer to the other device. */
  answered: number;
}

export declare interface CarryResult {
  /**
   * Why the channel ended: `full` if this device could not store more, `lost` if the channel broke or the other side
   * fell silent.
   */
  ended: ByeCode | 'lost';
}

export declare interface ChannelAnswer {
  /** The text of the QR code that the offering phone reads. */
  code: string;
  /** Resolves when the offering phone has read the code. Rejects when the signal aborts. */
  connected: Promise<ByteChannel>;
}

/** The engine's source of time, which every module receives as an argument. */
export declare interface Clock {
  /** Milliseconds since 1970 by the wall clock, which may be wrong and may jump. */
  wallMs(): number;
  /** Milliseconds by a clock that never goes back within one `bootId`. The clock may stop while the device sleeps. */
  monotonicMs(): number;
  /** Identifies the page load or process. Values of `monotonicMs` with different boot ids cannot be compared. */
  bootId: string;
  /** Runs `call` once after `ms` milliseconds. Returns a function that cancels the timer. */
  schedule(ms: number, call: () => void): () => void;
}

/**
 * The state of a message after a code was read. The other device's screen shows its `name`, too. `have` and `total`
 * count codes.
 */
export declare type CodeProgress =
  /** The text is no code of a hand-over, or was read before. */
  | {
      kind: 'nothing';
    }
  | {
      kind: 'part';
      name: string;
      have: number;
      total: number;
    }
  | {
      kind: 'whole';
      name: string;
    }
  /** This device may not carry more messages or bytes now. The next code of the message tries again. */
  | {
      kind: 'full';
      name: string;
    }
  /** This device could not store the message, since its disk is full. The next code of the message tries again. */
  | {
      kind: 'not_stored';
      name: string;
    }
  /**
   * The server of this device never opens the message: it belongs to another server, or was refused before. Nothing is
   * stored.
   */
  | {
      kind: 'other_server' | 'refused';
      name: string;
    };

export declare interface CodeReader {
  /**
   * Takes the text of one QR code that the camera read. Resolves to the progress of the message after this code. If the
   * code completes the message, the progress is `whole` once the message is on this device's disk.
   */
  add(text: string): Promise<CodeProgress>;
}

declare interface Collection {
  /** The device's name. A store that an app supplies for several devices keeps the rows of each name separate. */
  databaseName?: string | undefined;
  name: string;
  /** The version of the rows; each version has its own collection. */
  version: number;
  /** Whether several tabs may have the collection open. */
  isShared: boolean;
  /** The JSON schema of bodies, for RxDB storages that validate rows. Default: any object. */
  bodySchema?: object | undefined;
}

declare type CommonProblemCode = keyof typeof problemKinds;

/**
 * Figures of each stage over several runs.
 *
 */
export declare interface Comparison {
  /**
   * Items: A run of a comparison.
   */
  runs: {
    id: number;
    map_id: string;
    number: number;
    total_time_secs: number;
    pce: number | null;
  }[];
  stages: StageFigures[];
  /**
   * The figures of the total times of all runs.
   */
  totals: {
    runs: number;
    min_secs: number;
    max_secs: number;
    avg_secs: number;
    median_secs: number;
    sd_secs: number | null;
    cv: number | null;
    p10_secs: number;
    p25_secs: number;
    p75_secs: number;
    p90_secs: number;
    ci: {
      low_secs: number;
      high_secs: number;
    } | null;
    runs_needed: number | null;
    estimated_runs: number;
    outlier_run_ids: number[];
    chart: ControlChart | null;
    standard: {
      normal_secs: number;
      standard_secs: number;
    } | null;
    over_takt: boolean | null;
  };
}

/**
 * Individuals and moving range, in the order in which the runs began: mean ± 2.66 · mean range.
 *
 */
export declare interface ControlChart {
  center_secs: number;
  lower_secs: number;
  upper_secs: number;
  beyond_run_ids: number[];
}

/** Makes a carrier, for the option `carrier` of `openGemba`. The verbs of a carrier wait until its engine is open. */
export declare function createCarrier(): Carrier;

/**
 * Makes a hand-over, for the option `handOver` of `openGemba`. The verbs of a hand-over wait until its engine is open.
 */
export declare function createHandOver(): HandOver;

/**
 * A device or an API key that made a key.
 *
 */
declare interface Creator {
  kind: 'device' | 'key';
  id: string;
}

declare interface CsvOptions {
  /** True to put an apostrophe before a text that a spreadsheet would run as a formula. Default: true. */
  guard?: boolean;
  /** True to begin the file with a byte order mark, without which Excel does not recognize UTF-8. Default: false. */
  bom?: boolean;
}

/** Says whether a recording is on the device alone or also on the server. */
export declare type Custody = 'device' | 'server';

export declare const descriptionLengthMax = 10000;

/**
 * A device that was paired.
 *
 */
declare interface Device {
  id: string;
  name: string;
  /**
   * A wearable only reads and records; a phone and a desk may do everything. A desk is a computer, and takes no seat.
   */
  kind: 'wearable' | 'phone' | 'desk';
  paired_at: string;
  last_seen_at: string | null;
  revoked_at: string | null;
}

/** The codes of the errors that the device itself finds. `ProblemCode` has the server's codes. */
export declare type DeviceErrorCode =
  /** Another recording is under way. A device has at most one. */
  | 'recording_under_way'
  /** A recording without a step cannot be finished. */
  | 'recording_empty'
  /** The recording was already finished or discarded, perhaps in another tab. */
  | 'recording_ended'
  /** The recording does not accept this tap now. The error's `message` gives the reason. */
  | 'tap_refused'
  /** The step has as many photos as a step may have. */
  | 'photo_limit'
  /** This device cannot read the picture, or cannot encode pictures. */
  | 'photo_unreadable'
  /** `attention$` has no mutation with the given `seq`. Another tab may have resolved the mutation. */
  | 'attention_not_found'
  /** `attention$` does not offer this remedy for the mutation. */
  | 'remedy_unfit'
  /** The file is not a file of `exportUnsent`, or is damaged. */
  | 'unsent_file_invalid'
  /** A newer version of the engine made the file. */
  | 'unsent_file_too_new'
  /** The server did not answer, or another host answered in its place, such as a network's login page. */
  | 'unreachable'
  /** The browser lost or closed the database. The app must open the engine again. */
  | 'storage_lost'
  /** The storage is full, or has too little free space to start a recording. */
  | 'storage_full'
  /** The storage did not respond in time. The change may have been stored all the same. */
  | 'storage_timeout'
  /** The SQLite file is not a database, is read-only, or loses what it committed. */
  | 'storage_unusable'
  /** Another engine has the storage open. */
  | 'storage_in_use'
  /** The platform lacks what the engine needs. The error's `message` names what is missing. */
  | 'unsupported_platform'
  /** The engine was closed. */
  | 'closed';

/**
 * `stuck`: it reported within the last hour that its oldest unsent work was 24 hours old or older. `silent`: not seen for 7 days. `stale`: it had unsent work, and was not seen for 8 hours. `outdated`: its app or protocol is older than the server. The server may have other times.
 *
 */
export declare type DeviceHealth = 'stuck' | 'silent' | 'stale' | 'outdated' | 'ok';

/**
 * A wearable only reads and records; a phone and a desk may do everything. A desk is a computer, and takes no seat.
 *
 */
export declare type DeviceKind = 'wearable' | 'phone' | 'desk';

export declare interface DeviceReport {
  /** The number of changes that are not sent yet. */
  pending: number;
  /** The age of the oldest unsent change. Absent if there is none. */
  oldest_secs?: number;
  /** The number of refused changes that wait for a decision of a person. */
  attention: number;
  /** The charge, 0 to 1 in steps of 0.1. Absent if the device cannot read it. */
  battery?: number;
  /** The free share of the storage, 0 to 1 in steps of 0.1. Absent if the device cannot read it. */
  storage_free?: number;
  /** Whether the journal has all unsent work, lacks some of it, or does not exist. */
  second_copy: 'kept' | 'behind' | 'none';
  platform: 'web' | 'node';
  app_version: string;
}

/**
 * The last report of a device about itself.
 *
 */
export declare interface DeviceStatus {
  reported_at: string;
  pending: number;
  oldest_unsent_at: string | null;
  attention: number;
  battery: number | null;
  storage_free: number | null;
  second_copy: ('kept' | 'behind' | 'none') | null;
  app_version: string | null;
  platform: ('web' | 'node' | 'native') | null;
}

/**
 * An RxDB storage, with only the members that `openGemba` needs, since the package does not include RxDB's many types.
 */
export declare interface DeviceStorage {
  name: string;
  rxdbVersion: string;
  createStorageInstance(parameters: never): Promise<object>;
}

/** A discarded recording, which can be restored. */
export declare interface Discarded extends Recorded {
  discarded_at: string;
}

declare type DrawingLanguage = (typeof drawingLanguages)[number];

declare const drawingLanguages: readonly ['en', 'de'];

/** The method of `Gemba` that draws the value stream of a map. */
declare interface DrawingVerbs {
  /**
   * Returns the same SVG as `GET /maps/{id}/value-stream.svg`, but drawn with this device's pending changes of the map.
   * Errors: `map_not_found`, `map_deleted`.
   */
  valueStreamSvg(mapId: string, options?: ValueStreamOptions): Promise<Blob>;
}

/** The part of a `Gemba` that works before all records are loaded. */
export declare interface EarlyEngine extends Pick<
  Gemba,
  'recording$' | 'discardedRecordings$' | 'map$' | 'startRecording'
> {
  /**
   * Loads the map, so that `map$` emits it. Resolves to false if the map depends on records that are not loaded yet.
   */
  loadMap(mapId: string): Promise<boolean>;
}

export declare interface EncodedPhoto {
  photo: Blob;
  thumbnail: Blob | null;
  /** The width of the photo in pixels. */
  width: number;
  height: number;
}

/**
 * The error codes, each with the names of its values, in this order: codes of the file, header, cells, step, recording,
 * map and account.
 */
declare const errorParams: {
  readonly not_utf8: readonly [];
  readonly separator_unknown: readonly ['separator'];
  readonly steps_missing: readonly [];
  readonly file_too_long: readonly [];
  readonly column_missing: readonly ['columns'];
  readonly column_duplicate: readonly [];
  readonly quote_unclosed: readonly [];
  readonly quote_after_blanks: readonly [];
  readonly quote_before_text: readonly [];
  readonly cell_too_long: readonly ['limit'];
  readonly cells_too_many: readonly ['limit'];
  readonly cells_beyond_header: readonly ['cells', 'limit'];
  readonly character_unstorable: readonly ['character'];
  readonly cell_required: readonly [];
  readonly number_expected: readonly [];
  readonly number_unclear: readonly ['suggestions'];
  readonly decimal_comma: readonly [];
  readonly decimal_mark_mixed: readonly ['other_line'];
  readonly boolean_expected: readonly [];
  readonly time_expected: readonly [];
  readonly time_without_offset: readonly [];
  readonly name_invalid: readonly ['limit'];
  readonly notes_invalid: readonly ['limit'];
  readonly order_invalid: readonly [];
  readonly duration_invalid: readonly [];
  readonly work_type_invalid: readonly [];
  readonly session_invalid: readonly [];
  readonly value_invalid: readonly [];
  readonly key_required: readonly [];
  readonly duration_required: readonly [];
  readonly duration_contradicts_times: readonly ['secs'];
  readonly end_before_start: readonly [];
  readonly order_required: readonly [];
  readonly order_duplicate: readonly ['order'];
  readonly starts_unsorted: readonly ['other_line'];
  readonly starts_against_order: readonly ['other_line'];
  readonly steps_distant: readonly ['other_line', 'hours', 'key_column'];
  readonly recording_too_long: readonly ['limit'];
  readonly recording_too_large: readonly ['limit'];
  readonly recording_of_two_maps: readonly ['other_line'];
  readonly recording_duplicate: readonly ['other_line'];
  readonly map_filled_otherwise: readonly ['other_line'];
  readonly map_name_of_two: readonly ['other_line'];
  readonly map_unknown: readonly [];
  readonly map_missing: readonly [];
  readonly map_ambiguous: readonly [];
  readonly map_deleted: readonly ['map_name'];
  readonly map_cap_reached: readonly [];
  readonly session_with_other_steps: readonly ['recording_session_id'];
  readonly session_with_other_start: readonly ['recording_session_id', 'started_at'];
  readonly session_of_other_map: readonly ['recording_session_id', 'map_id'];
};

/** The revision that a row must have at the moment of a write; undefined if the row must not exist. */
declare interface ExpectedRevision {
  id: string;
  revision: number | undefined;
}

export declare const exportFacts: Record<ExportFormat, FormatFacts>;

export declare type ExportFormat = (typeof exportFormats)[number];

declare const exportFormats: readonly ['steps.csv', 'runs.csv', 'steps.xlsx', 'log.xes', 'log.ocel.json'];

/** The options of an export: `guard` and `bom` for CSV, `lifecycle` for XES. */
declare interface ExportOptions extends CsvOptions, XesOptions {}

/** The verbs of `Gemba` that export and draw. */
declare interface ExportVerbs extends DrawingVerbs {
  /**
   * Returns the file of `GET /export/…` for these runs, with the same bytes. Errors: `run_not_found` if the device
   * lacks a run, and `export_too_large`.
   */
  exportRuns(format: ExportFormat, runIds: number[], options?: ExportOptions): Promise<Blob>;
}

declare type Fetch = typeof globalThis.fetch;

/** One wrong field: a JSON Pointer (RFC 6901) into the body, and what the server expects there. */
declare interface FieldError {
  path: string;
  message: string;
}

/** The ids of a finished recording and of the run that it becomes. The server uses the same ids. */
export declare interface Finished {
  recording_session_id: string;
  run_id: number;
  map_id: string;
}

export declare interface FinishOptions {
  /** Decides what happens to the map's stages. Default: `replace`. */
  stages?: StagesMode;
  /**
   * Delays the move into the outbox by so many ms, at most 60,000, for `unfinish`. Default: 0. The delay ends early at
   * the next `startRecording`, `restoreRecording` or `finish` without `undoMs`. An export ends it for earlier cycles.
   */
  undoMs?: number;
}

declare interface FormatFacts {
  contentType: string;
  stepsMax: number;
}

declare const formatVersion = 2;

export declare type FullMap = MapDoc & {
  analytics: Analytics;
};

/**
 * Observables emit their current value on subscription, and never a partly applied mutation. Verbs resolve when their
 * effect is durable on the device, online or offline. A refused verb rejects with a `GembaError` and changes nothing.
 *
 * The docstring of a verb names the codes of its errors. Any verb may also reject with `closed`, `storage_lost`,
 * `storage_full` or `storage_timeout`. Invalid arguments make a verb reject with `validation_failed`, whose `errors`
 * have the path of each invalid field. A change of over 7 MiB or about 50,000 values makes a verb reject with
 * `payload_too_large`. If the server refuses a mutation later, `attention$` emits the mutation.
 */
export declare interface Gemba extends PhotoVerbs, InterchangeVerbs {
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
  createMap(fields: NewMap): Promise<{
    map_id: string;
  }>;
  /** Changes the fields of the map that are present in `patch`. Errors: `map_not_found`, `map_deleted`. */
  updateMap(mapId: string, patch: MapPatch): Promise<void>;
  /** Moves the map to the recycle bin and leaves its runs as they are. Errors: `map_not_found`. */
  deleteMap(mapId: string): Promise<void>;
  /** Takes the map out of the recycle bin. Errors: `map_not_found`. */
  restoreMap(mapId: string): Promise<void>;
  /** Adds a stage at the position `fields.order`, by default the last. Errors: `map_not_found`, `map_deleted`. */
  addStage(
    mapId: string,
    fields: NewStage,
  ): Promise<{
    stage_id: number;
  }>;
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

/**
 * The error of a verb. A verb that rejects has changed nothing, except that after `storage_timeout` the change may have
 * been stored.
 */
export declare class GembaError extends Error {
  name: string;
  readonly code: ProblemCode | DeviceErrorCode;
  /** The invalid fields, if `code` is `validation_failed`. */
  readonly errors: FieldError[] | undefined;
  /** How many milliseconds the server asks the device to wait before the next request. */
  readonly retryAfterMs: number | undefined;
  constructor({ code, detail, errors, retryAfterMs }: GembaErrorOptions);
}

declare interface GembaErrorOptions {
  code: GembaError['code'];
  /** A sentence for a person. It becomes the error's `message`. */
  detail: string;
  errors?: FieldError[] | undefined;
  retryAfterMs?: number | undefined;
}

export declare interface GembaOptions extends AttachedParts, PhotoParts {
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

export declare interface HandOver extends HandOverVerbs, HandOverPart {}

declare interface HandOverOptions {
  /**
   * True to keep the channel open. While the carrier is online, the engine syncs through the channel as over a network.
   * When the carrier is offline, the engine hands over its unsent work. Default: false.
   */
  live?: boolean;
  /** Called when the carrier got more work, or when this device learned that the server has more. */
  onProgress?: (progress: HandOverProgress) => void;
}

declare interface HandOverPart {
  /** Called by `openGemba` with the parts of the engine, a `HandOverEngine`. */
  attach(engine: object, status$: Observable<Status>): void;
  /** Called by `openGemba` after a pairing, with the server's keys for sealed requests as base64url. */
  rememberKeys(list: string): Promise<void>;
}

/**
 * Counts the work that a device hands over in a meeting, and how much of this work the carrier and the server already
 * have.
 */
export declare interface HandOverProgress {
  recordings: number;
  /** The changes other than recordings, such as a renamed map. */
  changes: number;
  /** The size of all sealed messages. */
  bytes: number;
  /** The recordings in messages that the carrier has completely on its disk. */
  givenRecordings: number;
  /** The bytes that the carrier has on its disk. */
  givenBytes: number;
  /** The recordings that the server has, as a pull has proven. */
  safeRecordings: number;
  /** How many of the recordings and changes the server refused. They are in `attention$`. */
  refused: number;
  /**
   * True once a pull has shown the outcome of all work of the meeting. If the meeting has no work, true if no work of
   * the device is unsettled.
   */
  isSettled: boolean;
}

/** The outcome of one meeting with a carrier. */
export declare interface HandOverResult {
  /** How many messages the carrier has completely, including messages of earlier meetings. */
  given: number;
  /** How many answers of the server the carrier brought. */
  answered: number;
  /** Why the channel ended: `lost` if it broke, or if the carrier was silent or made no progress for too long. */
  ended: ByeCode | 'lost';
}

declare interface HandOverVerbs {
  /**
   * Gives a carrier the work that the server may lack, and takes the answers that the carrier brought. Closes the
   * channel at its end. Errors: `unauthorized` if unpaired, `unreachable` without the server's keys.
   */
  handOver(channel: ByteChannel, options?: HandOverOptions): Promise<HandOverResult>;
  /** Returns the progress with which a hand-over would begin now. Errors: the errors of `handOver`. */
  previewHandOver(): Promise<HandOverProgress>;
  /** Emits the carriers that hold the recording. Only `custody$` tells whether the server has the recording. */
  carriers$(recordingSessionId: string): Observable<HeldByCarrier[]>;
  /**
   * Returns the QR codes that hand this device's work over by its screen. A code has `bytesPerCode` bytes, 1 to 240
   * (the default). Errors: the errors of `handOver`.
   */
  showCodes(options?: { bytesPerCode?: number }): Promise<ShownCodes>;
  /**
   * Takes the receipt of work that a phone read from this device's screen and delivered. The phone shows it as
   * `XXXX-XXXX` in Crockford's base32; case, spaces and hyphens do not matter. Each message allows 5 wrong tries.
   */
  enterReceipt(typed: string): Promise<ReceiptEntry>;
  /**
   * Emits the outcome of the recording according to typed receipts. People may trust it; `custody$` waits for a pull.
   */
  receipt$(recordingSessionId: string): Observable<ReceiptOutcome>;
  /**
   * Emits the problem for which the server refuses the handed-over work, such as `unauthorized` after the device was
   * revoked; null if there is none.
   */
  handOverProblem$: Observable<Problem | null>;
}

/** A carrier that holds a recording of this device. */
export declare interface HeldByCarrier {
  /** When the carrier got the recording, by this device's clock, in ISO 8601. */
  at: string;
  /** True once a pull has proven that the server has the recording. */
  proven: boolean;
}

/** Returns the hex digits of a photo's id; undefined if no photo can have this id. */
export declare const hexOfPhotoId: (id: string | undefined) => string | undefined;

/** Makes the ids of new records. The server stores the records under these ids. */
export declare interface IdGenerator {
  uuid(): string;
  /** Makes a time-ordered UUID, for a map. */
  mapId(): string;
  /** Makes a random id for a stage or a run, from 2^31 to 2^53-1. */
  integer(): number;
  /**
   * Makes ids for the stages of one mutation: a random id and the ids after it. Such ids share index pages on the
   * server, and their common digits compress well.
   */
  integers(count: number): number[];
}

/**
 * A map of an imported file.
 *
 */
declare interface ImportedMap {
  map_id: string | null;
  name: string;
  new: boolean;
  recordings: number;
}

export declare interface ImportedUnsent {
  /** The number of imported mutations. A mutation that this device already had does not count. */
  mutations: number;
  /**
   * True if the file's draft was imported. If this device has an open draft, too, the imported draft is stored as
   * discarded and can be restored.
   */
  recording: boolean;
}

/**
 * A wrong cell of an imported file.
 *
 */
export declare interface ImportError {
  line: number;
  column: string | null;
  /**
   * What is wrong with an imported file.
   */
  code:
    | 'not_utf8'
    | 'separator_unknown'
    | 'steps_missing'
    | 'file_too_long'
    | 'column_missing'
    | 'column_duplicate'
    | 'quote_unclosed'
    | 'quote_after_blanks'
    | 'quote_before_text'
    | 'cell_too_long'
    | 'cells_too_many'
    | 'cells_beyond_header'
    | 'character_unstorable'
    | 'cell_required'
    | 'number_expected'
    | 'number_unclear'
    | 'decimal_comma'
    | 'decimal_mark_mixed'
    | 'boolean_expected'
    | 'time_expected'
    | 'time_without_offset'
    | 'name_invalid'
    | 'notes_invalid'
    | 'order_invalid'
    | 'duration_invalid'
    | 'work_type_invalid'
    | 'session_invalid'
    | 'value_invalid'
    | 'key_required'
    | 'duration_required'
    | 'duration_contradicts_times'
    | 'end_before_start'
    | 'order_required'
    | 'order_duplicate'
    | 'starts_unsorted'
    | 'starts_against_order'
    | 'steps_distant'
    | 'recording_too_long'
    | 'recording_too_large'
    | 'recording_of_two_maps'
    | 'recording_duplicate'
    | 'map_filled_otherwise'
    | 'map_name_of_two'
    | 'map_unknown'
    | 'map_missing'
    | 'map_ambiguous'
    | 'map_deleted'
    | 'map_cap_reached'
    | 'session_with_other_steps'
    | 'session_with_other_start'
    | 'session_of_other_map';
  /**
   * The values of an error or a warning. Its code decides which there are.
   */
  params: {
    other_line?: number;
    limit?: number;
    columns?: string[];
    cells?: number;
    separator?: string;
    character?: string;
    suggestions?: string[];
    secs?: number;
    hours?: number;
    key_column?: string;
    order?: number;
    map_id?: string;
    map_name?: string;
    recording_session_id?: string;
    started_at?: string;
  };
  message: string;
}

export declare type ImportErrorParams = ParamsByCode<typeof errorParams>;

export declare interface ImportOptions {
  /** True to get only the report and store nothing. Default: false. */
  dryRun?: boolean;
  /**
   * True to make the maps that the file names and the device lacks. Default: false, so that each such map is an error.
   */
  createMaps?: boolean;
  /** Called during the import, about every 5 ms and after each write. */
  onProgress?: (progress: ImportProgress) => void;
  /** Ends the import if it has stored nothing yet: the verb rejects with the signal's reason. Has no effect later. */
  signal?: AbortSignal;
}

/**
 * The values of an error or a warning. Its code decides which there are.
 *
 */
declare interface ImportParams {
  other_line?: number;
  limit?: number;
  columns?: string[];
  cells?: number;
  separator?: string;
  character?: string;
  suggestions?: string[];
  secs?: number;
  hours?: number;
  key_column?: string;
  order?: number;
  map_id?: string;
  map_name?: string;
  recording_session_id?: string;
  started_at?: string;
}

/**
 * The progress of an import. `reading` counts characters of the file, `checking` counts checks, `saving` counts
 * recordings.
 */
export declare interface ImportProgress {
  phase: 'reading' | 'checking' | 'saving';
  done: number;
  total: number;
}

/**
 * What a file of steps has, what it makes, and what is wrong with it.
 *
 */
export declare interface ImportReport {
  dry_run: boolean;
  recordings: number;
  new: number;
  already_there: number;
  deleted: number;
  steps: number;
  maps: ImportedMap[];
  ignored_columns: string[];
  errors: ImportError[];
  errors_total: number;
  warnings: ImportWarning[];
  warnings_total: number;
}

/**
 * A cell of an imported file that is taken as it is, though it may be wrong.
 *
 */
export declare interface ImportWarning {
  line: number;
  column: string;
  /**
   * What may be wrong with an imported file.
   */
  code: 'map_name_similar' | 'map_archived_similar' | 'new_names_similar';
  /**
   * The values of an error or a warning. Its code decides which there are.
   */
  params: {
    other_line?: number;
    limit?: number;
    columns?: string[];
    cells?: number;
    separator?: string;
    character?: string;
    suggestions?: string[];
    secs?: number;
    hours?: number;
    key_column?: string;
    order?: number;
    map_id?: string;
    map_name?: string;
    recording_session_id?: string;
    started_at?: string;
  };
  message: string;
}

export declare type ImportWarningParams = ParamsByCode<typeof warningParams>;

export declare const industryLengthMax = 100;

declare interface InspectorPart {
  /** `openGemba` calls this with the parts of the engine, an `InspectedEngine`. */
  attach(engine: object, status$: Observable<Status>): void;
}

declare type IntegrationProblemCode = keyof typeof integrationProblemKinds;

declare const integrationProblemKinds: {
  readonly signature_invalid: {
    readonly status: 400;
    readonly title: 'Not signed by Stripe';
  };
  readonly customer_mismatch: {
    readonly status: 403;
    readonly title: 'Another customer has the account';
  };
  readonly webhook_not_found: {
    readonly status: 404;
    readonly title: 'No such endpoint';
  };
  readonly event_not_found: {
    readonly status: 404;
    readonly title: 'No such event';
  };
  readonly webhook_limit_reached: {
    readonly status: 409;
    readonly title: 'The account has as many endpoints as it may';
  };
  readonly already_subscribed: {
    readonly status: 409;
    readonly title: 'The account has a subscription';
  };
  readonly not_subscribed: {
    readonly status: 409;
    readonly title: 'The account has no subscription';
  };
  readonly cursor_expired: {
    readonly status: 410;
    readonly title: 'Events after this cursor were removed';
  };
  readonly webhook_url_refused: {
    readonly status: 422;
    readonly title: 'The server sends nothing to this URL';
  };
  readonly billing_refused: {
    readonly status: 503;
    readonly title: 'Stripe refuses this server';
  };
  readonly billing_unavailable: {
    readonly status: 503;
    readonly title: 'Stripe does not answer now';
  };
  readonly import_interrupted: {
    readonly status: 409;
    readonly title: 'The import stopped in the middle';
  };
  readonly import_invalid: {
    readonly status: 422;
    readonly title: 'The file cannot be imported';
  };
  readonly export_too_large: {
    readonly status: 422;
    readonly title: 'The export is too large';
  };
};

/** The verbs of `Gemba` that import, export and draw. */
declare interface InterchangeVerbs extends ExportVerbs {
  /**
   * Imports a `steps.csv`. Importing it again makes no second run. Resolves to the same report as `POST /import`. If
   * its `errors_total` is not 0, nothing was stored. Errors: `payload_too_large` for a file of over 8 MiB.
   */
  importSteps(file: Blob | string, options?: ImportOptions): Promise<ImportReport>;
}

/** A row to write; a null body removes the row. */
declare type JournalChange = readonly [key: string, body: unknown];

/**
 * The interface to the storage of a journal: `Mirror`, as the public API calls it. This storage is outside IndexedDB,
 * because a browser can lose the whole IndexedDB of an origin
 * (docs/decisions/0018-a-second-copy-outside-indexeddb.md).
 */
/** The bodies of the journal's rows by key. A key is the table and the row id, such as `outbox|device`. */
declare type JournalRows = Map<string, unknown>;

declare type JournalState = 'kept' | 'behind' | 'none';

declare interface JournalWrite {
  changes: JournalChange[];
  /** If true, the files are rewritten with all rows, so that no earlier content stays in them. */
  anew?: boolean;
}

export declare interface LatestRuns {
  /** The latest runs without excluded ones, sorted by their start. */
  runs: RunTotals[];
  /** The control chart of the last 50 of `runs`; null if there are fewer than 8. */
  chart: ControlChart | null;
  /** How many of `runs` are not on this device. */
  fromServer: number;
  /** How many runs of the map are not on this device. */
  missing: number;
  /**
   * `complete`: the list is as if all runs of the map were on the device. `loading`: the device is asking the server.
   * `partial`: the device could not ask the server, so `runs` has only its own runs.
   */
  state: 'complete' | 'loading' | 'partial';
  /** How many runs the server has sent so far. */
  received: number;
}

/**
 * A device that was paired, with its status.
 *
 */
declare interface ListedDevice {
  id: string;
  name: string;
  /**
   * A wearable only reads and records; a phone and a desk may do everything. A desk is a computer, and takes no seat.
   */
  kind: 'wearable' | 'phone' | 'desk';
  paired_at: string;
  last_seen_at: string | null;
  revoked_at: string | null;
  status: DeviceStatus | null;
  health: DeviceHealth | null;
}

/** The outcome of a load: how many runs it brought, and which of the requested runs do not exist. */
export declare interface LoadedRuns {
  loaded: number;
  missing: number[];
}

/** A map that `map$` does not emit yet, since the finish of the recording that makes it can still be undone. */
export declare interface MapBeingMade {
  name: string;
  steps: RecordedStep[];
}

/**
 * A map with its stages: one document.
 *
 */
declare interface MapDoc {
  id: string;
  name: string;
  industry: string;
  description: string;
  /**
   * A process as it is, `current`, or as it should become, `future`.
   */
  state: 'current' | 'future';
  archived: boolean;
  deleted: boolean;
  deleted_at: string | null;
  created_at: string;
  updated_at: string;
  version: number;
  created_version: number;
  stage_count: number;
  run_count: number;
  last_run_at: string | null;
  last_run_number: number;
  stages: Stage[];
}

/**
 * The fields to change. Absent fields stay as they are.
 *
 */
export declare interface MapPatch {
  name?: string;
  industry?: string;
  description?: string;
  /**
   * A process as it is, `current`, or as it should become, `future`.
   */
  state?: 'current' | 'future';
  archived?: boolean;
}

/**
 * A map as lists carry it: without its stages.
 *
 */
export declare interface MapRecord {
  id: string;
  name: string;
  industry: string;
  description: string;
  /**
   * A process as it is, `current`, or as it should become, `future`.
   */
  state: 'current' | 'future';
  archived: boolean;
  deleted: boolean;
  deleted_at: string | null;
  created_at: string;
  updated_at: string;
  version: number;
  created_version: number;
  stage_count: number;
  run_count: number;
  last_run_at: string | null;
  last_run_number: number;
}

export declare type MapState = 'current' | 'future';

/** Stores the journal of one device, for example in the browser's private file system or in a folder. */
export declare interface Mirror {
  /** Tells whether the journal was ever written. If it was, unreadable files are an error, not an empty journal. */
  exists(): Promise<boolean>;
  /** Writes changes, in the order of the calls. Resolves when the changes are durable. */
  write(changes: JournalChange[]): Promise<void>;
  /**
   * Passes the journal's rows to `decide`, and writes the changes that `decide` returns. No other tab writes in
   * between.
   */
  exchange(decide: (journalRows: JournalRows) => Promise<JournalWrite>): Promise<void>;
  /**
   * Tests whether this many bytes more can be stored. A browser may report a larger quota than it grants. Without this
   * method, the reported quota alone decides.
   */
  hasRoom?(bytes: number): Promise<boolean>;
  /** Cancels all running writes. New writes may follow. */
  giveUp(): void;
}

/**
 */
declare interface MutationBody {
  kind: 'mutation';
  client_id: string;
  seq: number;
  origin?: string;
  name: string;
  args: {
    [k: string]: unknown;
  };
  version?: number;
  made_as?: {
    version: number;
    args: {
      [k: string]: unknown;
    };
  };
  recorded_at: string;
  state: 'pending' | 'refused' | 'receipt' | 'discarded' | 'carried';
  error: {
    [k: string]: unknown;
  } | null;
  acknowledged_at: string | null;
  discarded_at?: string;
  former_session?: string;
  is_void?: boolean;
  withdrawn?: {
    [k: string]: unknown;
  };
  answer?: {
    cursor: string;
    outcome:
      | string
      | {
          [k: string]: unknown;
        };
  };
  is_foreign?: boolean;
  is_renewed?: boolean;
  place?: number;
}

declare type MutationName =
  | 'create_map'
  | 'update_map'
  | 'delete_map'
  | 'restore_map'
  | 'add_stage'
  | 'update_stage'
  | 'delete_stage'
  | 'reorder_stages'
  | 'replace_stages'
  | 'upload_recording'
  | 'record_new_map'
  | 'update_run'
  | 'correct_run'
  | 'delete_run';

/** The limits that schemas, device and server share. */
export declare const nameLengthMax = 200;

/** The part of the Network Information API that tells what a network costs. Only Chromium has it. */
export declare interface NetworkConnection {
  type?: string;
  saveData?: boolean;
  addEventListener?: (type: 'change', listener: () => void) => void;
  removeEventListener?: (type: 'change', listener: () => void) => void;
}

/**
 * An API key to make.
 *
 */
export declare interface NewApiKey {
  name?: string;
  /**
   * @minItems 1
   */
  scopes?: Scope[];
}

/**
 * A new API key.
 *
 */
export declare interface NewApiKeyResult {
  /**
   * An API key, without its secret.
   */
  key: {
    id: string;
    name: string;
    /**
     * @minItems 1
     */
    scopes: Scope[];
    last_four: string;
    created_at: string;
    created_by: Creator | null;
    last_used_at: string | null;
    revoked_at: string | null;
  };
  api_key: string;
}

/**
 * A map to create.
 *
 */
export declare interface NewMap {
  id?: string;
  name: string;
  industry?: string;
  description?: string;
  /**
   * A process as it is, `current`, or as it should become, `future`.
   */
  state?: 'current' | 'future';
}

/**
 * A stage to add.
 *
 */
export declare interface NewStage {
  stage: string;
  order?: number;
  cycle_time_hrs?: number;
  wait_time_hrs?: number;
  /**
   * How work counts: `valuable` is what the customer pays for, `incidental` has to be, `waste` does not.
   */
  work_type?: 'valuable' | 'incidental' | 'waste';
  /**
   * @deprecated
   */
  value_add?: boolean;
}

export declare interface NextCycle {
  finished: Finished;
  recording: Recording;
}

export declare const notesLengthMax = 10000;

/** Counts the recordings on this device that are not in the codes on its screen. */
export declare interface NotShown {
  /** Recordings whose receipt was typed in. They leave the device after its next pull. */
  arrived: number;
  /** Recordings whose push was refused in whole or in part. A person decides about them on a phone. */
  refused: number;
  /** Recordings whose push is too large to be sealed, or comes after such a push. They wait for a network. */
  tooLarge: number;
  /** True if a pull has proven all work of this device, and none of it was refused. */
  isAllSafe: boolean;
}

/** Makes an offer for another phone. Resolves to `no_network` if no other device could reach this one. */
export declare function offerChannel({ signal }: PeerOptions): Promise<OfferedChannel | 'no_network'>;

export declare interface OfferedChannel {
  /** The text of the QR code that the other phone reads. */
  code: string;
  /**
   * Accepts the answer in the text of a QR code. Returns undefined if the text is no answer to this offer, or an answer
   * was accepted before. The promise rejects if the phones cannot reach each other.
   */
  accept(text: string): Promise<ByteChannel> | undefined;
}

/** Opens the engine as `openGemba` of client/open.ts does. Rejects with `validation_failed` if an option is invalid. */
export declare function openGemba(
  options: GembaOptions & {
    scope: RunScope;
  },
): Promise<ScopedGemba>;

export declare function openGemba(options: GembaOptions): Promise<Gemba>;

/** A drawing with more parts has no outlines, since the outlines would cover the narrow parts. */
export declare const outlinedPartsMax = 100;

/** A device of the account. A server of an earlier version sends neither `status` nor `health`. */
export declare interface PairedDevice extends Device, Partial<Pick<ListedDevice, 'status' | 'health'>> {
  /** True for the device on which the verb was called. */
  is_this: boolean;
}

/**
 * A code that pairs one device, once.
 *
 */
export declare interface PairingCode {
  code: string;
  expires_at: string;
  expires_in_secs: number;
}

/**
 * The account that a pairing code joins.
 *
 */
export declare interface PairingCodeAccount {
  account: {
    id: string;
    name: string;
  };
}

declare type ParamNames = Record<string, readonly (keyof ImportParams)[]>;

/** The types of the values of each code in a table. */
declare type ParamsByCode<Table extends ParamNames> = {
  [Code in keyof Table]: Required<Pick<ImportParams, Table[Code][number]>>;
};

/** Aborting `signal` ends the connection, also after it has opened. */
export declare interface PeerOptions {
  signal: AbortSignal;
}

/** A record; `pending` is true if an unsettled mutation created or changed it. */
export declare type Pending<Record> = Record & {
  pending: boolean;
};

/** Turns a picture into a photo. Rejects if it cannot read the picture. */
export declare interface PhotoEncoder {
  encode(picture: Blob): Promise<EncodedPhoto>;
}

export declare interface PhotoFiles {
  /** Resolves once the file is durable. Replaces a file with this name. */
  write(name: string, content: Blob): Promise<void>;
  /** Resolves to undefined if there is no such file. */
  read(name: string): Promise<Blob | undefined>;
  /** Resolves to the size of the file in bytes; undefined if there is no such file. */
  size(name: string): Promise<number | undefined>;
  /** Does nothing if there is no such file. */
  remove(name: string): Promise<void>;
  /**
   * Lists the files with the times of their last changes in milliseconds since 1970. Lists none if they are stored as
   * rows.
   */
  list(): Promise<
    {
      name: string;
      changedMs: number;
    }[]
  >;
}

declare interface PhotoParts {
  /** Replaces the encoder, the files or the connection that photos use on this platform. */
  photos?: PhotoPlatform;
}

/** Replaces the encoder, the files or the connection that photos use on this platform. */
export declare interface PhotoPlatform {
  /** Default: a canvas in a worker of the browser. Node has none, so every picture is `photo_unreadable` there. */
  encoder?: PhotoEncoder;
  /** Default: the browser's private file system, or rows of `storage` if that is given. */
  files?: PhotoFiles;
  /** Default: `navigator.connection`, which only Chromium has. */
  connection?: NetworkConnection;
}

export declare type PhotoPolicy = PhotoSettings_2['policy'];

declare type PhotoProblemCode = keyof typeof photoProblemKinds;

declare const photoProblemKinds: {
  readonly photo_quota_reached: {
    readonly status: 403;
    readonly title: 'The plan stores no more photos';
  };
  readonly photo_not_found: {
    readonly status: 404;
    readonly title: 'No such photo';
  };
  readonly photo_awaited: {
    readonly status: 404;
    readonly title: 'The photo has not arrived yet';
  };
  readonly photo_mismatch: {
    readonly status: 409;
    readonly title: 'The photo was declared otherwise';
  };
  readonly offset_mismatch: {
    readonly status: 409;
    readonly title: 'The upload is at another offset';
  };
  readonly upload_complete: {
    readonly status: 409;
    readonly title: 'The photo is stored';
  };
  readonly upload_expired: {
    readonly status: 410;
    readonly title: 'There is no such upload any more';
  };
  readonly tus_version_unsupported: {
    readonly status: 412;
    readonly title: 'Another version of tus';
  };
  readonly range_not_satisfiable: {
    readonly status: 416;
    readonly title: 'The photo ends before this range';
  };
  readonly photo_corrupt: {
    readonly status: 422;
    readonly title: 'The bytes are not the photo that was declared';
  };
  readonly photo_has_metadata: {
    readonly status: 422;
    readonly title: 'The photo has metadata';
  };
  readonly upload_busy: {
    readonly status: 423;
    readonly title: 'Another request writes to this upload';
  };
  readonly photos_not_kept: {
    readonly status: 501;
    readonly title: 'This server keeps no photos';
  };
};

/**
 * `retry`: the next attempt waits after a failure, or because the server asked. `sync`: the recordings go first.
 * `blocked`: this device may not sync, for the reason in `status$`.
 */
declare type PhotosDelay = 'retry' | 'sync' | 'blocked';

/**
 */
declare interface PhotoSettings_2 {
  kind: 'settings';
  policy: 'always' | 'wifi' | 'ask';
  epoch: string | null;
}

/**
 * Why photos wait. `metered`: the policy wants an unmetered network or a person's consent. `offline`: there is no
 * network. `quota`: the account may store no more photos. `server`: the server stores no photos.
 */
declare type PhotosHold = 'metered' | 'offline' | 'quota' | 'server' | PhotosDelay;

export declare type PhotoSize = 'photo' | 'thumbnail';

/** Counts the photos that the server does not have. */
export declare interface PhotosStatus {
  /** How many photos of finished recordings must still be sent. */
  pending: number;
  /** How many bytes of these photos the server lacks. */
  bytes: number;
  /** Why these photos wait; null while they are being sent, or if there are none. */
  held_by: PhotosHold | null;
  policy: PhotoPolicy;
  /** How many photos the server refused for good. `retryPhotos` sends them again. */
  refused: number;
  /** How many photos this device lost before the server had them, since the browser removed the files. */
  lost: number;
}

declare interface PhotoVerbs {
  /** Emits how many photos of finished recordings the server lacks, and why these photos wait. */
  photos$: Observable<PhotosStatus>;
  /**
   * Emits `awaited` until this device or the server has the photo or its thumbnail. Then emits that picture and
   * completes.
   */
  photo$(photoId: string, size?: PhotoSize): Observable<Blob | 'awaited'>;
  /**
   * Sets when photos are sent. Thumbnails are always sent. Default: `wifi`, which excludes networks that the browser
   * calls metered.
   */
  setPhotoPolicy(policy: PhotoPolicy): Promise<void>;
  /** Sends all photos on this device, whatever the policy says, and tries refused ones again. */
  sendPhotosNow(): Promise<void>;
  /**
   * Tries again to send photos that failed, that the server refused, or that wait because the account is full or the
   * server stores no photos. The policy still applies to these photos.
   */
  retryPhotos(): Promise<void>;
}

declare interface PlacedTimes<Part> {
  part: Part;
  /** `wait` is undefined if the part has no wait time, and `work` if the part has no cycle time. */
  wait: Segment | undefined;
  work: Segment | undefined;
}

/** `scaleHrs` is the length of the axis in hours. */
export declare function placeSegments<Part extends WorkAndWaitTimes>(
  parts: readonly Part[],
  scaleHrs: number,
): PlacedTimes<Part>[];

/**
 * The plan of an account. The free plan limits the number of maps.
 *
 */
export declare type Plan = 'free' | 'team';

/**
 * Returns a function that turns a recorded name into the current name of its stage. If several stages had the name
 * earlier, the function takes the first of them. A current name, or a name that no stage ever had, stays as it is.
 */
export declare function presentNames(
  stages: readonly Pick<Stage, 'stage' | 'aliases'>[],
): (recordedName: string) => StageName;

/** The body of an error response. `request_id` is absent if the problem is part of a sync answer. */
export declare interface Problem extends ProblemBody {
  code: ProblemCode;
  [member: string]: unknown;
}

/**
 * Why a request was refused (RFC 9457). Some codes carry members of their own.
 *
 */
declare interface ProblemBody {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: string;
  request_id?: string;
  /**
   * Items: A wrong field.
   */
  errors?: {
    path: string;
    message: string;
  }[];
}

declare type ProblemCode = CommonProblemCode | PhotoProblemCode | IntegrationProblemCode;

declare const problemKinds: {
  readonly malformed_request: {
    readonly status: 400;
    readonly title: 'The request is not HTTP/1.1';
  };
  readonly malformed_json: {
    readonly status: 400;
    readonly title: 'The body is not JSON';
  };
  readonly relay_malformed: {
    readonly status: 400;
    readonly title: 'The body is not sealed';
  };
  readonly protocol_missing: {
    readonly status: 400;
    readonly title: 'The Gemba-Protocol header is missing';
  };
  readonly unauthorized: {
    readonly status: 401;
    readonly title: 'No valid token';
  };
  readonly pairing_code_invalid: {
    readonly status: 401;
    readonly title: 'No valid pairing code';
  };
  readonly forbidden: {
    readonly status: 403;
    readonly title: 'Not allowed with this token';
  };
  readonly account_mismatch: {
    readonly status: 403;
    readonly title: 'The device holds the work of another account';
  };
  readonly map_cap_reached: {
    readonly status: 403;
    readonly title: 'The plan allows no more maps';
  };
  readonly storage_limit_reached: {
    readonly status: 403;
    readonly title: 'The plan stores no more';
  };
  readonly seat_limit_reached: {
    readonly status: 403;
    readonly title: 'The plan allows no more phones';
  };
  readonly not_found: {
    readonly status: 404;
    readonly title: 'No such route';
  };
  readonly map_not_found: {
    readonly status: 404;
    readonly title: 'No such map';
  };
  readonly stage_not_found: {
    readonly status: 404;
    readonly title: 'No such stage';
  };
  readonly run_not_found: {
    readonly status: 404;
    readonly title: 'No such run';
  };
  readonly device_not_found: {
    readonly status: 404;
    readonly title: 'No such device';
  };
  readonly key_not_found: {
    readonly status: 404;
    readonly title: 'No such key';
  };
  readonly method_not_allowed: {
    readonly status: 405;
    readonly title: 'The route does not take this method';
  };
  readonly request_timeout: {
    readonly status: 408;
    readonly title: 'The request did not arrive in time';
  };
  readonly map_deleted: {
    readonly status: 409;
    readonly title: 'The map is in the recycle bin';
  };
  readonly id_taken: {
    readonly status: 409;
    readonly title: 'Another record has this id';
  };
  readonly last_admin_key: {
    readonly status: 409;
    readonly title: 'The account would have no key with the scope admin';
  };
  readonly key_limit_reached: {
    readonly status: 409;
    readonly title: 'The account has as many API keys as it may';
  };
  readonly sequence_gap: {
    readonly status: 409;
    readonly title: 'The sequence of mutations has a gap';
  };
  readonly sequence_reused: {
    readonly status: 409;
    readonly title: 'The numbers of the mutations were given before';
  };
  readonly acknowledge_first: {
    readonly status: 409;
    readonly title: 'Too many answers are unacknowledged';
  };
  readonly client_limit_reached: {
    readonly status: 409;
    readonly title: 'There are as many sync clients as there may be';
  };
  readonly withdrawn: {
    readonly status: 410;
    readonly title: 'The mutation was withdrawn';
  };
  readonly precondition_failed: {
    readonly status: 412;
    readonly title: 'The record changed meanwhile';
  };
  readonly payload_too_large: {
    readonly status: 413;
    readonly title: 'The body is too large';
  };
  readonly unsupported_media_type: {
    readonly status: 415;
    readonly title: 'The body is not of this type';
  };
  readonly validation_failed: {
    readonly status: 422;
    readonly title: 'The request does not fit the schema';
  };
  readonly relay_key_unknown: {
    readonly status: 422;
    readonly title: 'No such key';
  };
  readonly stage_ids_mismatch: {
    readonly status: 422;
    readonly title: "stage_ids is not a permutation of the map's stages";
  };
  readonly recording_session_mismatch: {
    readonly status: 422;
    readonly title: 'The recording session was used with another payload or target';
  };
  readonly idempotency_key_mismatch: {
    readonly status: 422;
    readonly title: 'The idempotency key was used with another request';
  };
  readonly protocol_too_old: {
    readonly status: 426;
    readonly title: 'The client is too old for this server';
  };
  readonly too_many_streams: {
    readonly status: 429;
    readonly title: 'The account has too many event streams';
  };
  readonly pairing_code_limit_reached: {
    readonly status: 429;
    readonly title: 'The account has too many unused pairing codes';
  };
  readonly idempotency_limit_reached: {
    readonly status: 429;
    readonly title: 'Too many idempotency keys are remembered';
  };
  readonly rate_limited: {
    readonly status: 429;
    readonly title: 'Too many requests';
  };
  readonly headers_too_large: {
    readonly status: 431;
    readonly title: 'The headers are too large';
  };
  readonly internal_error: {
    readonly status: 500;
    readonly title: 'The server failed';
  };
  readonly unavailable: {
    readonly status: 503;
    readonly title: 'The service cannot answer now';
  };
};

/**
 * The progress of a push or a pull. A push counts the mutations made since all mutations were last settled, and a pull
 * counts changes.
 */
export declare interface Progress {
  done: number;
  /** null during a pull, whose number of changes is unknown. */
  total: number | null;
}

declare interface PurgeLimits {
  /** Limits how many tombstones a purge removes, so that its transaction stays short. */
  rowsMax: number;
  /** Nothing is purged while there are at most this many tombstones; 0 by default. */
  keptMax?: number;
}

/** A message that this device read from a screen. */
export declare interface ReadCode {
  /** The name of the message. The screen of the other device shows the same name. */
  name: string;
  /** When the message was read, by the clock of this device, in ISO 8601. */
  taken_at: string;
  delivered: boolean;
  /**
   * True if the server will never open the message. This device dropped its bytes; the other device still has the work.
   */
  refused: boolean;
  /**
   * The code that a person types into the other device: `XXXX-XXXX`. Null before the delivery, or if the server sent
   * none.
   */
  receipt: string | null;
}

export declare type ReceiptEntry =
  | {
      kind: 'arrived' | 'attention';
      recordings: number;
    }
  | {
      kind: 'wrong';
      triesLeft: number;
    }
  /** No message waits for a receipt, or every waiting message had too many wrong tries. */
  | {
      kind: 'none_expected';
    };

/**
 * `arrived`: the server applied the whole push that contains the recording. `attention`: the server refused something
 * in that push, perhaps the recording itself. Null if no receipt of the recording was typed in since the server was
 * last restored.
 */
export declare type ReceiptOutcome = 'arrived' | 'attention' | null;

/** The content of a recording when an observable emitted it. */
export declare interface Recorded {
  recording_session_id: string;
  map_id: string;
  /** The name of the map that the recording creates; null if it records an existing map. */
  new_map_name: string | null;
  /** When the recording started, by this device's clock. */
  started_at: string;
  steps: RecordedStep[];
  /** The clock of the current step showed `secs` at the time `since`. `since` is null while the clock stands still. */
  clock: {
    secs: number;
    since: string | null;
  };
  /** When the recording was paused; null while it is not paused. */
  paused_at: string | null;
}

/** A step of a recording as the public API shows it. */
export declare interface RecordedStep {
  stage_name: string;
  work_type: WorkType;
  notes: string;
  started_at: string;
  /** The seconds of the step without pauses; null for the current step. */
  duration_secs: number | null;
  /** True for a step that is no stage of the process, such as an interruption. */
  interruption: boolean;
  /** The ids of the step's photos; absent if the step has none. */
  photos?: string[];
}

/** The recording under way, with its verbs. */
export declare interface Recording extends Recorded, RecordingVerbs {
  /** The tap that `undo` would take back; null if there is none. */
  undoes: Undoable | null;
  /** The new map that an earlier cycle will make, if that cycle is not in the outbox yet; null otherwise. */
  map_being_made: MapBeingMade | null;
  /**
   * The steps of the earliest cycle before this one that is not in the outbox yet; null if there is none. A map without
   * stages gets its stages from these steps.
   */
  earlier_cycle: RecordedStep[] | null;
}

/**
 * A recording of an existing map.
 *
 */
export declare interface RecordingBody {
  recording_session_id?: string;
  started_at?: string;
  /**
   * @minItems 1
   * @maxItems 1000
   */
  steps: RecordingStep[];
  /**
   * What a recording does to the stages of its map. `replace`: its steps become all stages. `keep`: the stages stay, and the run alone is added. `merge`: a step updates the cycle time of the stage with its name, any other step becomes a new stage after the stage of the previous step, and stages without a step stay as they are.
   */
  stages?: 'replace' | 'keep' | 'merge';
  digest?: string;
}

/**
 * A step as a device observed it. It becomes a stage whose cycle time is `duration_secs / 3600` hours.
 *
 */
export declare interface RecordingStep {
  stage_name: string;
  order: number;
  duration_secs: number;
  duration_estimated?: boolean;
  /**
   * How work counts: `valuable` is what the customer pays for, `incidental` has to be, `waste` does not.
   */
  work_type?: 'valuable' | 'incidental' | 'waste';
  /**
   * @deprecated
   */
  value_add?: boolean;
  interruption?: boolean;
  notes?: string;
  /**
   * @maxItems 20
   */
  photos?: string[];
}

/** The map to record: an existing map, or a new one that the recording creates. */
export declare type RecordingTarget =
  | {
      mapId: string;
    }
  | {
      newMap: {
        name: string;
      };
    };

/** The verbs of a recording under way. Each resolves when its effect is durable on the device. */
declare interface RecordingVerbs {
  /** Ends the current step and begins a new one. */
  step(fields: StepFields): Promise<void>;
  /** Adds a line to the notes of the current step. */
  note(text: string): Promise<void>;
  /**
   * Takes back the tap that `undoes` describes. At the first step of a next cycle, an undo returns to the previous
   * cycle, unless that cycle is in the outbox.
   */
  undo(): Promise<void>;
  /** Changes the name, the work type or the notes of a step. */
  edit(step: StepPosition, edit: StepEdit): Promise<void>;
  /**
   * Splits the step after its first `at_secs` seconds. The rest becomes a new step with the name `stage_name`, by
   * default the name of the step.
   */
  split(
    step: StepPosition,
    at: {
      at_secs: number;
      stage_name?: string;
    },
  ): Promise<void>;
  /** Joins the step with the next step. The joined step keeps the name and the work type of the first. */
  join(step: StepPosition): Promise<void>;
  /** Moves the border between the step and the next step later by `secs`, or earlier if `secs` is negative. */
  moveBorder(
    step: StepPosition,
    by: {
      secs: number;
    },
  ): Promise<void>;
  /**
   * Adds a picture to the step under way at this moment. Resolves to `{ id }`: `sha256:` and the SHA-256 of the encoded
   * picture. Errors: `photo_limit`, `photo_unreadable`, `storage_full`.
   */
  photo(picture: Blob): Promise<TakenPhoto>;
  /** Removes a photo from a step. The device does not send the photo, unless another recording has it. */
  removePhoto(step: StepPosition, photoId: string): Promise<void>;
  /** Stops the clock. The time until `resume`, or until the next step, belongs to no step. */
  pause(): Promise<void>;
  /** Continues the current step after a pause. */
  resume(): Promise<void>;
  /**
   * Finishes this recording as `finish` does, and at the same moment starts a recording of the same map with `step` as
   * its first step. If one of the two fails, neither happens.
   */
  nextCycle(step: StepFields, options?: FinishOptions): Promise<NextCycle>;
  /** Ends the current step and moves the recording into the outbox. The server makes it a run. */
  finish(options?: FinishOptions): Promise<Finished>;
  /** Undoes a finish before its `undoMs` are over. The last step continues as if it had never ended. */
  unfinish(): Promise<void>;
  /** Ends the recording without making a run. `restoreRecording` can continue the recording. */
  discard(): Promise<void>;
}

/**
 * `discard` drops the mutation; `restoreChange` can bring the mutation back. Every other remedy sends the mutation and
 * its dependents again. `edit` sends the mutation with new args.
 */
export declare type Remedy = 'send_again' | 'restore_map' | 'save_as_new_map' | 'new_id' | 'edit' | 'discard';

/** A row or tombstone to write, and the revision that it replaces. */
declare interface RowChange<Body> {
  row: StoredRow<Body>;
  replacedRevision: number | undefined;
}

/** A row whose revision is not the expected one; `stored` is undefined if there is no such row. */
declare interface RowConflict<Body> {
  id: string;
  stored: StoredRow<Body> | undefined;
}

declare interface RowStore<Body> {
  readonly name: string;
  /** Emits the writes of other tabs. A driver may emit the writes of this tab, too. */
  readonly changes$: Observable<StoredRow<Body>[]>;
  /** Reads all rows except tombstones. */
  readAll(): Promise<StoredRow<Body>[]>;
  /** Reads the rows with these ids, tombstones included. */
  read(ids: string[]): Promise<StoredRow<Body>[]>;
  /**
   * Writes all changes durably. If a revision is not the expected one, writes nothing and returns the conflicts. The
   * rows of `fences` are checked, but not written.
   */
  write(changes: RowChange<Body>[], fences?: ExpectedRevision[]): Promise<RowConflict<Body>[]>;
  /**
   * Removes tombstones if the store has more than `keptMax` tombstones. A driver should remove at most `rowsMax`
   * tombstones in one purge, but may remove more.
   */
  purge(limits: PurgeLimits): Promise<void>;
  /** Deletes all rows and closes the store. */
  drop(): Promise<void>;
  close(): Promise<void>;
}

declare interface RowStoreFactory {
  /** Names the driver, such as `sqlite`, for the developer tools. */
  driver?: string;
  open<Body>(collection: Collection): Promise<RowStore<Body>>;
}

/**
 * A run with its steps.
 *
 */
export declare interface RunDoc {
  id: number;
  map_id: string;
  number: number;
  recording_session_id: string;
  device_id: string | null;
  started_at: string | null;
  device_started_at?: string;
  created_at: string;
  version: number;
  total_time_secs: number;
  value_add_time_secs: number;
  pce: number | null;
  step_count: number;
  name?: string;
  /**
   * @maxItems 20
   */
  tags?: string[];
  note?: string;
  excluded?: {
    reason: string;
  } | null;
  revision?: number;
  steps: RunStep[];
  recorded_steps?: RunStep[];
}

/**
 * The fields of a run to change. Absent fields stay as they are.
 *
 */
export declare interface RunPatch {
  name?: string;
  /**
   * @maxItems 20
   */
  tags?: string[];
  note?: string;
  excluded?: {
    reason: string;
  } | null;
}

/**
 * A run as lists carry it: without its steps.
 *
 */
export declare interface RunRecord {
  id: number;
  map_id: string;
  number: number;
  recording_session_id: string;
  device_id: string | null;
  started_at: string | null;
  device_started_at?: string;
  created_at: string;
  version: number;
  total_time_secs: number;
  value_add_time_secs: number;
  pce: number | null;
  step_count: number;
  name?: string;
  /**
   * @maxItems 20
   */
  tags?: string[];
  note?: string;
  excluded?: {
    reason: string;
  } | null;
  revision?: number;
}

/** A scope for the option `scope` of `openGemba`, made by `runScope`. */
export declare interface RunScope {
  bounds: RunScopeBounds;
}

/**
 * Lets a device hold a part of the account's runs. A first pull brings the runs within all bounds. Later pulls bring
 * every changed run. Other runs stay on the server until `loadRuns` or a verb loads them. A scope belongs to one
 * engine.
 */
export declare const runScope: (bounds: RunScopeBounds) => RunScope;

/** The bounds of a scope. An absent field sets no bound. */
export declare interface RunScopeBounds {
  /**
   * Limits the runs that a first pull brings and that the device then holds. If it holds more, it drops the runs that
   * nobody has looked at for longest. At most 50,000.
   */
  runsMax?: number;
  /** Limits a first pull to runs that arrived in the last `runsDays` days. */
  runsDays?: number;
  /** Limits a first pull to the `runsPerMap` highest run numbers of each map. */
  runsPerMap?: number;
}

export declare interface RunsOnServer {
  /** How many of the account's runs are not on the device. */
  count: number;
  /** How many runs of each map are not on the device, by map id. Maps of which no run is missing are absent. */
  ofMap: ReadonlyMap<string, number>;
}

export declare const runsPerCompareMax = 50;

/**
 * A step of a run, as it was recorded or corrected.
 *
 */
export declare interface RunStep {
  stage_name: string;
  order: number;
  duration_secs: number;
  duration_estimated: boolean;
  /**
   * How work counts: `valuable` is what the customer pays for, `incidental` has to be, `waste` does not.
   */
  work_type: 'valuable' | 'incidental' | 'waste';
  /**
   * @deprecated
   */
  value_add: boolean;
  notes: string;
  /**
   * @maxItems 20
   */
  photos: string[];
}

/** The fields of a run that a trend shows. */
export declare type RunTotals = Pick<
  RunRecord,
  'id' | 'number' | 'name' | 'total_time_secs' | 'pce' | 'started_at' | 'created_at'
>;

/**
 * What a token may do: `read`, `record` recordings, `write` maps, stages and runs, `admin` devices, keys and pairing codes. A token with `admin` can make a key with any scope, so that it is as good as all of them.
 *
 */
export declare type Scope = 'read' | 'record' | 'write' | 'admin';

/** The engine of a device that holds only a part of the account's runs. */
export declare interface ScopedGemba extends Gemba, ScopedVerbs {}

/** The members that only an engine with a scope has. */
declare interface ScopedVerbs {
  /** Emits the number of runs of the account that are not on this device: the total, and the number for each map. */
  runsOnServer$: Observable<RunsOnServer>;
  /**
   * Emits the runs of a map that started last, at most `runsMax`, without excluded runs. Runs that are not on this
   * device come from the server without their steps, and are not stored.
   */
  latestRuns$(mapId: string, runsMax: number): Observable<LatestRuns>;
  /**
   * Loads runs that are not on this device: the runs of `runIds`, or the map's missing runs with the highest numbers,
   * about 100. The device keeps them until it drops runs. Errors: `unreachable`, `unauthorized`, `rate_limited`.
   */
  loadRuns(mapId: string, runIds?: readonly number[]): Promise<LoadedRuns>;
}

/** A stretch of the axis. Both numbers are fractions of the length of the axis. */
export declare interface Segment {
  start: number;
  length: number;
}

/** Returns the kind of a phone's QR code; undefined for any other text. */
export declare const sessionCodeKind: (text: string) => 'offer' | 'answer' | undefined;

export declare interface ShownCodes {
  /** The names of the messages. A phone that reads the codes shows them, too. */
  names: string[];
  /** How many recordings are in the codes. */
  recordings: number;
  /** How many recordings wait for a later time, since a cycle has only a limited number of codes. */
  recordingsLeft: number;
  notShown: NotShown;
  /** How many codes there are. */
  count: number;
  /** Returns the texts of the QR codes in the order of the given cycle, counted from 0. */
  cycle(number: number): string[];
  /** Must be called when the person says that a phone has read all codes. The engine does not take this as proof. */
  rememberHolder(): Promise<void>;
}

/**
 * A stage of a map.
 *
 */
export declare interface Stage {
  id: number;
  map_id: string;
  stage: string;
  order: number;
  cycle_time_hrs: number;
  wait_time_hrs: number;
  /**
   * How work counts: `valuable` is what the customer pays for, `incidental` has to be, `waste` does not.
   */
  work_type: 'valuable' | 'incidental' | 'waste';
  /**
   * @deprecated
   */
  value_add: boolean;
  aliases?: string[];
}

/**
 * One stage over several runs. Names match when they are the same but for case, white space around them and Unicode composition, and an earlier name of a stage matches its present one; steps of one run with the same name are added up first. A run without the stage is left out of its figures.
 *
 */
export declare interface StageFigures {
  stage_name: string;
  runs: number;
  min_secs: number;
  max_secs: number;
  avg_secs: number;
  median_secs: number;
  /**
   * Items: What one run spent on a stage.
   */
  per_run: {
    run_id: number;
    secs: number;
  }[];
  sd_secs: number | null;
  cv: number | null;
  p10_secs: number;
  p25_secs: number;
  p75_secs: number;
  p90_secs: number;
  ci: {
    low_secs: number;
    high_secs: number;
  } | null;
  runs_needed: number | null;
  estimated_runs: number;
  outlier_run_ids: number[];
  chart: ControlChart | null;
  standard: {
    normal_secs: number;
    standard_secs: number;
  } | null;
  over_takt: boolean | null;
}

/** Normalizes a stage's name. Two names with equal results match. */
export declare const stageKey: (stageName: string) => string;

/** A name as people see it. `key` is its normalized form: names with equal keys match. */
declare interface StageName {
  key: string;
  name: string;
}

/**
 * The fields to change. Absent fields stay as they are.
 *
 */
export declare interface StagePatch {
  stage?: string;
  order?: number;
  cycle_time_hrs?: number;
  wait_time_hrs?: number;
  /**
   * How work counts: `valuable` is what the customer pays for, `incidental` has to be, `waste` does not.
   */
  work_type?: 'valuable' | 'incidental' | 'waste';
  /**
   * @deprecated
   */
  value_add?: boolean;
  /**
   * @maxItems 10
   */
  aliases?: string[];
}

/**
 * A stage of the new list.
 *
 */
export declare interface StageReplacement {
  id?: number;
  stage: string;
  cycle_time_hrs?: number;
  wait_time_hrs?: number;
  /**
   * How work counts: `valuable` is what the customer pays for, `incidental` has to be, `waste` does not.
   */
  work_type?: 'valuable' | 'incidental' | 'waste';
  /**
   * @deprecated
   */
  value_add?: boolean;
  /**
   * @maxItems 10
   */
  aliases?: string[];
}

/**
 * What a recording does to the stages of its map. `replace`: its steps become all stages. `keep`: the stages stay, and the run alone is added. `merge`: a step updates the cycle time of the stage with its name, any other step becomes a new stage after the stage of the previous step, and stages without a step stay as they are.
 *
 */
export declare type StagesMode = 'replace' | 'keep' | 'merge';

/** The device's status: the state of its sync, its unsent mutations and the health of its storage. */
export declare interface Status {
  /**
   * offline: the server is unreachable. waiting: the server asked for a wait, a round failed, or another tab pulled or
   * the server was restored during a pull. blocked: a person must solve the problem in `error`.
   */
  phase: 'offline' | 'idle' | 'syncing' | 'waiting' | 'blocked';
  /**
   * Counts unsettled mutations, recordings that are sent again because a restored server may lack them, and finished
   * recordings whose finish can still be undone.
   */
  pending: number;
  /** Counts the steps of the recordings in `pending`. The recording under way does not count. */
  pending_steps: number;
  /** When the oldest item in `pending` was made, by this device's clock; null if `pending` is 0. */
  oldest_pending_at: string | null;
  /** When a round last completed, by this device's clock; null before the first one. */
  last_synced_at: string | null;
  /** Counts the refused mutations that wait for a decision of a person. */
  attention: number;
  /** Counts the photos of finished recordings that the server lacks; absent if it lacks none. */
  photos?: number;
  /**
   * Why the sync waits, is blocked or restarted; null if nothing is wrong or only the server is unreachable. A storage
   * problem takes precedence.
   */
  error: Problem | StorageProblem | null;
  /** The progress of the current push or pull; null if neither runs. */
  progress: Progress | null;
  /** The journal of unsent work: up to date (`kept`), `behind` the database, or absent on this platform (`none`). */
  second_copy: JournalState;
}

/** The changes of a step. Fields that are left out stay as they are. */
export declare type StepEdit = Partial<Pick<StepFields, 'stage_name' | 'work_type' | 'notes'>>;

/** The fields of a new step: a name of 1 to 200 characters, and notes of up to 10,000. */
export declare interface StepFields {
  stage_name: string;
  work_type?: WorkType;
  notes?: string;
  /**
   * True for a step that is no stage of the process, such as an interruption or the time between two cycles. The run
   * gets the step, but the map gets no stage from it. Default: false.
   */
  interruption?: boolean;
}

/**
 * Identifies a step by its index in `steps` and by its start. An edit is refused if the step at this index now has
 * another start.
 */
export declare interface StepPosition {
  index: number;
  started_at: string;
}

declare interface StorageProblem {
  code: 'storage_lost' | 'storage_full';
  /** A sentence for the person. */
  detail: string;
}

/** A stored row, or the tombstone of a removed row, which has a null body. */
declare interface StoredRow<Body> {
  id: string;
  /** Increases with each write of the row. */
  revision: number;
  body: Body | null;
}

/**
 */
export declare interface StudyRequest {
  confidence?: 0.9 | 0.95 | 0.99;
  precision?: number;
  allowance?: number;
  allowance_basis?: 'day' | 'job';
  /**
   * @maxItems 50
   *
   * Items: The pace of one run, as the observer judged it.
   */
  ratings?: {
    run_id: number;
    rating: number;
  }[];
  takt_secs?: number;
}

/**
 * A storage that an app supplies: an RxDB storage, or a factory of the app's own row stores, whose writes must be
 * atomic.
 */
export declare type SuppliedStorage = DeviceStorage | RowStoreFactory;

/** The part of the browser's `LockManager` that the engine needs, for platforms whose types lack it. */
declare interface TabLockManager {
  request(name: string, work: () => unknown): Promise<unknown>;
  request(name: string, options: TabLockOptions, work: (lock: object | null) => unknown): Promise<unknown>;
  query(): Promise<{
    held?: {
      name?: string;
      clientId?: string;
    }[];
    pending?: {
      name?: string;
      clientId?: string;
    }[];
  }>;
}

declare interface TabLockOptions {
  signal?: AbortSignal;
  steal?: boolean;
  ifAvailable?: boolean;
}

/** Connects the engines that share one database, as a browser connects its tabs. */
export declare interface TabPlatform {
  /** The lock manager of one tab. Through it the tabs exclude each other. */
  locks: TabLockManager;
  /** Opens a channel. Its messages reach the channels of the same name in the other tabs. */
  channel(name: string): TabPort;
}

/** The part of the browser's `BroadcastChannel` that the engine needs. */
declare interface TabPort {
  postMessage(message: unknown): void;
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
  close(): void;
}

/** Normalizes a tag like the name of a stage. Two tags with equal results are the same tag. */
export declare const tagKey: typeof stageKey;

export declare interface TakenPhoto {
  id: string;
}

/**
 */
declare type TapBody =
  | {
      kind: 'started';
      at: {
        wall_ms: number;
        monotonic_ms: number;
        boot_id: string;
      };
      recording_session_id: string;
      map_id: string;
      new_map_name: string | null;
      previous_session?: string;
    }
  | {
      kind: 'stepped';
      at: {
        wall_ms: number;
        monotonic_ms: number;
        boot_id: string;
      };
      stage_name: string;
      work_type: ('valuable' | 'incidental' | 'waste') | null;
      notes: string;
      interruption?: true;
    }
  | {
      kind: 'noted';
      at: {
        wall_ms: number;
        monotonic_ms: number;
        boot_id: string;
      };
      text: string;
    }
  | {
      kind: 'undone';
      at: {
        wall_ms: number;
        monotonic_ms: number;
        boot_id: string;
      };
    }
  | {
      kind: 'edited';
      at: {
        wall_ms: number;
        monotonic_ms: number;
        boot_id: string;
      };
      index: number;
      stage_name?: string;
      /**
       * How work counts: `valuable` is what the customer pays for, `incidental` has to be, `waste` does not.
       */
      work_type?: 'valuable' | 'incidental' | 'waste';
      notes?: string;
    }
  | {
      kind: 'split';
      at: {
        wall_ms: number;
        monotonic_ms: number;
        boot_id: string;
      };
      index: number;
      after_ms: number;
      stage_name?: string;
    }
  | {
      kind: 'joined';
      at: {
        wall_ms: number;
        monotonic_ms: number;
        boot_id: string;
      };
      index: number;
    }
  | {
      kind: 'border_moved';
      at: {
        wall_ms: number;
        monotonic_ms: number;
        boot_id: string;
      };
      index: number;
      by_ms: number;
    }
  | {
      kind: 'photographed' | 'photo_removed';
      at: {
        wall_ms: number;
        monotonic_ms: number;
        boot_id: string;
      };
      index: number;
      photo: string;
    }
  | {
      kind: 'paused';
      at: {
        wall_ms: number;
        monotonic_ms: number;
        boot_id: string;
      };
    }
  | {
      kind: 'resumed';
      at: {
        wall_ms: number;
        monotonic_ms: number;
        boot_id: string;
      };
    }
  | {
      kind: 'discarded';
      at: {
        wall_ms: number;
        monotonic_ms: number;
        boot_id: string;
      };
      returned?: true;
    }
  | {
      kind: 'restored';
      at: {
        wall_ms: number;
        monotonic_ms: number;
        boot_id: string;
      };
    }
  | {
      kind: 'finished';
      at: {
        wall_ms: number;
        monotonic_ms: number;
        boot_id: string;
      };
      /**
       * What a recording does to the stages of its map. `replace`: its steps become all stages. `keep`: the stages stay, and the run alone is added. `merge`: a step updates the cycle time of the stage with its name, any other step becomes a new stage after the stage of the previous step, and stages without a step stay as they are.
       */
      stages?: 'replace' | 'keep' | 'merge';
      undo?: {
        ms: number;
        run_id: number;
      };
    };

/**
 * The figures of the total times of all runs.
 *
 */
export declare interface TotalTimeFigures {
  runs: number;
  min_secs: number;
  max_secs: number;
  avg_secs: number;
  median_secs: number;
  sd_secs: number | null;
  cv: number | null;
  p10_secs: number;
  p25_secs: number;
  p75_secs: number;
  p90_secs: number;
  ci: {
    low_secs: number;
    high_secs: number;
  } | null;
  runs_needed: number | null;
  estimated_runs: number;
  outlier_run_ids: number[];
  chart: ControlChart | null;
  standard: {
    normal_secs: number;
    standard_secs: number;
  } | null;
  over_takt: boolean | null;
}

/** A tap that `undo` would take back. */
export declare interface Undoable {
  kind:
    | 'step'
    | 'note'
    | 'edit'
    | 'split'
    | 'join'
    | 'border'
    | 'photo'
    | 'photo_removal'
    | 'pause'
    | 'resume'
    | 'cycle';
  /** The name of the step that the tap began or changed. */
  stage_name: string;
}

declare interface UnsentContent {
  format: 'gemba-unsent';
  version: 1 | typeof formatVersion;
  /** The account that owns the mutations; null if the exporting device had never reached the server. */
  account_id: string | null;
  exported_at: string;
  /** The mutations in the order in which they were made. */
  mutations: UnsentMutation[];
  /** The taps of the recording under way; empty if there is none. */
  draft: TapBody[];
}

export declare type UnsentFile = UnsentContent & {
  checksum: string;
};

declare interface UnsentMutation extends Pick<
  MutationBody,
  'client_id' | 'seq' | 'origin' | 'version' | 'args' | 'recorded_at'
> {
  name: MutationName;
  is_void?: boolean;
  /** The reason of the refusal; null if the mutation is not settled. */
  error: Problem | null;
}

declare interface ValueStreamOptions {
  /** Default: `en`. */
  lang?: DrawingLanguage;
}

/** The warning codes, each with the names of its values. */
declare const warningParams: {
  readonly map_name_similar: readonly ['map_name', 'map_id'];
  readonly map_archived_similar: readonly ['map_name', 'map_id'];
  readonly new_names_similar: readonly ['map_name', 'other_line'];
};

export declare type WorkAndWaitTimes = Pick<Stage, 'cycle_time_hrs' | 'wait_time_hrs'>;

export declare type WorkType = 'valuable' | 'incidental' | 'waste';

export declare const workTypeLines: Record<WorkType, string>;

export declare const workTypeMarks: Record<WorkType, string>;

/**
 * The sums over the stages of one work type.
 *
 */
declare interface WorkTypeShare {
  stages: number;
  cycle_time_hrs: number;
  wait_time_hrs: number;
}

declare interface XesOptions {
  /** `pairs` also writes an event for the start of each step, for readers that pair the events. Default: `complete`. */
  lifecycle?: 'complete' | 'pairs';
}

export {};
