/** Draws the legend: the work types that a map has, and waiting, each with the sum of its times. */
import type { FullMap } from '../schema/map.ts';
import { widthEmOf } from './fit-text.ts';
import { colours, workTypeMarkOf, patternUrlOf, waitFillOf, workTypes } from './looks.ts';
import { timeText } from './quantities.ts';
import { outlinedPartsMax } from './segments.ts';
import { tag, textTag } from './svg-tag.ts';
import type { DrawingWords } from './words.ts';

interface Legend {
  height: number;
  drawn: string;
}

const fontSize = 13;
const entryGap = 24;
const lineHeight = 24;

/** Draws the entries in several lines if they are wider than the drawing. */
export function legendOf(
  { id, stages, analytics }: Pick<FullMap, 'id' | 'stages' | 'analytics'>,
  words: DrawingWords,
  width: number,
): Legend {
  let [x, y] = [0, 0];
  const drawn = legendEntriesOf(analytics, { mapId: id, words, hasOutlines: stages.length <= outlinedPartsMax }).map(
    ({ label, time, sample, sampleWidth }) => {
      const entryWidth = sampleWidth + widthEmOf(`${label} ${time}`) * fontSize;
      if (x > 0 && x + entryWidth > width) [x, y] = [0, y + lineHeight];
      const entry = tag(
        'g',
        { transform: `translate(${x} ${y + 15})` },
        sample + tag('text', { x: sampleWidth }, labelSpans(label, time)),
      );
      x += entryWidth + entryGap;
      return entry;
    },
  );
  return { height: y + lineHeight, drawn: drawn.join('') };
}

interface EntryOptions {
  mapId: string;
  words: DrawingWords;
  hasOutlines: boolean;
}

function legendEntriesOf(
  { by_work_type, total_wait_time_hrs }: FullMap['analytics'],
  { mapId, words, hasOutlines }: EntryOptions,
) {
  const ofTypes = workTypes
    .filter((type) => by_work_type[type].stages > 0)
    .map((type) => ({
      label: words.workTypes[type],
      time: timeText(by_work_type[type].cycle_time_hrs, words),
      sample:
        tag('rect', { ...swatch, fill: patternUrlOf({ map_id: mapId, work_type: type }) }) +
        workTypeMarkOf(type, 24, -13),
      sampleWidth: 46,
    }));
  const waiting = {
    label: words.wait,
    time: timeText(total_wait_time_hrs, words),
    sample: tag('rect', { ...swatch, fill: waitFillOf(hasOutlines), stroke: colours.line }),
    sampleWidth: 26,
  };
  return total_wait_time_hrs > 0 ? [...ofTypes, waiting] : ofTypes;
}

const swatch = { x: 0.5, y: -14, width: 18, height: 18, rx: 4 };

const labelSpans = (label: string, time: string): string =>
  textTag('tspan', {}, label) + textTag('tspan', { dx: 6, fill: colours.soft }, time);
