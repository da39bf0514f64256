/** Builds the two outcomes of a mutation: applied and refused. */
import type { FieldError } from '../schema/field-errors.ts';
import type { Applied, ChangedRecords, DomainRefusal, Refused, AffectedIds } from './state.ts';

export function applied(changes: ChangedRecords, affectedIds: AffectedIds, idsTaken = 0): Applied {
  return { ok: true, changes, affectedIds, idsTaken };
}

export function refused(
  code: DomainRefusal['code'],
  detail: string,
  more: Pick<DomainRefusal, 'errors' | 'members'> = {},
): Refused {
  return { ok: false, error: { code, detail, ...more } };
}

export function validationRefusal(errors: FieldError[]): Refused {
  const words = errors.map(({ path, message }) => `${path === '' ? 'the whole' : path}: ${message}`);
  return refused('validation_failed', words.join('; '), { errors });
}

/** Refuses a device-made id that another record has. `field` tells the device which id to replace. */
export function idTakenRefusal(field: 'map_id' | 'stage_id' | 'run_id' | 'stage_ids', id: string | number): Refused {
  return refused('id_taken', `Another record has, or had, the ${field} ${id}.`, { members: { field } });
}
