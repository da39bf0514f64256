/** Copies a map with its stages by two mutations: the first makes the new map, the second fills in its stages. */
import { nameLengthMax, type Gemba, type FullMap, type Stage, type StageReplacement } from '../../../client.ts';

/**
 * Returns the fields of the stage that `replaceStages` takes, and its `id`. With the `id`, `replaceStages` keeps the
 * stage of the map. Without the `id`, `replaceStages` would make a new stage.
 */
export function stageReplacementOf({ id, stage, cycle_time_hrs, wait_time_hrs, work_type, aliases = [] }: Stage) {
  return { id, stage, cycle_time_hrs, wait_time_hrs, work_type, aliases } satisfies StageReplacement;
}

/** Returns the stages for `replaceStages` of another map, which gives them new ids. */
export function copiedStagesOf(stages: readonly Stage[]): StageReplacement[] {
  return stages.map((stage) => {
    const { id: _id, ...fields } = stageReplacementOf(stage);
    return fields;
  });
}

/** Adds a suffix to a name. Shortens the name if both together would be too long. */
export const nameWithSuffix = (name: string, suffix: string): string =>
  [...name].slice(0, nameLengthMax - suffix.length).join('') + suffix;

/** Resolves to the id of the copy. */
export async function copyMap(
  gemba: Gemba,
  { industry, description, stages }: FullMap,
  { name, state }: Pick<FullMap, 'name' | 'state'>,
): Promise<string> {
  const id = crypto.randomUUID();
  await gemba.createMap({ id, name, state, industry, description });
  if (stages.length > 0) await gemba.replaceStages(id, copiedStagesOf(stages));
  return id;
}
