import type { Stage } from '../schema/stage.ts';
import { timeText } from './quantities.ts';
import { textTag } from './svg-tag.ts';
import type { DrawingWords } from './words.ts';

/**
 * Makes the tooltip of a stage with its whole name and all times, which the drawing may cut off or show too small.
 */
export function stageTooltip({ stage, order, work_type, cycle_time_hrs, wait_time_hrs }: Stage, words: DrawingWords) {
  const cycle = timeText(cycle_time_hrs, words);
  const times = wait_time_hrs > 0 ? `${cycle}, ${words.waits(timeText(wait_time_hrs, words))}` : cycle;
  return textTag('title', {}, `${order}. ${stage}\n${words.workTypes[work_type]}: ${times}`);
}
