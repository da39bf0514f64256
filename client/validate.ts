import { fieldErrors } from '../shared/schema/field-errors.ts';
import * as validators from './generated/validators.js';
import { GembaError } from './errors.ts';

/** Refuses what the server would refuse for its shape, at once and with the path of each wrong field. */
export function validate(name: keyof typeof validators, value: unknown): void {
  const valid = validators[name];
  if (valid(value)) return;
  const errors = fieldErrors(valid.errors ?? []);
  const detail = errors.map(({ path, message }) => `${path} ${message}`).join('; ');
  throw new GembaError({ code: 'validation_failed', detail, errors });
}
