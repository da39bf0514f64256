/** One compiled check a schema. Wrong values come back as fields with words for people, never as exceptions. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Static, TSchema } from 'typebox';
import { invalid } from '../../shared/domain/outcome.ts';
import type { Refused } from '../../shared/domain/state.ts';
import { fieldErrors } from '../../shared/schema/field-errors.ts';
import { isInstant } from '../../shared/schema/instant.ts';

export type Checked<Value> = { ok: true; value: Value } | Refused;
export type Validator<Value> = (candidate: unknown) => Checked<Value>;

/** A check of JSON values, which it leaves as they are. */
export function validator<Schema extends TSchema>(schema: Schema): Validator<Static<Schema>> {
  return checkWith(bodies, schema);
}

/** A check of query parameters: texts that stand for numbers and booleans become those, in a copy. */
export function queryValidator<Schema extends TSchema>(schema: Schema): Validator<Static<Schema>> {
  const check = checkWith(queries, schema);
  return (candidate) => check({ ...(candidate as object) });
}

const options = { allErrors: true, verbose: true, formats: { instant: isInstant } };
const bodies = new Ajv2020(options);
const queries = new Ajv2020({ ...options, coerceTypes: true });

function checkWith<Schema extends TSchema>(ajv: Ajv2020, schema: Schema): Validator<Static<Schema>> {
  const valid = ajv.compile(schema);
  return (candidate) =>
    valid(candidate)
      ? { ok: true, value: candidate as Static<Schema> }
      : invalid(fieldErrors((valid.errors ?? []) as Parameters<typeof fieldErrors>[0]));
}
