/**
 * Draws a plot of total times, and below it a plot of PCEs. Each plot shows the border between before and after, and
 * the median of each side.
 */
import type { ControlChart, RunTotals } from '../../../client.ts';
import { dateTimeText, durationText, percentText } from '../../text/format.ts';
import { axisText, axisUnitText } from '../../text/phone-axis.ts';
import { runsTexts } from '../../text/phone-runs.ts';
import { trendTexts } from '../../text/phone-maps.ts';
import { ChartAxis, ChartGrid } from '../compare/chart-axis.tsx';
import { timeAxisTicks } from '../compare/time-axis-ticks.ts';
import type { RunMedians } from './before-after.ts';

const timePlotHeight = 160;
const pcePlotHeight = 72;
const plotMargin = 12;
/** The height of the text that names the unit of an axis. This text stands above the highest value of the axis. */
const axisUnitHeight = 14;
const pceTicks = [0, 0.5, 1];

interface TrendPlotsProps {
  runs: readonly RunTotals[];
  /** How many of the runs are before the border. */
  split: number;
  before: RunMedians | undefined;
  after: RunMedians | undefined;
  chart: ControlChart | undefined;
}

export function TrendPlots({ runs, split, before, after, chart }: TrendPlotsProps) {
  const ticks = timeAxisTicks(Math.max(chart?.upper_secs ?? 0, ...runs.map(({ total_time_secs }) => total_time_secs)));
  const hasPce = runs.some(({ pce }) => pce !== null);
  const plot = { runs, split };
  return (
    <div class="stack trend-plots" role="region" aria-label={trendTexts.charts} tabIndex={0}>
      <TrendPlot
        {...plot}
        label={trendTexts.picture(runs.length)}
        height={timePlotHeight}
        ticks={ticks}
        tickText={axisText}
        unit={axisUnitText(Math.max(...ticks))}
        valueOf={({ total_time_secs }) => total_time_secs}
        medians={[before?.secs, after?.secs]}
        limits={chart && [chart.lower_secs, chart.upper_secs]}
        beyondRunIds={chart?.beyond_run_ids ?? []}
      />
      {hasPce && (
        <TrendPlot
          {...plot}
          label={trendTexts.pcePicture(runs.filter(({ pce }) => pce !== null).length)}
          height={pcePlotHeight}
          ticks={pceTicks}
          tickText={percentText}
          unit={trendTexts.pce}
          valueOf={({ pce }) => pce}
          medians={[before?.pce, after?.pce]}
          limits={undefined}
          beyondRunIds={[]}
        />
      )}
    </div>
  );
}

interface TrendPlotProps extends Pick<TrendPlotsProps, 'runs' | 'split'> {
  label: string;
  height: number;
  ticks: readonly number[];
  tickText(value: number): string;
  unit: string;
  valueOf(run: RunTotals): number | null;
  medians: readonly [before: number | null | undefined, after: number | null | undefined];
  limits: readonly [lower: number, upper: number] | undefined;
  beyondRunIds: readonly number[];
}

function TrendPlot(props: TrendPlotProps) {
  const { runs, split, label, height, ticks, tickText, unit, valueOf, medians, limits, beyondRunIds } = props;
  const top = plotMargin + (unit === '' ? 0 : axisUnitHeight);
  const svgHeight = top + height + plotMargin;
  const axisMax = Math.max(...ticks);
  const y = (value: number) => top + height * (1 - value / axisMax);
  const x = (index: number) => `${((index + 0.5) / runs.length) * 100}%`;
  const border = `${(split / runs.length) * 100}%`;
  const [before, after] = medians;
  return (
    <div class="trend-plot">
      <ChartAxis ticks={ticks} tickText={tickText} yOf={y} unit={unit} unitY={plotMargin} height={svgHeight} />
      <svg role="img" aria-label={label} height={svgHeight}>
        <ChartGrid ticks={ticks} yOf={y} />
        {limits?.map((value, index) => (
          <path key={index} class="trend-limit" d={`M0 ${y(value)}h9999`} />
        ))}
        <line class="trend-border" x1={border} x2={border} y1={top - plotMargin} y2={svgHeight} />
        {typeof before === 'number' && <line class="trend-median" x1="0" x2={border} y1={y(before)} y2={y(before)} />}
        {typeof after === 'number' && <line class="trend-median" x1={border} x2="100%" y1={y(after)} y2={y(after)} />}
        {runs.map((run, index) => {
          const value = valueOf(run);
          const isBeyond = beyondRunIds.includes(run.id);
          return (
            value !== null && (
              <circle
                key={run.id}
                class={isBeyond ? 'trend-run trend-beyond' : 'trend-run'}
                data-figures={runFiguresText(run)}
                cx={x(index)}
                cy={y(value)}
                r={isBeyond ? 6 : 4}
              />
            )
          );
        })}
      </svg>
    </div>
  );
}

function runFiguresText({ number: nth, name, started_at, created_at, total_time_secs, pce }: RunTotals): string {
  const facts = [runsTexts.named(nth, name), dateTimeText(started_at ?? created_at), durationText(total_time_secs)];
  return [...facts, ...(pce === null ? [] : [runsTexts.pce(percentText(pce))])].join('\n');
}
