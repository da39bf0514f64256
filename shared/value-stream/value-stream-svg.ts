/**
 * Draws the value stream of a map as an SVG that needs no script, no style sheet and no other file. The same map makes
 * the same bytes on the server and on a device.
 */
import type { FullMap } from '../schema/map.ts';
import { fitText, widthEmOf } from './fit-text.ts';
import { drawBoxClip, ladderOf } from './ladder-rows.ts';
import { legendOf } from './legend.ts';
import { colours, fontFamily, elementIdOf, drawPatterns, elementUrlOf } from './looks.ts';
import { shareText, timeText } from './quantities.ts';
import { tag, textTag } from './svg-tag.ts';
import { barHeight, drawTimesBar } from './times-bar.ts';
import { drawingWords, type DrawingLanguage, type DrawingWords } from './words.ts';

export interface ValueStreamOptions {
  /** Default: `en`. */
  lang?: DrawingLanguage;
}

export const svgContentType = 'image/svg+xml; charset=utf-8';

type DrawnMap = Pick<FullMap, 'id' | 'name' | 'state' | 'stages' | 'analytics'>;

const margin = 32;
/** In this width, the key figures, such as the lead time, fit side by side. */
const contentWidthMin = 760;

export function valueStreamSvg(map: DrawnMap, { lang = 'en' }: ValueStreamOptions = {}): string {
  const words = drawingWords[lang];
  const { id, stages, analytics } = map;
  const ladder = stages.length > 0 ? ladderOf(stages, words) : undefined;
  const width = Math.max(contentWidthMin, ladder?.width ?? 0);
  const parts: string[] = [];
  let y = 0;
  /** Places `drawn` below the earlier parts. `height` includes the gap after it. */
  const add = (height: number, drawn: string) => {
    parts.push(tag('g', { transform: `translate(${margin} ${margin + y})` }, drawn));
    y += height;
  };

  const title = fitText(map.name, { widthEm: width / titleFontSize, linesMax: 2 });
  add(title.length * titleLineHeight, drawTitle(id, title));
  const about = `${words.title} · ${words.states[map.state]} · ${words.stages(stages.length)}`;
  add(38, textTag('text', { y: 14, fill: colours.soft }, about));
  add(64, drawFigures(analytics, words));
  if (analytics.lead_time_hrs > 0) {
    if (stages.every(({ work_type }) => work_type === 'incidental')) {
      const note = fitText(words.unjudged, { widthEm: width / fontSize, linesMax: 2 });
      add(note.length * noteLineHeight + 10, drawNote(note));
    }
    add(24, drawCaption(words.scale));
    add(barHeight + 14, drawTimesBar({ ...map, words, width }));
    const legend = legendOf(map, words, width);
    add(legend.height + 20, legend.drawn);
  }
  if (ladder) {
    add(26, drawCaption(words.ladder));
    add(ladder.height, ladder.draw(0, 0));
  }

  const size = { width: width + 2 * margin, height: y + 2 * margin - bottomMarginCut };
  return svgOf(size, lang, [
    textTag('title', {}, `${map.name}: ${words.title}`),
    tag('defs', {}, drawPatterns(id) + drawBoxClip(id) + drawTitleClip(id, width)),
    tag('rect', { ...size, fill: colours.surface }),
    ...parts,
  ]);
}

const fontSize = 13;
const titleFontSize = 22;
const titleLineHeight = 28;
/** The bottom margin is smaller by this height, since the ladder ends with a gap. */
const bottomMarginCut = 12;

interface Size {
  width: number;
  height: number;
}

function svgOf({ width, height }: Size, lang: DrawingLanguage, children: string[]): string {
  const attributes = {
    xmlns: 'http://www.w3.org/2000/svg',
    width,
    height,
    viewBox: `0 0 ${width} ${height}`,
    role: 'img',
    'xml:lang': lang,
    'font-family': fontFamily,
    'font-size': fontSize,
    fill: colours.ink,
  };
  return `${tag('svg', attributes, `\n${children.join('\n')}\n`)}\n`;
}

const drawCaption = (text: string): string => textTag('text', { y: 12, 'font-size': 12, fill: colours.soft }, text);

/** Clips a title that is wider than its estimated width. */
const drawTitleClip = (mapId: string, width: number): string =>
  tag('clipPath', { id: elementIdOf(mapId, 'title') }, tag('rect', { width, height: 2 * titleLineHeight }));

function drawTitle(mapId: string, lines: string[]): string {
  const look = { 'font-size': titleFontSize, 'font-weight': 'bold' };
  const drawn = lines.map((line, index) =>
    textTag('text', { y: titleFontSize + index * titleLineHeight, ...look }, line),
  );
  return tag('g', { 'clip-path': elementUrlOf(mapId, 'title') }, drawn.join(''));
}

const noteLineHeight = 18;

const drawNote = (lines: string[]): string =>
  lines.map((line, index) => textTag('text', { y: fontSize + index * noteLineHeight }, line)).join('');

const figureWidthMin = 150;

function drawFigures(analytics: FullMap['analytics'], words: DrawingWords): string {
  const { lead_time_hrs, pce, total_cycle_time_hrs, value_add_time_hrs } = analytics;
  const figures = [
    [words.lead, timeText(lead_time_hrs, words)],
    [words.pce, pce === null ? '–' : shareText(pce, words)],
    [words.cycle, timeText(total_cycle_time_hrs, words)],
    [words.valueAdd, timeText(value_add_time_hrs, words)],
  ] as const;
  let x = 0;
  const drawn = figures.map(([label, value]) => {
    const texts =
      textTag('text', { x, y: 12, 'font-size': 12, fill: colours.soft }, label) +
      textTag('text', { x, y: 36, 'font-size': 20, 'font-weight': 'bold' }, value);
    x += Math.max(figureWidthMin, widthEmOf(label) * 12 + 16);
    return texts;
  });
  return drawn.join('');
}
