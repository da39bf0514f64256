import { useState } from 'preact/hooks';
import { runsPerCompareMax, type Pending, type RunRecord } from '../../../client.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Icon } from '../../ui/icon.tsx';
import { List } from '../../ui/list.tsx';
import { Screen } from '../../ui/screen.tsx';
import { useGemba, useValueOf } from '../../shell/engine.tsx';
import { Link, navigate } from '../../shell/router.tsx';
import { durationText, dateTimeText, percentText } from '../../text/format.ts';
import { MissingMap } from '../missing.tsx';
import { ExportButton } from '../interchange/export-command.tsx';
import { RunsOnServerCard } from '../on-server/runs-on-server-card.tsx';
import { TimeText } from '../../ui/time-text.tsx';
import { filterTexts, runsTexts } from '../../text/phone-runs.ts';
import { filterAndSortRuns, noFilter } from './run-filter.ts';
import { Trend } from '../trend/trend.tsx';
import { RunFilterFields } from './run-filter-fields.tsx';

const runRowHeight = 88;
const runsPerCompareMin = 2;

export function RunsScreen({ mapId }: { mapId: string }) {
  const { map, runs } = useMapAndRuns(mapId);
  const mapPath = `/maps/${mapId}`;
  if (!map || !runs) return <MissingMap mapId={mapId} />;
  return (
    <Screen title={runsTexts.title} back={mapPath}>
      <p class="soft">{map.name}</p>
      {map.run_count === 0 && runs.length === 0 && (
        <EmptyState title={runsTexts.emptyTitle} text={runsTexts.emptyText}>
          <Link href={mapPath} class="button button-primary">
            {runsTexts.toMap}
          </Link>
        </EmptyState>
      )}
      {runs.length > 0 && (
        <div class="actions">
          {runs.length >= runsPerCompareMin && (
            <Link href={`${mapPath}/choose`} class="button button-plain">
              {runsTexts.compare}
            </Link>
          )}
          <ExportButton mapId={mapId} />
        </div>
      )}
      <RunsOnServerCard map={map} runs={runs} />
      <Trend map={map} runs={runs} />
      {runs.length > 0 && (
        <List
          label={runsTexts.title}
          items={runs}
          rowHeight={runRowHeight}
          keyOf={({ id }) => id}
          row={(run) => (
            <Link href={`${mapPath}/runs/${run.id}`} class="list-row">
              <RunSummary run={run} />
              <Icon name="forward" />
            </Link>
          )}
        />
      )}
    </Screen>
  );
}

/**
 * Lets a person select runs to compare. This screen has its own path, so that Back from the comparison returns to it.
 */
export function SelectRunsScreen({ mapId, initialIds }: { mapId: string; initialIds: number[] }) {
  const { map, runs = [] } = useMapAndRuns(mapId);
  const [marked, setMarked] = useState(initialIds);
  const selected = runs.filter(({ id }) => marked.includes(id)).map(({ id }) => id);
  const [filter, setFilter] = useState(noFilter);
  const shown = filterAndSortRuns(runs, filter);
  const counted = shown.filter(({ excluded }) => !excluded);
  const newest = counted.slice(0, runsPerCompareMax).map(({ id }) => id);
  const isFull = selected.length >= runsPerCompareMax;
  const compare = () => {
    // Puts the selection into this screen's address, so that Back from the comparison restores it.
    navigate(`/maps/${mapId}/choose/${selected.join()}`, { replace: true });
    navigate(`/maps/${mapId}/compare/${selected.join()}`);
  };
  return (
    <Screen title={runsTexts.compare} back={`/maps/${mapId}/runs`}>
      <div class="section-head">
        <p role="status">{runsTexts.selected(selected.length, runs.length)}</p>
        <Button onClick={() => setMarked(selected.length > 0 ? [] : newest)}>
          {selected.length > 0 ? runsTexts.clear : runsTexts.selectAll(newest.length, counted.length)}
        </Button>
      </div>
      {map && <RunsOnServerCard map={map} runs={runs} />}
      <RunFilterFields runs={runs} filter={filter} onFilter={setFilter} />
      {runs.length > 0 && shown.length === 0 && <p class="card">{filterTexts.none}</p>}
      <List
        label={runsTexts.title}
        items={shown}
        rowHeight={runRowHeight}
        keyOf={({ id }) => id}
        row={(run) => {
          const checked = selected.includes(run.id);
          return (
            <label class="list-row run-choice">
              <input
                type="checkbox"
                checked={checked}
                disabled={isFull && !checked}
                onChange={() => setMarked(checked ? selected.filter((id) => id !== run.id) : [...selected, run.id])}
              />
              <RunSummary run={run} />
            </label>
          );
        }}
      />
      <div class="run-bar">
        <ExportButton mapId={mapId} sets={{ selected, shown: shown.map(({ id }) => id) }} />
        <Button look="primary" wide disabled={selected.length < runsPerCompareMin} onClick={compare}>
          {selected.length < runsPerCompareMin ? runsTexts.tooFew : runsTexts.compareSelected(selected.length)}
        </Button>
      </div>
    </Screen>
  );
}

function useMapAndRuns(mapId: string) {
  const gemba = useGemba();
  const map = useValueOf(() => gemba.map$(mapId), [gemba, mapId]);
  const runs = useValueOf(() => gemba.runs$(mapId), [gemba, mapId]);
  return { map, runs };
}

export function RunSummary({ run }: { run: Pending<RunRecord> }) {
  const { number: nth, name, tags = [], excluded, started_at, created_at, step_count, pce, pending } = run;
  return (
    <div class={`list-text${excluded ? ' run-excluded' : ''}`}>
      <p class="run-line">
        <span class="list-name">{runsTexts.named(nth, name)}</span>{' '}
        <span>
          <TimeText>{durationText(run.total_time_secs)}</TimeText>
        </span>
      </p>
      <p class="soft small">{[dateTimeText(started_at ?? created_at), ...tags].join(' · ')}</p>
      <p class="run-line soft small">
        {pending ? (
          <span class="run-here">
            <Icon name="device" size={16} /> {runsTexts.custody.device}
          </span>
        ) : (
          <span>{excluded ? runsTexts.excluded(excluded.reason) : runsTexts.steps(step_count)}</span>
        )}{' '}
        {pce !== null && <span>{runsTexts.pce(percentText(pce))}</span>}
      </p>
    </div>
  );
}
