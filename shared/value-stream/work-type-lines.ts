/**
 * The lines in the pattern of each work type. A reader can tell the work types apart by these lines without colours.
 */
import type { WorkType } from '../schema/fields.ts';

/** The pattern repeats after this many units in both directions. */
export const workTypePatternSize = 8;

export const workTypeLines: Record<WorkType, string> = {
  valuable: '',
  incidental: 'M-2 10L10 -2M-2 2L2 -2M6 10L10 6',
  waste: 'M0 0l8 8M8 0L0 8',
};
