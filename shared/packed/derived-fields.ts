/** Fields that follow from the other fields of their object. The packed form leaves their values out. */
import { cycleEfficiency } from '../domain/analytics.ts';
import type { WorkType } from '../schema/fields.ts';
import { isValueAdd } from '../domain/stages/work-type.ts';

type JsonObject = Record<string, unknown>;

/**
 * The rule of each field, which returns undefined if the field cannot be computed. The order matters: a rule may read
 * the result of an earlier rule, but not of a later one.
 */
const rules: readonly [key: string, valueOf: (object: JsonObject) => unknown][] = [
  ['id', ({ doc }) => (isObject(doc) && Object.hasOwn(doc, 'id') ? doc['id'] : undefined)],
  ['version', ({ doc }) => (isObject(doc) && Object.hasOwn(doc, 'version') ? doc['version'] : undefined)],
  ['value_add', ({ work_type }) => (typeof work_type === 'string' ? isValueAdd(work_type as WorkType) : undefined)],
  ['stage_count', ({ stages }) => (Array.isArray(stages) ? stages.length : undefined)],
  ['step_count', ({ steps }) => (Array.isArray(steps) ? steps.length : undefined)],
  ['total_time_secs', ({ steps }) => totalSecs(steps, () => true)],
  ['value_add_time_secs', ({ steps }) => totalSecs(steps, ({ value_add }) => value_add === true)],
  [
    'pce',
    ({ value_add_time_secs, total_time_secs }) =>
      typeof value_add_time_secs === 'number' && typeof total_time_secs === 'number'
        ? cycleEfficiency(value_add_time_secs, total_time_secs)
        : undefined,
  ],
];

export const derivedRules: ReadonlyMap<string, (object: JsonObject) => unknown> = new Map(rules);

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Adds the durations in the order of the steps, as `runFieldsOfSteps` does: another order may round differently. */
function totalSecs(steps: unknown, isCounted: (step: JsonObject) => boolean): number | undefined {
  if (!Array.isArray(steps)) return undefined;
  let total = 0;
  for (const step of steps as unknown[]) {
    if (!isObject(step) || typeof step['duration_secs'] !== 'number') return undefined;
    if (isCounted(step)) total += step['duration_secs'];
  }
  return total;
}
