import { Observable } from 'rxjs';

/** Counts the maps and runs as last pulled, and lists the records that pending mutations change. */
export declare interface BaseFacts {
  maps: number;
  runs: number;
  cursor: {
    cursor: string;
    epoch: string;
    complete: boolean;
    synced_at: string | null;
    partial: boolean;
  } | null;
  /** The records that pending mutations create, change or delete. */
  pending: {
    kind: 'map' | 'run';
    id: string;
  }[];
}

export declare interface BundleOptions {
  /** True to include names, notes and step texts unchanged. Default: pseudonyms replace them. */
  texts?: boolean;
  /**
   * Settings of the app to include. Texts are replaced unless `texts` is true, so pass a choice as a flag or a number.
   */
  settings?: Readonly<Record<string, string | number | boolean | null>>;
}

declare interface CarrierReads {
  carrying$: Observable<Carrying>;
  readCodes$: Observable<ReadCode[]>;
}

/** Counts the messages that this device carries for others, without incomplete ones. */
declare interface Carrying {
  messages: number;
  bytes: number;
  /** When the oldest message came, by the clock of this device; null if there is none. */
  oldest_at: string | null;
}

declare type CommonProblemCode = keyof typeof problemKinds;

/**
 * Creates an inspector, to pass to `openGemba` as `inspector`. The inspector changes nothing, and its verbs wait until
 * an engine is open. It shows the engine attached last, so an app may reopen its engine with the same inspector.
 */
export declare function createInspector({ trace: tracesAtOnce }?: InspectorOptions): Inspector;

/** Says whether a recording is on the device alone or also on the server. */
declare type Custody = 'device' | 'server';

export declare interface CustodyFacts {
  /** At most 200 recordings, the latest first. */
  recordings: RecordingCustody[];
  /** Counts the messages that this device carries for other devices; null if this device is no carrier. */
  carrying: {
    messages: number;
    bytes: number;
    oldest_at: string | null;
  } | null;
  /** The messages that this device read from other devices' screens. */
  read_codes: {
    taken_at: string;
    delivered: boolean;
    refused: boolean;
  }[];
  hand_over_problem: string | null;
}

export declare interface DeviceSnapshot {
  taken_at: string;
  engine: EngineFacts;
  platform: PlatformFacts;
  status: Status;
  outbox: OutboxFacts;
  base: BaseFacts;
  custody: CustodyFacts;
  trace: TraceFacts;
  journal: JournalFacts;
  storage: StorageFacts;
}

export declare interface DevtoolsOptions {
  /** Default: English. */
  language?: 'en' | 'de';
  /** Returns settings of the app to include in the support bundle. */
  settings?: () => NonNullable<BundleOptions['settings']>;
}

export declare interface EngineFacts {
  version: string;
  protocol: number;
  /** The version of the stored rows of the outbox and the drafts. */
  rows_version: number;
  kind: string;
  /** The origin of the server's address. */
  server: string;
  database: string;
  device_id: string;
  client_id: string;
  account_id: string | null;
  /** True if the device has a token. The token itself is never read. */
  has_token: boolean;
  /** The highest sequence number of a mutation under the client id. */
  last_seq: number;
  /** The highest sequence number of a mutation that was sent or was about to be sent. */
  sent_seq: number | null;
  /** The highest sequence number of a mutation that a pull has proven to be on the server. */
  proven_seq: number | null;
  options: Record<string, boolean | number>;
}

export declare interface HandedOver {
  at: string;
  proven: boolean;
}

declare interface HandOverReads {
  carriers$(recordingSessionId: string): Observable<HandedOver[]>;
  handOverProblem$: Observable<{
    code: string;
  } | null>;
}

/**
 * The carrier and the hand-over that an inspector shows. An app passes them here if it loads their code after the
 * engine has opened. The engine's options then hold only objects that load this code.
 */
export declare interface InspectedRelay {
  carrier?: CarrierReads;
  handOver?: HandOverReads;
}

