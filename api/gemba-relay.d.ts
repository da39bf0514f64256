import { Observable } from 'rxjs';

/**
 * Answers the offer in the text of a QR code. Resolves to undefined if the text is no offer, for example because the
 * camera read another code.
 */
export declare function answerChannel(
  text: string,
  { signal }: PeerOptions,
): Promise<ChannelAnswer | 'no_network' | undefined>;

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

declare type CommonProblemCode = keyof typeof problemKinds;

/** Makes a carrier, for the option `carrier` of `openGemba`. The verbs of a carrier wait until its engine is open. */
export declare function createCarrier(): Carrier;

/**
 * Makes a hand-over, for the option `handOver` of `openGemba`. The verbs of a hand-over wait until its engine is open.
 */
export declare function createHandOver(): HandOver;

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

declare type JournalState = 'kept' | 'behind' | 'none';

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

/** Aborting `signal` ends the connection, also after it has opened. */
export declare interface PeerOptions {
  signal: AbortSignal;
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

declare interface StorageProblem {
  code: 'storage_lost' | 'storage_full';
  /** A sentence for the person. */
  detail: string;
}

export {};
