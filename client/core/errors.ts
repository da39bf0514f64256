import type { ProblemCode } from '../../shared/protocol/problem.ts';
import type { FieldError } from '../../shared/schema/field-errors.ts';

/** The refusals that only a device knows. */
export type DeviceErrorCode =
  /** One at a time a device. */
  | 'recording_under_way'
  /** What has no step cannot be finished. */
  | 'recording_empty'
  /** It was finished or discarded before, perhaps in another tab. */
  | 'recording_ended'
  /** The recorder cannot take this tap now; the message says why. */
  | 'tap_refused'
  /** Nothing of this number needs attention, or not any more. */
  | 'attention_not_found'
  /** The remedy is none of those that were offered. */
  | 'remedy_unfit'
  | 'unsent_file_invalid'
  | 'unsent_file_too_new'
  /** No answer from the server, or none of its own. */
  | 'unreachable'
  /** The browser lost or closed what the engine stores in: open it anew. */
  | 'storage_lost'
  /** No room, or no more than what the recording under way may need. */
  | 'storage_full'
  /** The storage did not answer in time; what was asked for may be kept all the same. */
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
  /** For a person. */
  detail: string;
  errors?: FieldError[] | undefined;
  retryAfterMs?: number | undefined;
}

/** For `catch`: lets pass what failed with this code, and throws everything else again. */
export const unlessCode = (code: GembaError['code']) => (error: unknown) => {
  if (!(error instanceof GembaError) || error.code !== code) throw error;
};
