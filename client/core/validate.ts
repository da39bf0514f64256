import type { ValidateFunction } from 'ajv';
import { fieldErrors, type FieldError } from '../../shared/schema/field-errors.ts';
import type { MutationName } from '../../shared/schema/mutation.ts';
import * as validators from '../generated/validators.js';
import { GembaError } from './errors.ts';

/** Throws if the server's schema would refuse `value`; the error has the path of each invalid field. */
export function validate(name: keyof typeof validators, value: unknown): void {
  validateBy(validators[name], value);
}

export function validateBy(isValid: ValidateFunction, value: unknown): void {
  if (isValid(value)) return;
  refuseFields(fieldErrors(isValid.errors ?? []));
}

/** Throws `validation_failed` if fields are wrong. */
export function refuseFields(errors: FieldError[]): void {
  if (errors.length === 0) return;
  const detail = errors.map(({ path, message }) => `${path} ${message}`).join('; ');
  throw new GembaError({ code: 'validation_failed', detail, errors });
}

/** False for unknown names and for the two validators that are not for mutations. */
export const isMutationName = (name: string): name is MutationName =>
  name in validators && !['recording', 'recording_step'].includes(name);
