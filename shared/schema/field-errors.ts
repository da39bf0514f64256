import type { ErrorObject } from 'ajv';

/** One wrong field: a JSON Pointer (RFC 6901) into the body, and what was expected there. */
export interface FieldError {
  path: string;
  message: string;
}

const fieldErrorsMax = 100;

/** Keywords of our own, which Ajv has to know: `expected` completes "must be ...", `meaning` is for the API document. */
export const wordKeywords = ['expected', 'meaning'];

/** The wrong fields in plain words, each with its JSON Pointer. Wants ajv's `verbose`, so that the schema's own words are at hand. */
export function fieldErrors(errors: ErrorObject[]): FieldError[] {
  return errors.slice(0, fieldErrorsMax).map((error) => {
    const { instancePath, keyword, params, parentSchema } = error;
    if (keyword === 'additionalProperties') {
      return { path: `${instancePath}/${escaped(params['additionalProperty'])}`, message: 'unknown field' };
    }
    if (keyword === 'required') {
      return { path: `${instancePath}/${escaped(params['missingProperty'])}`, message: 'is required' };
    }
    const expected: unknown = parentSchema?.['expected'];
    if (expected) return { path: instancePath, message: `must be ${expected}` };
    if (params['type'] === 'object') return { path: instancePath, message: 'must be an object' };
    return { path: instancePath, message: error.message ?? 'is not valid' };
  });
}

const keyLengthMax = 100;

/** RFC 6901, section 3. Of a key that nobody would write by hand only the beginning is told. */
function escaped(key: unknown): string {
  const text = String(key);
  const short = text.length > keyLengthMax ? `${text.slice(0, keyLengthMax)}…` : text;
  return short.replaceAll('~', '~0').replaceAll('/', '~1');
}
