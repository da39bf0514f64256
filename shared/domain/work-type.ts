import type { WorkType } from '../schema/fields.ts';

export const workTypes = ['valuable', 'incidental', 'waste'] as const satisfies readonly WorkType[];

interface Classification {
  work_type?: WorkType;
  /** Deprecated since 2026-04. */
  value_add?: boolean;
}

/** `work_type` wins; `value_add` alone means valuable or waste; with neither the work is incidental. */
export function workTypeOf(given: Classification): WorkType {
  return givenWorkType(given) ?? 'incidental';
}

/** The work type that a request states, undefined when it states none. */
export function givenWorkType({ work_type, value_add }: Classification): WorkType | undefined {
  if (work_type !== undefined) return work_type;
  if (value_add !== undefined) return value_add ? 'valuable' : 'waste';
  return undefined;
}

export const isValueAdd = (workType: WorkType): boolean => workType === 'valuable';
