import type { ProblemCode } from '../../shared/protocol/problem.ts';
import type { FieldError } from '../../shared/schema/field-errors.ts';

/** The error codes that only a device gives; the server's codes are in `ProblemCode`. */
export type DeviceErrorCode =
  /** A device records one recording at a time. */
  | 'recording_under_way'
  /** A recording without a step cannot be finished. */
  | 'recording_empty'
  /** The recording was finished or discarded before, perhaps in another tab. */
  | 'recording_ended'
  /** The recorder cannot take this tap now; the message says why. */
  | 'tap_refused'
  /** No mutation with this number needs attention, or it no longer does. */
  | 'attention_not_found'
  /** The remedy is not among those that `attention$` offers. */
  | 'remedy_unfit'
  | 'unsent_file_invalid'
  | 'unsent_file_too_new'
  /** The server did not answer, or another host answered in its place (a login page of the network, for example). */
  | 'unreachable'
  /** The browser lost or closed the database: open the engine again. */
  | 'storage_lost'
  /** The storage is full, or has only the reserve that a recording under way needs. */
  | 'storage_full'
  /** The storage did not answer in time; it may still have stored the change. */
  | 'storage_timeout'
  /** The engine was closed. */
  | 'closed';

/** A verb was refused. It changed nothing, unless the code is `storage_timeout`. `message` is for a person. */
export class GembaError extends Error {
  override name = 'GembaError';
  readonly code: ProblemCode | DeviceErrorCode;
  /** The wrong fields when `code` is `validation_failed`. */
  readonly errors: FieldError[] | undefined;
  /** The pause that the server asks for before another request. */
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
  /** A text for a person; it becomes the error's `message`. */
  detail: string;
  errors?: FieldError[] | undefined;
  retryAfterMs?: number | undefined;
}

/** Makes a handler for `catch` that ignores errors with this code and rethrows all others. */
export const unlessCode = (code: GembaError['code']) => (error: unknown) => {
  if (!(error instanceof GembaError) || error.code !== code) throw error;
};
