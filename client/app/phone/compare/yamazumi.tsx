/** A yamazumi chart: each run is a bar, and its stages are stacked segments, coloured by work type. */
import { useState } from 'preact/hooks';
import { workTypes } from '../../ui/work-type.tsx';
import { workTypePatternUrl, WorkTypePatterns } from '../work-type-patterns.tsx';
import { durationText } from '../../text/format.ts';
import { axisText, axisUnitText, durationOnAxisText } from '../../text/phone-axis.ts';
import { TimeText } from '../../ui/time-text.tsx';
import { texts } from '../../text/texts.ts';
import { ChartAxis, ChartGrid } from './chart-axis.tsx';
import { timeAxisTicks } from './time-axis-ticks.ts';
import { LegendItem } from '../maps/value-stream.tsx';
import { compareRunsTexts, timeStudyTexts } from '../../text/phone-runs.ts';
import { BarSegments } from './bar-segments.tsx';
import { balanceTimesOf, type RunBar } from './run-bars.ts';

/** The height of the plot area, in CSS pixels. */
const plotHeight = 288;
const marginTop = 28;
const marginBottom = 28;
const chartHeight = marginTop + plotHeight + marginBottom;
/** The position of the axis's unit, above the highest tick. */
const axisUnitY = 10;
const overTaktMark = '▲';
const barSlotWidthMin = 56;
/** The widths of bars are set in rem, since the total times above the bars grow with enlarged text. */
const pxPerRem = 16;
/** The width of one character of a total time, and the gap between two total times, in CSS pixels. */
const totalCharWidth = 7.5;
const totalGap = 8;
/** The width of a printed chart, in CSS pixels. If the total times need more, a print leaves them out. */
const printedPlotWidth = 640;
/** A print with more bars has no room for the numbers of the bars and of the segments, and leaves them out. */
const numberedBarsOnPaperMax = 30;
/** The chart draws no takt time beyond this multiple of the longest run, since the bars would be too low to read. */
const taktToLongestRunRatioMax = 2;

interface YamazumiProps {
  bars: RunBar[];
  /** The names of the stages. `BarSegment.stageIndex` is an index of this array. */
  stageNames: readonly string[];
  taktSecs: number | undefined;
}

export function Yamazumi({ bars, stageNames, taktSecs }: YamazumiProps) {
  const [tappedFigures, setTappedFigures] = useState('');
  const longestSecs = Math.max(...bars.map(({ secs }) => secs));
  const shownTaktSecs =
    taktSecs !== undefined && taktSecs <= longestSecs * taktToLongestRunRatioMax ? taktSecs : undefined;
  const isOverTakt = ({ secs, isLeftOut }: RunBar) => taktSecs !== undefined && !isLeftOut && secs > taktSecs;
  const slotOf = (index: number) => ({ x: `${(index / bars.length) * 100}%`, width: `${100 / bars.length}%` });
  const totalLengthMax = Math.max(...bars.map(({ secs }) => durationOnAxisText(secs).length));
  const totalWidth = totalLengthMax * totalCharWidth + totalGap;
  const slotWidthMin = Math.max(barSlotWidthMin, totalWidth);
  const ticks = timeAxisTicks(Math.max(longestSecs, shownTaktSecs ?? 0));
  const axisMax = Math.max(...ticks);
  const yOf = (secs: number) => marginTop + plotHeight * (1 - secs / axisMax);
  return (
    <figure class={`card stack yamazumi ${printClassNameOf(bars.length, totalWidth)}`}>
      <div class="yamazumi-plot">
        <ChartAxis
          ticks={ticks}
          tickText={axisText}
          yOf={yOf}
          unit={axisUnitText(axisMax)}
          unitY={axisUnitY}
          height={chartHeight}
        />
        <div class="yamazumi-bars" role="region" aria-label={compareRunsTexts.chart} tabIndex={0}>
          <svg
            role="img"
            aria-label={compareRunsTexts.picture(bars.length)}
            height={chartHeight}
            style={{ minWidth: `${(bars.length * slotWidthMin) / pxPerRem}rem` }}
            onClick={(event) => setTappedFigures(figuresAtTap(event, bars))}
          >
            <WorkTypePatterns />
            <ChartGrid ticks={ticks} yOf={yOf} />
            {bars.map((bar, index) => (
              <svg key={bar.id} class="yamazumi-bar" overflow="visible" {...slotOf(index)}>
                {bar.isLeftOut && (
                  <rect
                    class="yamazumi-left-out"
                    x="14%"
                    width="72%"
                    y={yOf(bar.secs)}
                    height={yOf(0) - yOf(bar.secs)}
                  />
                )}
                <BarSegments bar={bar} stageNames={stageNames} yOf={yOf} secsPerPx={axisMax / plotHeight} />
              </svg>
            ))}
            {shownTaktSecs !== undefined && <path class="yamazumi-takt" d={`M0 ${yOf(shownTaktSecs)}h9999`} />}
            {bars.map((bar, index) => (
              <svg key={bar.id} class={bar.isLeftOut ? 'yamazumi-struck' : ''} overflow="visible" {...slotOf(index)}>
                <text class="yamazumi-total" x="50%" y={yOf(bar.secs) - 8} text-anchor="middle">
                  {durationOnAxisText(bar.secs)}
                </text>
                <text x="50%" y={chartHeight - 8} text-anchor="middle">
                  {compareRunsTexts.nth(bar.number)}
                  {isOverTakt(bar) && ` ${overTaktMark}`}
                </text>
              </svg>
            ))}
          </svg>
        </div>
      </div>
      <p class="yamazumi-figures" role="status">
        <TimeText>{tappedFigures}</TimeText>
      </p>
      <YamazumiLegend bars={bars} shownTaktSecs={shownTaktSecs} hasBarOverTakt={bars.some(isOverTakt)} />
    </figure>
  );
}

