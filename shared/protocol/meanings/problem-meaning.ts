import type { FieldError } from '../../schema/field-errors.ts';

export interface ProblemMeaning {
  meaning: string;
  remedy: string;
  /** The `detail` of an example problem. */
  detail: string;
  errors?: FieldError[];
  members?: Record<string, unknown>;
}
