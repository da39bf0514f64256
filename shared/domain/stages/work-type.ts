import type { WorkType } from '../../schema/fields.ts';

export const workTypes = ['valuable', 'incidental', 'waste'] as const satisfies readonly WorkType[];

interface WorkTypeFields {
  work_type?: WorkType;
  /** Deprecated since 2026-04. */
  value_add?: boolean;
}

/**
 * Returns `work_type` if given. Otherwise, `value_add: true` means valuable, `false` means waste, and neither means
 * incidental.
 */
export function workTypeOf(given: WorkTypeFields): WorkType {
  return requestedWorkType(given) ?? 'incidental';
}

export function requestedWorkType({ work_type, value_add }: WorkTypeFields): WorkType | undefined {
  if (work_type !== undefined) return work_type;
  if (value_add !== undefined) return value_add ? 'valuable' : 'waste';
  return undefined;
}

export const isValueAdd = (workType: WorkType): boolean => workType === 'valuable';
