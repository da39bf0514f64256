import type { Stage } from '../schema/stage.ts';
import { timeText } from './quantities.ts';
import { textTag } from './svg-tag.ts';
import type { DrawingWords } from './words.ts';

/** Says all of a stage, whose name and times may be cut off or too small to be drawn. Viewers show it beside the pointer. */
export function stageTitle({ stage, order, work_type, cycle_time_hrs, wait_time_hrs }: Stage, words: DrawingWords) {
  const cycle = timeText(cycle_time_hrs, words);
  const times = wait_time_hrs > 0 ? `${cycle}, ${words.waits(timeText(wait_time_hrs, words))}` : cycle;
  return textTag('title', {}, `${order}. ${stage}\n${words.workTypes[work_type]}: ${times}`);
}
