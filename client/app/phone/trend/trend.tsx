/**
 * Shows the trend of a map's runs: what changed since a run or a day, and whether runs are beyond the control limits.
 */
import { useId, useState } from 'preact/hooks';
import {
  runsPerCompareMax,
  type LatestRuns,
  type RunTotals,
  type FullMap,
  type RunRecord,
  type ControlChart,
} from '../../../client.ts';
import { durationText, percentText } from '../../text/format.ts';
import { runsTexts } from '../../text/phone-runs.ts';
import { trendTexts } from '../../text/phone-maps.ts';
import { TimeText } from '../../ui/time-text.tsx';
import { useServerOnlyRunCount } from '../on-server/use-server-only-run-count.ts';
import { useStoredTrendBorder } from './stored-border.ts';
import { TrendCoverage } from './trend-coverage.tsx';
import { TrendChangeLine } from './trend-change.tsx';
import { TrendPlots } from './trend-plots.tsx';
import { compareByStart, runMediansOf, countRunsBefore, type RunMedians } from './before-after.ts';
import { useLoadBorderRun, useLatestRuns } from './use-latest-runs.ts';

/** The points of more runs would touch each other on a phone. */
const trendRunsMax = 100;

interface TrendProps {
  map: Pick<FullMap, 'id' | 'last_run_number'>;
  /** The runs on this device. */
  runs: readonly RunRecord[];
  startsOpen?: boolean;
}

export function Trend({ map, runs, startsOpen = false }: TrendProps) {
  const [isOpen, setOpen] = useState(startsOpen);
  const missing = useServerOnlyRunCount(map.id);
  if (countedRunsOf(runs).length + missing < 2) return null;
  return (
    <details
      class="card study-details trend"
      open={startsOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget instanceof HTMLDetailsElement && currentTarget.open)}
    >
      <summary>{trendTexts.title}</summary>
      {isOpen && <TrendOfMap map={map} runs={runs} />}
    </details>
  );
}

const countedRunsOf = (runs: readonly RunRecord[]) => runs.filter(({ excluded }) => !excluded);

function TrendOfMap({ map, runs: runsHere }: TrendProps) {
  const { latest, isOffline, onAgain } = useLatestRuns(map.id, trendRunsMax);
  // Shows the runs of this device until the engine has answered.
  const runs = latest?.runs ?? countedRunsOf(runsHere).toSorted(compareByStart).slice(-trendRunsMax);
  const hasNewest = runsHere.some(({ number: nth }) => nth === map.last_run_number);
  return (
    <div class="stack">
      {runs.length >= 2 && <TrendOfRuns mapId={map.id} runs={runs} known={[...runsHere, ...runs]} latest={latest} />}
      <TrendCoverage latest={latest} hasNewest={hasNewest} isOffline={isOffline} onAgain={onAgain} />
    </div>
  );
}

interface TrendOfRunsProps {
  mapId: string;
  /** The runs of the trend, the oldest first. */
  runs: readonly RunTotals[];
  known: readonly RunTotals[];
  latest: LatestRuns | undefined;
}

function TrendOfRuns({ mapId, runs, known, latest }: TrendOfRunsProps) {
  const [border, setBorder] = useStoredTrendBorder(mapId);
  useLoadBorderRun({ mapId, border, known, latest });
  const chart = latest?.chart ?? undefined;
  const [selectId, dateId] = [useId(), useId()];
  const split = countRunsBefore({ shown: runs, all: known, border });
  const first = runs[split];
  const parts = { before: runMediansOf(runs.slice(0, split)), after: runMediansOf(runs.slice(split)) };
  const isByDate = border !== undefined && 'date' in border;
  return (
    <div class="stack">
      <div class="times">
        <div class="field">
          <label for={selectId}>{trendTexts.from}</label>
          <select
            id={selectId}
            value={first?.id ?? ''}
            onChange={({ currentTarget }) => setBorder({ runId: Number(currentTarget.value) })}
          >
            {/* With all runs on one side of the border, the runs below have no option for the border. */}
            {split % runs.length === 0 && <option value={first?.id ?? ''}>{trendTexts.none}</option>}
            {runs.slice(1).map(({ id, number: nth, name }) => (
              <option key={id} value={id}>
                {runsTexts.named(nth, name)}
              </option>
            ))}
          </select>
        </div>
        <div class="field">
          <label for={dateId}>{trendTexts.fromDate}</label>
          <input
            id={dateId}
            type="date"
            value={isByDate ? border.date : ''}
            onInput={({ currentTarget: { value } }) => setBorder(value === '' ? undefined : { date: value })}
          />
        </div>
      </div>
      <TrendChangeLine {...parts} since={isByDate ? border : { number: first?.number ?? 0 }} />
      <TrendPlots runs={runs} split={split} {...parts} chart={chart} />
      <dl class="figures">
        <MediansFigure label={trendTexts.before} medians={parts.before} />
        <MediansFigure label={trendTexts.after} medians={parts.after} />
      </dl>
      {chart && <ControlLimits chart={chart} runs={runs} />}
    </div>
  );
}

function ControlLimits({ chart, runs }: { chart: ControlChart; runs: readonly RunTotals[] }) {
  const { lower_secs, upper_secs, beyond_run_ids } = chart;
  const beyond = runs.filter(({ id }) => beyond_run_ids.includes(id)).map(({ number: nth }) => nth);
  return (
    <p>
      <TimeText>
        {trendTexts.limits(
          Math.min(runs.length, runsPerCompareMax),
          durationText(lower_secs),
          durationText(upper_secs),
        )}
      </TimeText>{' '}
      {beyond.length > 0 ? <strong>{trendTexts.beyond(beyond)}</strong> : trendTexts.within}
    </p>
  );
}

function MediansFigure({ label, medians }: { label: string; medians: RunMedians | undefined }) {
  return (
    <div>
      <dt>{medians ? trendTexts.medianOf(label, medians.runs) : label}</dt>
      <dd>
        {medians ? <TimeText>{durationText(medians.secs)}</TimeText> : trendTexts.none}
        {medians && medians.pce !== null && <p class="soft small">{runsTexts.pce(percentText(medians.pce))}</p>}
      </dd>
    </div>
  );
}
