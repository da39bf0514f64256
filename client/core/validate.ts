import type { ValidateFunction } from 'ajv';
import { runsReadBy } from '../../shared/domain/runs-read.ts';
import { fieldErrors, type FieldError } from '../../shared/schema/field-errors.ts';
import type { MutationName } from '../../shared/schema/mutation.ts';
import { GembaError } from './errors.ts';

/** Throws `validation_failed`, with the path of each invalid field, if `value` does not match the schema. */
export function requireValid(isValid: ValidateFunction, value: unknown): void {
  if (isValid(value)) return;
  throwIfInvalid(fieldErrors(isValid.errors ?? []));
}

/** Throws `validation_failed` with the given errors, if there are any. */
export function throwIfInvalid(errors: FieldError[]): void {
  if (errors.length === 0) return;
  const detail = errors.map(({ path, message }) => `${path} ${message}`).join('; ');
  throw new GembaError({ code: 'validation_failed', detail, errors });
}

export async function validateMutation(name: MutationName, args: unknown): Promise<void> {
  const validators = await loadMutationValidators();
  requireValid(validators[name], args);
}

/** Loads the validators of all mutations on first use, since a recording needs none of them. */
export const loadMutationValidators = () => import('../generated/mutation-validators.js');

/** Tells whether this version of the app knows the mutation. A newer version may have stored the mutation. */
export const isMutationName = (name: string): name is MutationName => Object.hasOwn(runsReadBy, name);
