import type { ProblemCode } from '../../shared/protocol/problem.ts';
import type { FieldError } from '../../shared/schema/field-errors.ts';

/** The codes of the errors that the device itself finds. `ProblemCode` has the server's codes. */
export type DeviceErrorCode =
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
 * The error of a verb. A verb that rejects has changed nothing, except that after `storage_timeout` the change may have
 * been stored.
 */
export class GembaError extends Error {
  override name = 'GembaError';
  readonly code: ProblemCode | DeviceErrorCode;
  /** The invalid fields, if `code` is `validation_failed`. */
  readonly errors: FieldError[] | undefined;
  /** How many milliseconds the server asks the device to wait before the next request. */
  readonly retryAfterMs: number | undefined;

  constructor({ code, detail, errors, retryAfterMs }: GembaErrorOptions) {
    super(detail);
    this.code = code;
    this.errors = errors;
    this.retryAfterMs = retryAfterMs;
  }
}

interface GembaErrorOptions {
  code: GembaError['code'];
  /** A sentence for a person. It becomes the error's `message`. */
  detail: string;
  errors?: FieldError[] | undefined;
  retryAfterMs?: number | undefined;
}

/** Returns a handler for `catch` that ignores errors with this code, and throws all others again. */
export const ignoreErrorCode = (code: GembaError['code']) => (error: unknown) => {
  if (!(error instanceof GembaError) || error.code !== code) throw error;
};
