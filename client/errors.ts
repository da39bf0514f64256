import type { FieldError } from '../shared/protocol/problem.ts';

/** A verb was refused on the device, before anything was written: the caller asked for what cannot be. */
export class GembaError extends Error {
  override name = 'GembaError';
  /** Stable snake_case: a problem code of the contract, or one of the device's own. */
  readonly code: string;
  readonly errors: FieldError[] | undefined;

  constructor({ code, detail, errors }: { code: string; detail: string; errors?: FieldError[] | undefined }) {
    super(detail);
    this.code = code;
    this.errors = errors;
  }
}
