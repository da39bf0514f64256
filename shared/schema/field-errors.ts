import type { ErrorObject } from 'ajv';

/** One wrong field: a JSON Pointer (RFC 6901) into the body, and what the server expects there. */
export interface FieldError {
  path: string;
  message: string;
}

/** How many entries each list in an object may have. Each key is the name of a field that has a list. */
export interface ListLimits {
  readonly [field: string]: {
    readonly entriesMax: number;
    /** The lists within each entry. */
    readonly each?: ListLimits;
  };
}

const fieldErrorsMax = 100;

/**
 * The schema keywords that this project adds, for Ajv's option `keywords`: `expected` completes "must be ...",
 * `meaning` is for the API document.
 */
export const customKeywords = ['expected', 'meaning'];

/**
 * Lists the wrong fields in plain words. Ajv needs its option `verbose`, which puts the schema with `expected` into
 * each error.
 */
export function fieldErrors(errors: ErrorObject[]): FieldError[] {
  return withoutUnhelpfulUnionErrors(errors)
    .slice(0, fieldErrorsMax)
    .map((error) => {
      const { instancePath, keyword, params, parentSchema } = error;
      if (keyword === 'additionalProperties') {
        return { path: `${instancePath}/${pointerToken(params['additionalProperty'])}`, message: 'unknown field' };
      }
      if (keyword === 'required') {
        return { path: `${instancePath}/${pointerToken(params['missingProperty'])}`, message: 'is required' };
      }
      const expected: unknown = parentSchema?.['expected'];
      if (expected) return { path: instancePath, message: `must be ${expected}` };
      if (params['type'] === 'object') return { path: instancePath, message: 'must be an object' };
      return { path: instancePath, message: error.message ?? 'is not valid' };
    });
}

/**
 * If an `anyOf` fails, Ajv also reports the errors of every alternative. Keeps only the errors of the alternatives that
 * have the value's type. If there is no such alternative, keeps only the error of the `anyOf`, with the allowed values.
 */
function withoutUnhelpfulUnionErrors(errors: ErrorObject[]): ErrorObject[] {
  const dropped = new Set<ErrorObject>();
  for (const union of errors.filter(({ keyword }) => keyword === 'anyOf')) {
    const branches = errors.filter(({ schemaPath }) => schemaPath.startsWith(`${union.schemaPath}/`));
    const isInside = ({ instancePath, keyword }: ErrorObject) =>
      instancePath !== union.instancePath || keyword !== 'type';
    const unhelpful = branches.some(isInside) ? [union, ...branches.filter((error) => !isInside(error))] : branches;
    for (const error of unhelpful) dropped.add(error);
  }
  return errors.filter((error) => !dropped.has(error));
}

const fieldNameLengthMax = 100;

/** Escapes the name of a field for a JSON Pointer (RFC 6901, section 3), and shortens a very long name. */
function pointerToken(key: unknown): string {
  const text = String(key);
  const short = text.length > fieldNameLengthMax ? `${text.slice(0, fieldNameLengthMax)}…` : text;
  return short.replaceAll('~', '~0').replaceAll('/', '~1');
}
