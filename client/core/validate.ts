import type { ValidateFunction } from 'ajv';
import { runsReadBy } from '../../shared/domain/runs-read.ts';
import { fieldErrors, type FieldError } from '../../shared/schema/field-errors.ts';
import type { MutationName } from '../../shared/schema/mutation.ts';
import { GembaError } from './errors.ts';

/** Throws if the server's schema would refuse `value`; the error has the path of each invalid field. */
export function validateBy(isValid: ValidateFunction, value: unknown): void {
  if (isValid(value)) return;
  throwFieldErrors(fieldErrors(isValid.errors ?? []));
}

/** Throws `validation_failed` unless the list is empty. */
export function throwFieldErrors(errors: FieldError[]): void {
  if (errors.length === 0) return;
  const detail = errors.map(({ path, message }) => `${path} ${message}`).join('; ');
  throw new GembaError({ code: 'validation_failed', detail, errors });
}

export async function validateMutation(name: MutationName, args: unknown): Promise<void> {
  const validators = await mutationValidators();
  validateBy(validators[name], args);
}

/** Loads the validators of all mutations at the first use, since no tap of the recorder needs them. */
export const mutationValidators = () => import('../generated/mutation-validators.js');

/** False for the name of a mutation that only a newer version of the app knows. */
export const isMutationName = (name: string): name is MutationName => Object.hasOwn(runsReadBy, name);
