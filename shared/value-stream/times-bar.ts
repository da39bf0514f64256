/** Draws the times of all stages to scale: work above a line, waiting below. */
import type { FullMap } from '../schema/map.ts';
import { colours, patternUrlOf, waitFillOf } from './looks.ts';
import { outlinedPartsMax, placeSegments, type Segment } from './segments.ts';
import { stageTooltip } from './stage-title.ts';
import { tag } from './svg-tag.ts';
import type { DrawingWords } from './words.ts';

const workHeight = 36;
const waitHeight = 18;
export const barHeight = workHeight + waitHeight;

/** A narrower part has no outline, since the outline would cover the part. */
const outlinedWidthMin = 3;

interface TimesBarOptions extends Pick<FullMap, 'stages' | 'analytics'> {
  words: DrawingWords;
  width: number;
}

export function drawTimesBar({ stages, analytics, words, width }: TimesBarOptions): string {
  const hasOutlines = stages.length <= outlinedPartsMax;
  const rectOf = ({ start, length }: Segment, look: Record<string, string | number>, outline: string) =>
    tag('rect', {
      x: start * width,
      width: length * width,
      ...look,
      ...(hasOutlines && length * width >= outlinedWidthMin ? { stroke: outline } : {}),
    });
  const waitLook = { y: workHeight, height: waitHeight, fill: waitFillOf(hasOutlines) };
  const drawn = placeSegments(stages, analytics.lead_time_hrs).map(({ part, wait, work }) => {
    const fill = patternUrlOf(part);
    const rects =
      (wait ? rectOf(wait, waitLook, colours.line) : '') +
      (work ? rectOf(work, { y: 0, height: workHeight, fill }, colours.surface) : '');
    return rects && tag('g', {}, stageTooltip(part, words) + rects);
  });
  const line = { d: `M0 ${workHeight}h${width}`, stroke: colours.ink, 'stroke-width': 2 };
  return drawn.join('') + tag('path', line);
}
