/** Copies a map with its stages into a new map, by two mutations that the server gets in this order. */
import { nameLengthMax, type Gemba, type FullMap, type Stage, type StageReplacement } from '../../../client.ts';

/**
 * Returns the stage as an argument of `replaceStages`. The `id` keeps the stage of its own map. A copy needs no `id`.
 */
export function replacementOf({ id, stage, cycle_time_hrs, wait_time_hrs, work_type, aliases = [] }: Stage) {
  return { id, stage, cycle_time_hrs, wait_time_hrs, work_type, aliases } satisfies StageReplacement;
}

export function newStagesOf(stages: readonly Stage[]): StageReplacement[] {
  return stages.map((stage) => {
    const { id: _id, ...fields } = replacementOf(stage);
    return fields;
  });
}

/** Adds the suffix to a name, and shortens the name where both together are too long. */
export const nameWithSuffix = (name: string, suffix: string): string =>
  [...name].slice(0, nameLengthMax - suffix.length).join('') + suffix;

/** Returns the id of the copy. */
export async function copyMap(
  gemba: Gemba,
  { industry, description, stages }: FullMap,
  { name, state }: Pick<FullMap, 'name' | 'state'>,
): Promise<string> {
  const id = crypto.randomUUID();
  await gemba.createMap({ id, name, state, industry, description });
  if (stages.length > 0) await gemba.replaceStages(id, newStagesOf(stages));
  return id;
}