interface ChartTap {
  target: EventTarget | null;
  currentTarget: Element;
  clientX: number;
}

/** Returns the figures of the tapped segment. For a tap above or below a bar, returns the total time of the bar. */
function figuresAtTap({ target, currentTarget, clientX }: ChartTap, bars: RunBar[]): string {
  const part = target instanceof Element ? target.closest('[data-figures]') : null;
  const figures = part?.getAttribute('data-figures');
  if (figures) return figures;
  const { left, width } = currentTarget.getBoundingClientRect();
  const bar = bars[Math.floor(((clientX - left) / width) * bars.length)];
  if (!bar) return '';
  const total = compareRunsTexts.total(bar.number, durationText(bar.secs));
  return bar.isLeftOut ? `${total}\n${compareRunsTexts.leftOut}` : total;
}

function printClassNameOf(barCount: number, totalWidth: number): string {
  if (barCount > numberedBarsOnPaperMax) return 'yamazumi-crowded';
  return barCount * totalWidth > printedPlotWidth ? 'yamazumi-many' : '';
}

interface YamazumiLegendProps {
  bars: RunBar[];
  /** The takt time that the chart draws as a line; undefined if it draws no such line. */
  shownTaktSecs: number | undefined;
  hasBarOverTakt: boolean;
}

function YamazumiLegend({ bars, shownTaktSecs, hasBarOverTakt }: YamazumiLegendProps) {
  const balance = balanceTimesOf(bars.filter(({ isLeftOut }) => !isLeftOut));
  const types = workTypes.filter((type) => bars.some(({ segments }) => segments.some((part) => part.type === type)));
  return (
    <figcaption>
      <ul class="flow-key" role="list">
        {types.map((type) => (
          <LegendItem key={type} fill={workTypePatternUrl(type)} label={texts.workTypes[type]} />
        ))}
        {bars.some(({ isLeftOut }) => isLeftOut) && (
          <li>
            <svg width="20" height="20" aria-hidden="true" focusable="false">
              <rect class="yamazumi-left-out" x="1" y="1" width="18" height="18" rx="4" />
            </svg>
            <span>{compareRunsTexts.leftOut}</span>
          </li>
        )}
        {shownTaktSecs !== undefined && (
          <li>
            <svg width="20" height="20" aria-hidden="true" focusable="false">
              <path class="yamazumi-takt" d="M0 10h20" />
            </svg>
            <span>
              <TimeText>{timeStudyTexts.taktLine(durationText(shownTaktSecs))}</TimeText>
            </span>
          </li>
        )}
        {hasBarOverTakt && (
          <li>
            <span aria-hidden="true">{overTaktMark}</span> <span>{timeStudyTexts.overTakt}</span>
          </li>
        )}
      </ul>
      {balance && (
        <p class="small">
          <TimeText>
            {compareRunsTexts.balance({
              share: balance.meanSecs / balance.longestSecs,
              mean: durationText(balance.meanSecs),
              longest: durationText(balance.longestSecs),
            })}
          </TimeText>
        </p>
      )}
      <p class="soft small yamazumi-caption">{compareRunsTexts.caption}</p>
    </figcaption>
  );
}
