import type { ValidateFunction } from 'ajv';
import { runLookups } from '../../shared/domain/runs-read.ts';
import { fieldErrors, type FieldError, type ListLimits } from '../../shared/schema/field-errors.ts';
import type { MutationName } from '../../shared/schema/mutation.ts';
import { GembaError } from './errors.ts';

/**
 * Throws `validation_failed` with the path of each invalid field, if `value` does not match the schema. `lists` limits
 * the lengths of the schema's lists.
 */
export function requireValid(isValid: ValidateFunction, value: unknown, lists: ListLimits = {}): void {
  throwIfInvalid(findLongListErrors(value, lists).slice(0, longListErrorsMax));
  if (isValid(value)) return;
  throwIfInvalid(fieldErrors(isValid.errors ?? []));
}

const longListErrorsMax = 100;

/**
 * Finds too long lists before a validator runs. A validator reports each wrong entry, in a time that grows with the
 * square of the length.
 */
function findLongListErrors(value: unknown, lists: ListLimits, path = ''): FieldError[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, field]) => {
    const limit = Object.hasOwn(lists, name) ? lists[name] : undefined;
    if (!limit || !Array.isArray(field)) return [];
    const listPath = `${path}/${name}`;
    const { entriesMax, each } = limit;
    if (field.length > entriesMax) return [{ path: listPath, message: `must have at most ${entriesMax} entries` }];
    return each ? field.flatMap((entry, index) => findLongListErrors(entry, each, `${listPath}/${index}`)) : [];
  });
}

/** Throws `validation_failed` with the given errors, if there are any. */
export function throwIfInvalid(errors: FieldError[]): void {
  if (errors.length === 0) return;
  const detail = errors.map(({ path, message }) => `${path} ${message}`.trim()).join('; ');
  throw new GembaError({ code: 'validation_failed', detail, errors });
}

/** Throws `validation_failed` unless the value is a plain object. A list, a `Map` and a text are not plain objects. */
export function requireObject(value: unknown, path = ''): asserts value is object {
  if (Object.prototype.toString.call(value) === '[object Object]') return;
  throwIfInvalid([{ path, message: 'must be an object' }]);
}

/**
 * Throws `validation_failed` unless the value is a plain object with no other fields than these. A misspelt option
 * would otherwise count as absent.
 */
export function requireFields(value: unknown, names: readonly string[]): asserts value is object {
  requireObject(value);
  const unknown = Object.keys(value).filter((name) => !names.includes(name));
  throwIfInvalid(unknown.map((name) => ({ path: `/${name}`, message: 'unknown field' })));
}

/** Loads the validators of all mutations on first use. A recording needs none of them. */
export const loadMutationValidators = () => import('../generated/mutation-validators.js');

/**
 * Tells whether this version of the app knows the mutation. A newer version may have stored a mutation of a new kind.
 */
export const isMutationName = (name: string): name is MutationName => Object.hasOwn(runLookups, name);
