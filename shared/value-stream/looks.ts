/** The app's light colours and the marks of the work types, for a drawing that has no style sheet. */
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

export const workTypeColours: Record<WorkType, string> = {
  valuable: '#0d7048',
  incidental: '#8f5a00',
  waste: '#b3261e',
};

export const workTypes: readonly WorkType[] = ['valuable', 'incidental', 'waste'];

export const fontFamily = "Helvetica, Arial, 'Liberation Sans', sans-serif";

export const workTypeMarkOf = (type: WorkType, x: number, y: number): string =>
  tag('path', { d: workTypeMarks[type], fill: workTypeColours[type], transform: `translate(${x} ${y})` });

/** Without outlines, waits get a darker fill, since a light fill would be hard to see on white paper. */
export const waitFillOf = (hasOutlines: boolean): string => (hasOutlines ? colours.wait : colours.line);

/** Makes an id for an SVG element. A page may contain the drawings of several maps, whose ids must differ. */
export const elementIdOf = (mapId: string, name: string): string => `gemba-${mapId}-${name}`;
export const elementUrlOf = (mapId: string, name: string): string => `url(#${elementIdOf(mapId, name)})`;

export const patternUrlOf = ({ map_id, work_type }: Pick<Stage, 'map_id' | 'work_type'>): string =>
  elementUrlOf(map_id, work_type);

export const drawPatterns = (mapId: string): string => workTypes.map((type) => drawPattern(mapId, type)).join('');

function drawPattern(mapId: string, type: WorkType): string {
  const size = { width: workTypePatternSize, height: workTypePatternSize };
  const ground = tag('rect', { ...size, fill: workTypeColours[type] });
  const lines = workTypeLines[type];
  const drawn = lines && tag('path', { d: lines, fill: 'none', stroke: colours.surface, 'stroke-width': 1.5 });
  return tag('pattern', { id: elementIdOf(mapId, type), ...size, patternUnits: 'userSpaceOnUse' }, ground + drawn);
}
