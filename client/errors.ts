import type { FieldError, ProblemCode } from '../shared/protocol/problem.ts';

/** The refusals that only a device knows. */
export type DeviceErrorCode =
  | 'recording_under_way'
  | 'recording_empty'
  | 'recording_ended'
  | 'tap_refused'
  | 'attention_not_found'
  | 'remedy_unfit'
  | 'unsent_file_invalid'
  | 'unsent_file_too_new'
  | 'unreachable'
  /** The browser lost or closed what the engine stores in. */
  | 'storage_lost'
  | 'storage_full'
  | 'closed';

/** A verb was refused on the device, before anything was written: the caller asked for what cannot be. */
export class GembaError extends Error {
  override name = 'GembaError';
  readonly code: ProblemCode | DeviceErrorCode;
  /** The wrong fields when `code` is `validation_failed`. */
  readonly errors: FieldError[] | undefined;

  constructor({ code, detail, errors }: GembaErrorOptions) {
    super(detail);
    this.code = code;
    this.errors = errors;
  }
}

interface GembaErrorOptions {
  code: GembaError['code'];
  /** For a person. */
  detail: string;
  errors?: FieldError[] | undefined;
}
