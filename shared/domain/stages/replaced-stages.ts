/** Replaces all stages of a map by a list of stages. */
import type { Stage, StageReplacement } from '../../schema/stage.ts';
import { stageKey } from './stage-key.ts';
import { aliasesAfterRename, presentNames } from './stage-names.ts';
import { isValueAdd, requestedWorkType } from './work-type.ts';

interface ReplaceStagesInput {
  mapId: string;
  stages: readonly Stage[];
  replacements: readonly StageReplacement[];
  /** Returns the id for a new stage. Called only for replacements that become a new stage. */
  stageIdAt: (index: number) => number;
}

/**
 * A replacement with the id of a stage changes the given fields of that stage. Any other replacement becomes a new
 * stage. If the replacement has no `aliases`, the new stage takes over the earlier names of the stage with a matching
 * name.
 */
export function replaceStages({ mapId, stages, replacements, stageIdAt }: ReplaceStagesInput): Stage[] {
  const byId = new Map(stages.map((stage) => [stage.id, stage]));
  const byKey = new Map(stages.toReversed().map((stage) => [stageKey(stage.stage), stage]));
  const presentName = presentNames(stages);
  return replacements.map((replacement, index): Stage => {
    const name = replacement.stage.trim();
    const kept = replacement.id === undefined ? undefined : byId.get(replacement.id);
    const work_type = requestedWorkType(replacement) ?? kept?.work_type ?? 'incidental';
    const named = kept ?? byKey.get(presentName(name).key);
    const earlierNames = replacement.aliases ? { stage: name, aliases: replacement.aliases } : named;
    return {
      id: kept?.id ?? stageIdAt(index),
      map_id: mapId,
      stage: name,
      order: index + 1,
      cycle_time_hrs: replacement.cycle_time_hrs ?? kept?.cycle_time_hrs ?? 0,
      wait_time_hrs: replacement.wait_time_hrs ?? kept?.wait_time_hrs ?? 0,
      work_type,
      value_add: isValueAdd(work_type),
      ...(earlierNames && aliasesAfterRename(earlierNames, name)),
    };
  });
}

/** Returns the index of the first replacement that has the id of an earlier replacement; -1 if there is none. */
export const repeatedIdIndex = (replacements: readonly StageReplacement[]): number => {
  const ids = replacements.map(({ id }) => id);
  return ids.findIndex((id, index) => id !== undefined && ids.indexOf(id) < index);
};
