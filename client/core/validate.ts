import { fieldErrors } from '../../shared/schema/field-errors.ts';
import type { MutationName } from '../../shared/schema/mutation.ts';
import * as validators from '../generated/validators.js';
import { GembaError } from './errors.ts';

/** Refuses what the server would refuse for its shape, at once and with the path of each wrong field. */
export function validate(name: keyof typeof validators, value: unknown): void {
  const valid = validators[name];
  if (valid(value)) return;
  const errors = fieldErrors(valid.errors ?? []);
  const detail = errors.map(({ path, message }) => `${path} ${message}`).join('; ');
  throw new GembaError({ code: 'validation_failed', detail, errors });
}

/** The validators also hold the parts of a recording. */
export const isMutationName = (name: string): name is MutationName =>
  name in validators && !['recording', 'recording_step', 'compare'].includes(name);
