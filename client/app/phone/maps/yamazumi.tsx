/** A bar for each run, its stages heaped on one another in their order, by colour and pattern of their work type. */
import { patternOf, WorkTypePatterns, workTypes } from '../../ui/work-type.tsx';
import { duration, narrowDuration, number } from '../../text/format.ts';
import { texts, type WorkType } from '../../text/texts.ts';
import { ticksOf } from './ticks.ts';
import { Key } from './value-stream.tsx';
import { phoneTexts } from '../../text/phone.ts';

export interface Bar {
  id: number;
  map_id: string;
  number: number;
  secs: number;
  segments: Segment[];
}

interface Segment {
  /** Its position among the compared stages, from 0. */
  stage: number;
  type: WorkType;
  secs: number;
}

/** CSS pixels. */
const plotHeight = 288;
const above = 28;
const below = 28;
const height = above + plotHeight + below;
/** A lower segment has no room for its number. */
const numberedMin = 15;
const slotMin = 50;

export function Yamazumi({ bars }: { bars: Bar[] }) {
  const ticks = ticksOf(Math.max(...bars.map(({ secs }) => secs)));
  const yOf = (secs: number) => above + plotHeight * (1 - secs / ticks.at(-1)!);
  const types = workTypes.filter((type) => bars.some(({ segments }) => segments.some((part) => part.type === type)));
  return (
    <figure class="card stack yamazumi">
      <div class="yamazumi-plot">
        <svg class="yamazumi-axis" height={height} aria-hidden="true" focusable="false">
          {ticks.map((secs) => (
            <text key={secs} x="100%" y={yOf(secs)} dy="0.35em" text-anchor="end">
              {secs === 0 ? number(0) : duration(secs)}
            </text>
          ))}
        </svg>
        <div class="yamazumi-bars" role="region" aria-label={phoneTexts.compare.chart} tabIndex={0}>
          <svg
            role="img"
            aria-label={phoneTexts.compare.picture(bars.length)}
            height={height}
            style={{ minWidth: `${bars.length * slotMin}px` }}
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
                {heaped(bar.segments, yOf)}
                <text class="yamazumi-total" x="50%" y={yOf(bar.secs) - 8} text-anchor="middle">
                  {narrowDuration(bar.secs)}
                </text>
                <text x="50%" y={height - 8} text-anchor="middle">
                  {phoneTexts.compare.nth(bar.number)}
                </text>
              </svg>
            ))}
          </svg>
        </div>
      </div>
      <figcaption>
        <ul class="flow-key" role="list">
          {types.map((type) => (
            <Key key={type} fill={patternOf(type)} label={texts.workTypes[type]} />
          ))}
        </ul>
        <p class="soft small">{phoneTexts.compare.caption}</p>
      </figcaption>
    </figure>
  );
}

function heaped(segments: Segment[], yOf: (secs: number) => number) {
  let at = 0;
  return segments.map(({ stage, type, secs }) => {
    const bottom = yOf(at);
    at += secs;
    const top = yOf(at);
    const middle = (top + bottom) / 2;
    return (
      <g key={`${stage} ${type}`}>
        <rect class="flow-work" x="14%" width="72%" y={top} height={bottom - top} fill={patternOf(type)} />
        {bottom - top >= numberedMin && (
          <>
            <svg x="50%" y={middle - 7} overflow="visible">
              <rect class="yamazumi-chip" x="-10" width="20" height="14" rx="4" />
            </svg>
            <text class="yamazumi-number" x="50%" y={middle} dy="0.35em" text-anchor="middle">
              {number(stage + 1)}
            </text>
          </>
        )}
      </g>
    );
  });
}
