/** The two ways in which a mutation ends. */
import type { FieldError } from '../schema/field-errors.ts';
import type { Applied, Changes, DomainRefusal, Refused, Subject } from './state.ts';

export function applied(changes: Changes, subject: Subject, idsTaken = 0): Applied {
  return { ok: true, changes, subject, idsTaken };
}

export function refused(
  code: DomainRefusal['code'],
  detail: string,
  more: Pick<DomainRefusal, 'errors' | 'members'> = {},
): Refused {
  return { ok: false, error: { code, detail, ...more } };
}

export function invalid(errors: FieldError[]): Refused {
  const words = errors.map(({ path, message }) => `${path === '' ? 'the whole' : path}: ${message}`);
  return refused('validation_failed', words.join('; '), { errors });
}

/** A client-made id that another record has. `field` names it, so that a device can pick a new one. */
export function idTaken(field: 'map_id' | 'stage_id' | 'run_id' | 'stage_ids', id: string | number): Refused {
  return refused('id_taken', `Another record has, or had, the ${field} ${id}.`, { members: { field } });
}