export declare interface Inspector extends InspectorVerbs, InspectorPart {
  /**
   * The inspector shows the carrier and the hand-over in the options of `engine`. If `relay` has a carrier or a
   * hand-over, the inspector shows the one of `relay` instead.
   */
  attach(engine: object, status$: Observable<Status>, relay?: InspectedRelay): void;
}

export declare interface InspectorOptions {
  /** True to trace the sync from the engine's opening. Default: the trace starts with the first `trace(true)`. */
  trace?: boolean;
}

declare interface InspectorPart {
  /** `openGemba` calls this with the parts of the engine, an `InspectedEngine`. */
  attach(engine: object, status$: Observable<Status>): void;
}

export declare interface InspectorVerbs {
  /**
   * Reads the given parts, or all: the outbox, custody, the trace, the journal and others. The result contains people's
   * texts.
   */
  snapshot<Part extends SnapshotPart = SnapshotPart>(parts?: readonly Part[]): Promise<Snapshot<Part>>;
  /** Returns the maps on the device, including those in the recycle bin. */
  maps(): Promise<NamedRecord[]>;
  /** Returns the runs of the map on the device, the newest first. */
  runs(mapId: string): Promise<NamedRecord[]>;
  /** Reads a map or a run, both as last pulled and with the pending mutations applied. */
  record(kind: 'map' | 'run', id: string): Promise<RecordLayers>;
  /** Starts or stops the trace of the sync. After a stop, the traced rounds stay. */
  trace(isOn: boolean): Promise<void>;
  /**
   * Emits when records, a recording, the status, the journal, the trace, carried messages or hand-overs change. It may
   * emit many times within a moment.
   */
  changes$: Observable<void>;
  /** Makes the support bundle: one object without secrets, and without people's texts unless `texts` is true. */
  supportBundle(options?: BundleOptions): Promise<SupportBundle>;
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

export declare interface JournalFacts {
  state: JournalState;
  /** How many rows the outbox and the drafts have. A journal that is `kept` has as many; 0 if there is no journal. */
  rows: number;
  /** When the journal was last written: the latest time of its files, or of a write that the inspector saw. */
  written_at: string | null;
  bytes: number | null;
}

declare type JournalState = 'kept' | 'behind' | 'none';

/** A JSON object whose fields the inspector does not interpret. */
declare type Json = Readonly<Record<string, unknown>>;

/**
 * Appends the panel to the element, in a page with any framework, and begins to trace the sync. Returns a function that
 * removes the panel; the trace continues. The panel has a shadow root with its own styles, which need no
 * `unsafe-inline` in a content security policy. It is light, or dark if the element's `color-scheme` is dark.
 */
export declare function mountDevtools(
  element: Element,
  inspector: Inspector,
  { language, settings }?: DevtoolsOptions,
): () => void;

/**
 * `forwarded`: the mutation waits under an earlier client id of the device. `receipt`: the server has the recording,
 * and the device keeps a copy in case the server loses it.
 */
export declare type MutationState = 'pending' | 'forwarded' | 'refused' | 'discarded' | 'receipt';

/** A map or a run in a list to choose from. */
export declare interface NamedRecord {
  id: string;
  name: string;
  is_pending: boolean;
}

export declare interface OutboxFacts {
  counts: Record<MutationState, number>;
  /** At most 500 mutations: first the waiting ones, then the latest of each other state. */
  entries: OutboxItem[];
  left_out: number;
}

/** A mutation of the outbox. */
export declare interface OutboxItem {
  state: MutationState;
  client_id: string;
  /** The mutation's sequence number; null if the mutation was settled after it had moved to another client id. */
  seq: number | null;
  /** The kind of the mutation, such as `upload_recording`. */
  name: string;
  recorded_at: string;
  args: Json;
  /** True if the server gets only the mutation's sequence number, without the mutation's content. */
  is_noop: boolean;
  /**
   * How many traced requests sent the mutation. Null if the trace began after the mutation was made, or if the mutation
   * waits under an earlier client id.
   */
  attempts: number | null;
  /** The code of the last failure: the refusal, or the failure of the last traced request that sent the mutation. */
  last_failure: string | null;
  /** Why the mutation was refused, as a problem; null if the mutation was not refused. */
  error: Json | null;
  proven_at: string | null;
}

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

export declare interface PlatformFacts {
  user_agent: string | null;
  language: string | null;
  time_zone: string;
  is_online: boolean | null;
  is_visible: boolean | null;
}

/** The body of an error response. `request_id` is absent if the problem is part of a sync answer. */
declare interface Problem extends ProblemBody {
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
declare interface Progress {
  done: number;
  /** null during a pull, whose number of changes is unknown. */
  total: number | null;
}

/** A message that this device read from a screen. */
declare interface ReadCode {
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

export declare interface RecordingCustody {
  recording_session_id: string;
  map_id: string | null;
  recorded_at: string;
  /** `draft` until the recording is in the outbox, then the state of its mutation. */
  state: 'draft' | MutationState;
  custody: Custody;
  /** The carriers that have the recording; empty if this device does not hand over. */
  carriers: HandedOver[];
}

/** A record in two layers: as last pulled from the server, and with the pending mutations applied. */
export declare interface RecordLayers {
  kind: 'map' | 'run';
  id: string;
  base: Json | null;
  shown: Json | null;
  /** The names of the fields that differ between the two layers. */
  changed: string[];
  /** The pending mutations of the record. */
  pending: OutboxItem[];
}

/** A snapshot that has only these parts. */
declare type Snapshot<Part extends SnapshotPart> = Pick<DeviceSnapshot, Part | 'taken_at'>;

/** A part of a snapshot that can be read on its own. */
declare type SnapshotPart = Exclude<keyof DeviceSnapshot, 'taken_at'>;

/** The device's status: the state of its sync, its unsent mutations and the health of its storage. */
declare interface Status {
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

export declare interface StorageFacts {
  driver: string;
  collections: {
    name: string;
    rows: number;
  }[];
  quota: number | null;
  usage: number | null;
  is_persisted: boolean | null;
  problem: string | null;
}

declare interface StorageProblem {
  code: 'storage_lost' | 'storage_full';
  /** A sentence for the person. */
  detail: string;
}

/** The support bundle. A reader must ignore unknown fields. */
export declare interface SupportBundle extends Omit<DeviceSnapshot, 'status' | 'outbox' | 'custody'> {
  format: 'gemba-support';
  version: 1;
  /** True if people's texts are included unchanged. */
  texts: boolean;
  settings: Json;
  status: Json;
  outbox: Json;
  custody: Json;
  /** At most 20 records that pending mutations change, each as last pulled and with the mutations applied. */
  records: Json[];
}

export declare interface SyncRequest {
  at: string;
  kind: 'push' | 'pull' | 'runs' | 'events' | 'photos' | 'other';
  method: string;
  /** The HTTP status; null if no response came. */
  status: number | null;
  /** The time until the response began; null while the device waits for the response. */
  ms: number | null;
  sent_bytes: number | null;
  /** The `Content-Length` of the response, if the server or the browser tells it. */
  received_bytes: number | null;
  error: string | null;
  by: 'network' | 'carrier';
  /** The client id whose mutations a push sent; null for other requests. */
  client_id: string | null;
  /**
   * For a push under the device's client id: the highest sequence number that was sent until then, in this push or
   * before it. Null for any other request.
   */
  sent_seq: number | null;
}

/** A round of the sync, or the requests between two rounds. */
export declare interface SyncRound {
  at: string;
  /** The duration of the round; null while the round is running. */
  ms: number | null;
  /** The phase in which the round ended; `between` for requests outside of a round. */
  outcome: Status['phase'] | 'between';
  error: string | null;
  /** How many mutations waited when the round began, and when it ended. */
  waiting_before: number;
  waiting_after: number;
  /** How many maps and runs the round stored or removed on the device. */
  records_written: number;
  /** At most 40 requests. */
  requests: SyncRequest[];
  requests_left_out: number;
}

export declare interface TraceFacts {
  is_on: boolean;
  /** When the trace began; null if it never began. */
  begun_at: string | null;
  /** False if another tab of this browser leads the sync. Only that tab can trace its requests. */
  leads: boolean;
  /** At most 50 rounds, the newest first. */
  rounds: SyncRound[];
}

export {};
