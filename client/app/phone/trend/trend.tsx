/** Draws the total times of the runs in their order, with the medians before and after a chosen run. */
import { useId, useState } from 'preact/hooks';
import type { RunRecord } from '../../../../shared/schema/run.ts';
import { durationText, percentText } from '../../text/format.ts';
import { axisText } from '../../text/phone-axis.ts';
import { runsTexts, trendTexts } from '../../text/phone-runs.ts';
import { ticksOf } from '../compare/ticks.ts';
import { mediansAround, type Medians } from './trend-medians.ts';

const plotHeight = 160;
const marginTop = 12;
const chartHeight = plotHeight + 2 * marginTop;
/** More points would touch each other on a phone. */
const trendRunsMax = 100;

interface TrendProps {
  runs: readonly RunRecord[];
  startsOpen?: boolean;
}

export function Trend({ runs, startsOpen = false }: TrendProps) {
  const [isOpen, setOpen] = useState(startsOpen);
  if (runs.filter(({ excluded }) => !excluded).length < 2) return null;
  return (
    <details
      class="card study-details trend"
      open={startsOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget instanceof HTMLDetailsElement && currentTarget.open)}
    >
      <summary>{trendTexts.title}</summary>
      {isOpen && <TrendChart runs={runs} />}
    </details>
  );
}

function TrendChart({ runs: allRuns }: Pick<TrendProps, 'runs'>) {
  const runs = allRuns
    .filter(({ excluded }) => !excluded)
    .toSorted((a, b) => a.number - b.number)
    .slice(-trendRunsMax);
  const selectId = useId();
  const [chosenId, setChosenId] = useState<number>();
  const middle = runs[Math.floor(runs.length / 2)];
  if (!middle) return null;
  const from = runs.find(({ id }) => id === chosenId) ?? middle;
  const { before, after } = mediansAround(runs, from.id);
  const ticks = ticksOf(Math.max(...runs.map(({ total_time_secs }) => total_time_secs)));
  const axisMax = Math.max(...ticks);
  const y = (secs: number) => marginTop + plotHeight * (1 - secs / axisMax);
  const x = (index: number) => `${((index + 0.5) / runs.length) * 100}%`;
  const split = runs.indexOf(from);
  const border = `${(split / runs.length) * 100}%`;
  return (
    <div class="stack">
      <div class="field">
        <label for={selectId}>{trendTexts.from}</label>
        <select
          id={selectId}
          value={from.id}
          onChange={({ currentTarget }) => setChosenId(Number(currentTarget.value))}
        >
          {runs.slice(1).map(({ id, number: nth, name }) => (
            <option key={id} value={id}>
              {runsTexts.named(nth, name)}
            </option>
          ))}
        </select>
      </div>
      <div class="trend-plot">
        <svg class="yamazumi-axis" height={chartHeight} aria-hidden="true" focusable="false">
          {ticks.map((secs) => (
            <text key={secs} x="100%" y={y(secs)} dy="0.35em" text-anchor="end">
              {axisText(secs)}
            </text>
          ))}
        </svg>
        <svg role="img" aria-label={trendTexts.picture(runs.length)} height={chartHeight}>
          {ticks.map((secs) => (
            <path key={secs} class={secs === 0 ? 'yamazumi-floor' : 'yamazumi-grid'} d={`M0 ${y(secs)}h9999`} />
          ))}
          <line class="trend-border" x1={border} x2={border} y1="0" y2={chartHeight} />
          {before && <line class="trend-median" x1="0" x2={border} y1={y(before.secs)} y2={y(before.secs)} />}
          {after && <line class="trend-median" x1={border} x2="100%" y1={y(after.secs)} y2={y(after.secs)} />}
          {runs.map(({ id, total_time_secs }, index) => (
            <circle key={id} class="trend-run" cx={x(index)} cy={y(total_time_secs)} r="4" />
          ))}
        </svg>
      </div>
      <dl class="figures">
        <MediansFigure label={trendTexts.before} medians={before} />
        <MediansFigure label={trendTexts.after} medians={after} />
      </dl>
    </div>
  );
}

function MediansFigure({ label, medians }: { label: string; medians: Medians | undefined }) {
  return (
    <div>
      <dt>{medians ? trendTexts.medianOf(label, medians.runs) : label}</dt>
      <dd>
        {medians ? durationText(medians.secs) : trendTexts.none}
        {medians && medians.pce !== null && <p class="soft small">{runsTexts.pce(percentText(medians.pce))}</p>}
      </dd>
    </div>
  );
}
