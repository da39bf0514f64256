/**
 * Validates values against JSON Schemas. A validator returns the errors as a list of fields with readable messages.
 *
 * The first check of a value stops at the first error. If the value is small, a second check finds all errors. In a
 * large value, all errors could take more memory than the value.
 */
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Static, TSchema } from 'typebox';
import { validationRefusal } from '../../shared/domain/outcome.ts';
import type { Refused } from '../../shared/domain/state.ts';
import { fieldErrors, customKeywords } from '../../shared/schema/field-errors.ts';
import { isInstant } from '../../shared/schema/instant.ts';
import { hasAtMostValues } from '../../shared/protocol/value-count.ts';

type ValidationResult<Value> = { ok: true; value: Value } | Refused;
export type Validator<Value> = (candidate: unknown) => ValidationResult<Value>;

/**
 * Limits the size of a JSON value of which all errors are reported, counted in values, nested ones included. For a
 * larger value, only the first error is reported. A recording of 1,000 steps is below this limit.
 */
const allErrorsValuesMax = 20_000;

interface ValidatorOptions {
  allErrorsValuesMax?: number;
}

/** Makes a validator of JSON values. The validator does not change the value. */
export function createValidator<Schema extends TSchema>(
  schema: Schema,
  options: ValidatorOptions = {},
): Validator<Static<Schema>> {
  return createLazyValidator(schema, options.allErrorsValuesMax ?? allErrorsValuesMax);
}

/**
 * Makes a validator of query parameters. The validator returns a copy with integers and booleans in place of their
 * texts.
 */
export function createQueryValidator<Schema extends TSchema>(schema: Schema): Validator<Static<Schema>> {
  const check = createLazyValidator(schema, allErrorsValuesMax);
  const types = Object.entries((schema as unknown as QuerySchema).properties);
  return (candidate) => {
    const query: Record<string, unknown> = { ...(candidate as object) };
    for (const [name, { type }] of types) query[name] = convertQueryText(query[name], type);
    return check(query);
  };
}

interface QuerySchema {
  properties: Record<string, { type?: string }>;
}

/**
 * Converts digits to a number, and `true` and `false` to a boolean, if the schema has that type. Other texts stay
 * texts.
 */
function convertQueryText(text: unknown, type: string | undefined): unknown {
  if (typeof text !== 'string') return text;
  if (type === 'integer' && /^(0|[1-9]\d*)$/.test(text)) return Number(text);
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

const ajvOptions = { verbose: true, keywords: customKeywords, formats: { instant: isInstant } };
const failFastAjv = new Ajv2020(ajvOptions);
/**
 * Validates faster than `failFastAjv`, but refuses each list with an object in it if the list's schema has
 * `uniqueItems`. `failFastAjv` therefore validates again each value that `quickAjv` refuses.
 */
const quickAjv = new Ajv2020(ajvOptions).removeKeyword('uniqueItems').addKeyword({
  keyword: 'uniqueItems',
  type: 'array',
  schemaType: 'boolean',
  errors: false,
  validate: (isOn: boolean, list: unknown[]) => !isOn || areUniquePrimitives(list),
});
const allErrorsAjv = new Ajv2020({ ...ajvOptions, allErrors: true });

function createLazyValidator<Schema extends TSchema>(schema: Schema, valuesMax: number): Validator<Static<Schema>> {
  // Compile a schema at its first use, since compiling all schemas at start doubled the start time.
  let quick: ReturnType<Ajv2020['compile']> | undefined;
  let valid: ReturnType<Ajv2020['compile']> | undefined;
  let explain: ReturnType<Ajv2020['compile']> | undefined;
  return (candidate) => {
    quick ??= quickAjv.compile(schema);
    if (quick(candidate)) return { ok: true, value: candidate as Static<Schema> };
    valid ??= failFastAjv.compile(schema);
    if (valid(candidate)) return { ok: true, value: candidate as Static<Schema> };
    let errors = valid.errors;
    if (hasAtMostValues(candidate, valuesMax)) {
      explain ??= allErrorsAjv.compile(schema);
      explain(candidate);
      errors = explain.errors;
    }
    return validationRefusal(fieldErrors((errors ?? []) as Parameters<typeof fieldErrors>[0]));
  };
}

/**
 * Replaces Ajv's check of `uniqueItems`, which turns each number into text. For the 12 stage ids of a recording, Ajv's
 * check took longer than all other checks together.
 */
function areUniquePrimitives(list: readonly unknown[]): boolean {
  const seen = new Set<unknown>();
  for (const item of list) {
    if (typeof item === 'object' && item !== null) return false;
    seen.add(item);
  }
  return seen.size === list.length;
}
