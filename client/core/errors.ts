import type { ProblemCode } from '../../shared/protocol/problem.ts';
import type { FieldError } from '../../shared/schema/field-errors.ts';

/** The refusals that only a device knows. */
export type DeviceErrorCode =
  /** A device records one recording at a time. */
  | 'recording_under_way'
  /** A recording without a step cannot be finished. */
  | 'recording_empty'
  /** The recording was finished or discarded before, perhaps in another tab. */
  | 'recording_ended'
  /** The recorder cannot take this tap now; the message says why. */
  | 'tap_refused'
  /** No mutation of this number needs attention, or not any more. */
  | 'attention_not_found'
  /** The remedy is none of those that were offered. */
  | 'remedy_unfit'
  | 'unsent_file_invalid'
  | 'unsent_file_too_new'
  /** The server did not answer, or something else answered in its place. */
  | 'unreachable'
  /** The browser lost or closed the database: open the engine anew. */
  | 'storage_lost'
  /** The storage has no room, or only the reserve for the recording under way. */
  | 'storage_full'
  /** The storage did not answer in time; the change may be kept all the same. */
  | 'storage_timeout'
  /** The engine was closed. */
  | 'closed';

/** A verb was refused, and left nothing behind unless its code is `storage_timeout`; `message` is for a person. */
export class GembaError extends Error {
  override name = 'GembaError';
  readonly code: ProblemCode | DeviceErrorCode;
  /** The wrong fields when `code` is `validation_failed`. */
  readonly errors: FieldError[] | undefined;
  /** How long the server asked to wait before another try. */
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
  /** A text for a person. */
  detail: string;
  errors?: FieldError[] | undefined;
  retryAfterMs?: number | undefined;
}

/** Makes a handler for `catch` that swallows errors with this code, and throws all others again. */
export const unlessCode = (code: GembaError['code']) => (error: unknown) => {
  if (!(error instanceof GembaError) || error.code !== code) throw error;
};
