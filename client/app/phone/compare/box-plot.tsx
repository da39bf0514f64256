import type { TotalTimeFigures } from '../../../client.ts';
import { durationText } from '../../text/format.ts';
import { compareRunsTexts } from '../../text/phone-runs.ts';

interface BoxPlotProps {
  figures: Pick<TotalTimeFigures, 'min_secs' | 'p25_secs' | 'median_secs' | 'p75_secs' | 'max_secs'>;
  outliersSecs: readonly number[];
  /** The duration at the right end of the scale, in seconds. */
  scaleSecs: number;
}

/**
 * Draws a box plot: a line from minimum to maximum, a box between the quartiles, and a ring for each outlier. Screen
 * readers skip it, since the texts beside it have these figures.
 */
export function BoxPlot({ figures, outliersSecs, scaleSecs }: BoxPlotProps) {
  const { min_secs, p25_secs, median_secs, p75_secs, max_secs } = figures;
  const x = (secs: number) => `${scaleSecs > 0 ? (secs / scaleSecs) * 100 : 0}%`;
  return (
    <svg
      class="range-bar"
      height="24"
      aria-hidden="true"
      focusable="false"
      data-figures={compareRunsTexts.quartiles({
        p25: durationText(p25_secs),
        median: durationText(median_secs),
        p75: durationText(p75_secs),
      })}
    >
      <rect class="range-area" width="100%" height="24" />
      <line class="range-scale" x1="0" x2="100%" y1="12" y2="12" />
      <line class="range-whole" x1={x(min_secs)} x2={x(max_secs)} y1="12" y2="12" />
      <line class="range-whole" x1={x(min_secs)} x2={x(min_secs)} y1="8" y2="16" />
      <line class="range-whole" x1={x(max_secs)} x2={x(max_secs)} y1="8" y2="16" />
      <rect class="range-middle" x={x(p25_secs)} width={x(p75_secs - p25_secs)} y="5" height="14" rx="2" />
      <line class="range-median" x1={x(median_secs)} x2={x(median_secs)} y1="2" y2="22" />
      {outliersSecs.map((secs, index) => (
        <circle key={index} class="range-outlier" cx={x(secs)} cy="12" r="5" />
      ))}
    </svg>
  );
}
