/** Matches recorded names with the stages of a map, by current and earlier names of the stages. */
import { stageAliasesMax } from '../../schema/limits.ts';
import type { Stage } from '../../schema/stage.ts';
import { stageKey } from './stage-key.ts';

/** A name as people see it. `key` is its normalized form: names with equal keys match. */
export interface StageName {
  key: string;
  name: string;
}

/**
 * Returns a function that turns a recorded name into the current name of its stage. If several stages had the name
 * earlier, the function takes the first of them. A current name, or a name that no stage ever had, stays as it is.
 */
export function presentNames(stages: readonly Pick<Stage, 'stage' | 'aliases'>[]): (recordedName: string) => StageName {
  const byAlias = currentNamesByAlias(stages);
  return (name) => {
    const key = stageKey(name);
    return byAlias.get(key) ?? { key, name };
  };
}

/**
 * Returns a `Map` from the earlier names of the stages to the current names. Leaves out an earlier name that is the
 * current name of a stage.
 */
function currentNamesByAlias(stages: readonly Pick<Stage, 'stage' | 'aliases'>[]): Map<string, StageName> {
  const byAlias = new Map<string, StageName>();
  // Return early, since few maps have renamed stages and each recording of a map calls this function.
  if (!stages.some(({ aliases }) => aliases !== undefined)) return byAlias;
  const present = new Set(stages.map(({ stage }) => stageKey(stage)));
  for (const { stage, aliases = [] } of stages) {
    for (const alias of aliases.map(stageKey)) {
      if (!present.has(alias) && !byAlias.has(alias)) byAlias.set(alias, { key: stageKey(stage), name: stage });
    }
  }
  return byAlias;
}

/**
 * Returns the earlier names of a stage that is now called `name`, the latest first. Returns `{}` if the stage had no
 * other name.
 */
export function aliasesAfterRename(before: Pick<Stage, 'stage' | 'aliases'>, name: string): Pick<Stage, 'aliases'> {
  if (before.stage === name && before.aliases === undefined) return {};
  const earlier = new Map<string, string>();
  for (const alias of [before.stage, ...(before.aliases ?? [])]) {
    const key = stageKey(alias);
    if (key !== stageKey(name) && !earlier.has(key)) earlier.set(key, alias);
  }
  return earlier.size === 0 ? {} : { aliases: [...earlier.values()].slice(0, stageAliasesMax) };
}

/** Copies the earlier names of replaced stages to the new stages that match them by name. */
export function withAliasesFrom(replaced: readonly Stage[], stages: Stage[]): Stage[] {
  const currentNameOf = presentNames(replaced);
  const named = new Map(replaced.toReversed().map((stage) => [stageKey(stage.stage), stage]));
  return stages.map((stage) => {
    const before = named.get(currentNameOf(stage.stage).key);
    return before ? { ...stage, ...aliasesAfterRename(before, stage.stage) } : stage;
  });
}
