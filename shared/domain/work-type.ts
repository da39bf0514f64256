import type { WorkType } from '../schema/fields.ts';

export const workTypes = ['valuable', 'incidental', 'waste'] as const satisfies readonly WorkType[];

interface WorkTypeFields {
  work_type?: WorkType;
  /** Deprecated since 2026-04. */
  value_add?: boolean;
}

/** Decides the work type: `work_type` if given, else `value_add` as valuable or waste, else incidental. */
export function workTypeOf(given: WorkTypeFields): WorkType {
  return requestedWorkType(given) ?? 'incidental';
}

/** Returns the work type that a request gives, or undefined. */
export function requestedWorkType({ work_type, value_add }: WorkTypeFields): WorkType | undefined {
  if (work_type !== undefined) return work_type;
  if (value_add !== undefined) return value_add ? 'valuable' : 'waste';
  return undefined;
}

export const isValueAdd = (workType: WorkType): boolean => workType === 'valuable';
