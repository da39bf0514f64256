/** The shape of each work type, 16 units wide: circle, square and triangle. */
import type { WorkType } from '../schema/fields.ts';

export const workTypeMarks: Record<WorkType, string> = {
  valuable: 'M8 1.5a6.5 6.5 0 110 13 6.5 6.5 0 010-13z',
  incidental: 'M2.5 2.5h11v11h-11z',
  waste: 'M8 1.5l7 12.5H1z',
};
