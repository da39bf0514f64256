/** The trend of a map's runs: what changed since a run or a day, and whether the runs stay within control limits. */
import { useEffect, useId, useState } from 'preact/hooks';
import type { RunRecord } from '../../../../shared/schema/run.ts';
import type { ControlChart } from '../../../../shared/schema/study.ts';
import { GembaError, runsPerCompareMax } from '../../../client.ts';
import { useGemba } from '../../shell/engine.tsx';
import { durationText, percentText } from '../../text/format.ts';
import { runsTexts } from '../../text/phone-runs.ts';
import { trendTexts } from '../../text/phone-maps.ts';
import { TimeText } from '../../ui/time-text.tsx';
import { LeftOutRuns } from '../on-server/older-runs.tsx';
import { useStoredBorder } from './stored-border.ts';
import { TrendChangeLine } from './trend-change.tsx';
import { TrendPlots } from './trend-plots.tsx';
import { byStart, mediansOf, runsBefore, type Medians } from './trend-parts.ts';

/** More points would touch each other on a phone. */
const trendRunsMax = 100;

interface TrendProps {
  runs: readonly RunRecord[];
  startsOpen?: boolean;
}

export function Trend({ runs, startsOpen = false }: TrendProps) {
  const [isOpen, setOpen] = useState(startsOpen);
  const [first] = runs;
  if (!first || runs.filter(({ excluded }) => !excluded).length < 2) return null;
  return (
    <details
      class="card study-details trend"
      open={startsOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget instanceof HTMLDetailsElement && currentTarget.open)}
    >
      <summary>{trendTexts.title}</summary>
      {isOpen && <TrendOfMap mapId={first.map_id} runs={runs} />}
    </details>
  );
}

function TrendOfMap({ mapId, runs: allRuns }: Pick<TrendProps, 'runs'> & { mapId: string }) {
  const runs = allRuns
    .filter(({ excluded }) => !excluded)
    .toSorted(byStart)
    .slice(-trendRunsMax);
  const [border, setBorder] = useStoredBorder(mapId);
  const chart = useControlChart(runs);
  const [selectId, dateId] = [useId(), useId()];
  const split = runsBefore({ shown: runs, all: allRuns, border });
  const first = runs[split];
  const parts = { before: mediansOf(runs.slice(0, split)), after: mediansOf(runs.slice(split)) };
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
            {/* All runs may lie on the same side of the border. */}
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
      <LeftOutRuns mapId={mapId} />
    </div>
  );
}

/** Returns the control chart of the latest runs; undefined before it is computed, and for fewer than 8 runs. */
function useControlChart(runs: readonly RunRecord[]): ControlChart | undefined {
  const gemba = useGemba();
  const [chart, setChart] = useState<ControlChart | null>();
  const key = runs.map(({ id, total_time_secs }) => `${id} ${total_time_secs}`).join();
  useEffect(() => {
    const latest = runs.slice(-runsPerCompareMax).map(({ id }) => id);
    let isCurrent = true;
    const compute = async () => {
      try {
        const { totals } = await gemba.compareRuns(latest);
        if (isCurrent) setChart(totals.chart);
      } catch (error) {
        // A person did not ask for this computation. A deleted run soon leaves the list, which starts another one.
        if (!(error instanceof GembaError)) throw error;
      }
    };
    setChart(undefined);
    void compute();
    return () => {
      isCurrent = false;
    };
  }, [gemba, key]);
  return chart ?? undefined;
}

function ControlLimits({ chart, runs }: { chart: ControlChart; runs: readonly RunRecord[] }) {
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

function MediansFigure({ label, medians }: { label: string; medians: Medians | undefined }) {
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
