/** A yamazumi chart: each run is a bar, and its stages are segments stacked in their order, coloured by work type. */
import { patternUrlOf, WorkTypePatterns, workTypes } from '../../ui/work-type.tsx';
import { axisText, durationText, numberText } from '../../text/format.ts';
import { texts, type WorkType } from '../../text/texts.ts';
import { ticksOf } from './ticks.ts';
import { LegendItem } from '../maps/value-stream.tsx';
import { compareTexts } from '../../text/phone-on-demand.ts';

export interface RunBar {
  id: number;
  map_id: string;
  number: number;
  secs: number;
  segments: BarSegment[];
}

interface BarSegment {
  /** The index of the stage among the compared stages. */
  stage: number;
  type: WorkType;
  secs: number;
}

/** The height of the bars' area, in CSS pixels. */
const plotHeight = 288;
const marginTop = 28;
const marginBottom = 28;
const chartHeight = marginTop + plotHeight + marginBottom;
/** A segment shows its number from this height on, in CSS pixels. */
const heightWithNumberMin = 15;
const slotWidthMin = 50;

export function Yamazumi({ bars }: { bars: RunBar[] }) {
  const ticks = ticksOf(Math.max(...bars.map(({ secs }) => secs)));
  const axisMax = Math.max(...ticks);
  const yOf = (secs: number) => marginTop + plotHeight * (1 - secs / axisMax);
  const types = workTypes.filter((type) => bars.some(({ segments }) => segments.some((part) => part.type === type)));
  return (
    <figure class="card stack yamazumi">
      <div class="yamazumi-plot">
        <svg class="yamazumi-axis" height={chartHeight} aria-hidden="true" focusable="false">
          {ticks.map((secs) => (
            <text key={secs} x="100%" y={yOf(secs)} dy="0.35em" text-anchor="end">
              {axisText(secs)}
            </text>
          ))}
        </svg>
        <div class="yamazumi-bars" role="region" aria-label={compareTexts.chart} tabIndex={0}>
          <svg
            role="img"
            aria-label={compareTexts.picture(bars.length)}
            height={chartHeight}
            style={{ minWidth: `${bars.length * slotWidthMin}px` }}
          >
            <WorkTypePatterns />
            {ticks.map((secs) => (
              <path key={secs} class={secs === 0 ? 'yamazumi-floor' : 'yamazumi-grid'} d={`M0 ${yOf(secs)}h9999`} />
            ))}
            {bars.map((bar, index) => (
              <svg
                key={bar.id}
                x={`${(index / bars.length) * 100}%`}
                width={`${100 / bars.length}%`}
                overflow="visible"
              >
                {stackedSegments(bar.segments, yOf)}
                <text class="yamazumi-total" x="50%" y={yOf(bar.secs) - 8} text-anchor="middle">
                  {durationText(bar.secs)}
                </text>
                <text x="50%" y={chartHeight - 8} text-anchor="middle">
                  {compareTexts.nth(bar.number)}
                </text>
              </svg>
            ))}
          </svg>
        </div>
      </div>
      <figcaption>
        <ul class="flow-key" role="list">
          {types.map((type) => (
            <LegendItem key={type} fill={patternUrlOf(type)} label={texts.workTypes[type]} />
          ))}
        </ul>
        <p class="soft small">{compareTexts.caption}</p>
      </figcaption>
    </figure>
  );
}

function stackedSegments(segments: BarSegment[], yOf: (secs: number) => number) {
  let start = 0;
  return segments.map(({ stage, type, secs }) => {
    const bottom = yOf(start);
    start += secs;
    const top = yOf(start);
    const middle = (top + bottom) / 2;
    return (
      <g key={`${stage} ${type}`}>
        <rect class="flow-work" x="14%" width="72%" y={top} height={bottom - top} fill={patternUrlOf(type)} />
        {bottom - top >= heightWithNumberMin && (
          <>
            <svg x="50%" y={middle - 7} overflow="visible">
              <rect class="yamazumi-chip" x="-10" width="20" height="14" rx="4" />
            </svg>
            <text class="yamazumi-number" x="50%" y={middle} dy="0.35em" text-anchor="middle">
              {numberText(stage + 1)}
            </text>
          </>
        )}
      </g>
    );
  });
}
