/** The light colours of the app and the shapes of the work types, for a drawing that stands alone. */
import type { WorkType } from '../schema/fields.ts';
import { workTypeMarks } from './work-type-marks.ts';
import { workTypeLines, workTypePatternSize } from './work-type-lines.ts';
import { tag } from './svg-tag.ts';

export const colours = {
  surface: '#ffffff',
  ink: '#14181b',
  soft: '#4c5457',
  line: '#7a7f80',
  wait: '#eceae3',
};

export const typeColours: Record<WorkType, string> = {
  valuable: '#0d7048',
  incidental: '#8f5a00',
  waste: '#b3261e',
};

export const workTypes: readonly WorkType[] = ['valuable', 'incidental', 'waste'];

export const fonts = "Helvetica, Arial, 'Liberation Sans', sans-serif";

export const markOf = (type: WorkType, x: number, y: number): string =>
  tag('path', { d: workTypeMarks[type], fill: typeColours[type], transform: `translate(${x} ${y})` });

/** Waits without outlines are darker, since they would be lost beside the paper. */
export const waitLook = (hasOutlines: boolean): Record<string, string> =>
  hasOutlines ? { fill: colours.wait, stroke: colours.line } : { fill: colours.line };

/** The names may not meet others in a page that contains the drawing. */
export const patternUrlOf = (type: WorkType): string => `url(#gemba-${type})`;

export const patternsOf = (types: readonly WorkType[]): string => types.map(patternOf).join('');

function patternOf(type: WorkType): string {
  const size = { width: workTypePatternSize, height: workTypePatternSize };
  const ground = tag('rect', { ...size, fill: typeColours[type] });
  const lines = workTypeLines[type];
  const drawn = lines && tag('path', { d: lines, fill: 'none', stroke: colours.surface, 'stroke-width': 1.5 });
  return tag('pattern', { id: `gemba-${type}`, ...size, patternUnits: 'userSpaceOnUse' }, ground + drawn);
}
