/** Decides how a finished recording changes the stages of its map. */
import { undoShownMs } from '../ui/toast.tsx';
import { stageKeysOf } from './next-step.ts';
import type { FinishOptions, MapRecord, Recorded, StagesMode } from '../../client.ts';

interface MapWithStages extends Pick<MapRecord, 'state'> {
  stages: readonly { stage: string; aliases?: string[] }[];
}

/** The engine accepts an undo a little longer than the app shows Undo, so that a tap in the last moment works. */
export const undoAcceptedMs = undoShownMs + 1_000;

/** Returns how the recording changes the map's stages; undefined if a person has to choose. */
export function stagesModeOf(
  { new_map_name, steps }: Pick<Recorded, 'new_map_name' | 'steps'>,
  map: MapWithStages | undefined,
): StagesMode | undefined {
  if (new_map_name !== null) return 'replace';
  // The map may have stages that another device made and this device has not pulled yet. A merge keeps such stages.
  if (!map?.stages.length) return 'merge';
  const isPartial = recordedStageCount(map, steps) * 2 < map.stages.length;
  return map.state === 'future' || isPartial ? undefined : 'merge';
}

/**
 * Returns the options for a tap that finishes a cycle and starts the next one. If a person would have to choose how the
 * recording changes the stages, the map keeps its stages, since this tap asks the person no question.
 */
export const cycleFinishOptions = (
  recording: Pick<Recorded, 'new_map_name' | 'steps'>,
  map: MapWithStages | undefined,
): Required<FinishOptions> => ({ stages: stagesModeOf(recording, map) ?? 'keep', undoMs: undoAcceptedMs });

/** Counts the stages of the map that were recorded. A step may have a stage's present name or an earlier name of it. */
export function recordedStageCount({ stages }: Pick<MapWithStages, 'stages'>, steps: Recorded['steps']): number {
  const { keys, keyOf } = stageKeysOf(stages);
  const recorded = new Set(steps.map(({ stage_name }) => keyOf(stage_name)));
  return keys.filter((key) => recorded.has(key)).length;
}
