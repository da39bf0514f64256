/**
 * Draws the stages as boxes of equal width on a line, with the wait before each box as a valley, as the app does. A
 * long value stream continues in the next row.
 */
import type { Stage } from '../schema/stage.ts';
import { fitText } from './fit-text.ts';
import { colours, elementIdOf, workTypeMarkOf, patternUrlOf, elementUrlOf } from './looks.ts';
import { timeText } from './quantities.ts';
import { stageTooltip } from './stage-title.ts';
import { tag, textTag } from './svg-tag.ts';
import type { DrawingWords } from './words.ts';

const waitWidth = 74;
const boxWidth = 116;
const stageWidth = waitWidth + boxWidth;
const boxHeight = 100;
const lineY = boxHeight + 6;
const valleyHeight = 28;
/** The height of the line with the number of the stage, above the box. */
const numberLineHeight = 16;
const rowHeight = numberLineHeight + lineY + valleyHeight + 20;
/** A row with at most this many stages is legible on a sheet of paper. */
const stagesPerRowMax = 7;

interface Ladder {
  width: number;
  height: number;
  /** Draws the ladder with its upper left corner at this point. */
  draw(x: number, y: number): string;
}

export function ladderOf(stages: readonly Stage[], words: DrawingWords): Ladder {
  const rowCount = Math.ceil(stages.length / stagesPerRowMax);
  // Rows of about the same length look better than a last row with a single stage.
  const perRow = Math.ceil(stages.length / rowCount);
  const isSingle = rowCount === 1;
  // A single row begins with its first box if the first stage has no wait.
  const indent = isSingle && stages[0]?.wait_time_hrs === 0 ? -waitWidth : 0;
  return {
    width: perRow * stageWidth + indent,
    height: rowCount * rowHeight,
    draw(x, y) {
      const rows = Array.from({ length: rowCount }, (_, row) => {
        const drawn = drawRow(stages.slice(row * perRow, (row + 1) * perRow), { words, hidesFirstWait: indent < 0 });
        return tag('g', { transform: `translate(${x + indent} ${y + numberLineHeight + row * rowHeight})` }, drawn);
      });
      return rows.join('');
    },
  };
}

/** Clips texts that are wider than their box, since the widths of texts are only estimated. */
export const drawBoxClip = (mapId: string): string =>
  tag(
    'clipPath',
    { id: elementIdOf(mapId, 'box') },
    tag('rect', { x: waitWidth, y: -numberLineHeight, width: boxWidth, height: boxHeight + numberLineHeight, rx: 6 }),
  );

function drawRow(
  stages: readonly Stage[],
  { words, hidesFirstWait }: { words: DrawingWords; hidesFirstWait: boolean },
) {
  const boxes = stages.map((stage, index) =>
    tag('g', { transform: `translate(${index * stageWidth} 0)` }, drawStage(stage, words)),
  );
  const steps = stages.map(({ wait_time_hrs }, index) => {
    const wait = wait_time_hrs > 0 ? `v${valleyHeight}h${waitWidth}v-${valleyHeight}` : `h${waitWidth}`;
    return `${index === 0 && hidesFirstWait ? `m${waitWidth} 0` : wait}h${boxWidth}`;
  });
  const line = { d: `M0 ${lineY}${steps.join('')}`, fill: 'none', stroke: colours.ink, 'stroke-width': 2 };
  return boxes.join('') + tag('path', line);
}

function drawStage(stage: Stage, words: DrawingWords): string {
  const { map_id, order, work_type, cycle_time_hrs, wait_time_hrs } = stage;
  const left = waitWidth + 8;
  const names = fitText(stage.stage, { widthEm: nameWidthEm, linesMax: 3 });
  const time = timeText(cycle_time_hrs, words);
  const inBox = [
    textTag('text', { x: waitWidth, y: -5, 'font-size': 11, fill: colours.soft }, String(order)),
    ...names.map((line, index) => textTag('text', { x: left, y: 28 + index * 16, 'font-weight': 'bold' }, line)),
    workTypeMarkOf(work_type, left - 1, boxHeight - 25),
    textTag('text', { x: left + 20, y: boxHeight - 12 }, time),
  ];
  const waiting = wait_time_hrs > 0 ? timeText(wait_time_hrs, words) : '';
  const valley = { x: waitWidth / 2, y: lineY + 18, 'font-size': 12, fill: colours.soft, 'text-anchor': 'middle' };
  return [
    stageTooltip(stage, words),
    tag('rect', { ...boxShape, fill: colours.surface, stroke: colours.line }),
    tag('path', { d: boxEdgePath, fill: patternUrlOf(stage) }),
    tag('g', { 'clip-path': elementUrlOf(map_id, 'box') }, inBox.join('')),
    waiting && textTag('text', valley, waiting),
  ].join('');
}

const fontSize = 13;
const nameWidthEm = (boxWidth - 14) / fontSize;
const boxShape = { x: waitWidth, y: 0, width: boxWidth, height: boxHeight, rx: 6 };
/** The coloured upper edge of the box, with the round corners of the box. */
const boxEdgePath = `M${waitWidth} 10v-4a6 6 0 016-6h${boxWidth - 12}a6 6 0 016 6v4z`;
