/** The light colours of the app and the shapes of the work types, for a drawing that stands alone. */
import type { WorkType } from '../schema/fields.ts';
import type { Stage } from '../schema/stage.ts';
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
export const waitFillOf = (hasOutlines: boolean): string => (hasOutlines ? colours.wait : colours.line);

/** Differs between the maps of a page that contains several drawings, whose names would meet otherwise. */
export const idOf = (mapId: string, name: string): string => `gemba-${mapId}-${name}`;
export const urlOf = (mapId: string, name: string): string => `url(#${idOf(mapId, name)})`;

export const patternUrlOf = ({ map_id, work_type }: Pick<Stage, 'map_id' | 'work_type'>): string =>
  urlOf(map_id, work_type);

export const patternsOf = (mapId: string): string => workTypes.map((type) => patternOf(mapId, type)).join('');

function patternOf(mapId: string, type: WorkType): string {
  const size = { width: workTypePatternSize, height: workTypePatternSize };
  const ground = tag('rect', { ...size, fill: typeColours[type] });
  const lines = workTypeLines[type];
  const drawn = lines && tag('path', { d: lines, fill: 'none', stroke: colours.surface, 'stroke-width': 1.5 });
  return tag('pattern', { id: idOf(mapId, type), ...size, patternUnits: 'userSpaceOnUse' }, ground + drawn);
}
