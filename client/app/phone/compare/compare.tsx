import { useState } from 'preact/hooks';
import { runsPerCompareMax, type Comparison, type RunDoc, type Stage } from '../../../client.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { Screen } from '../../ui/screen.tsx';
import { useGemba, useValueOf } from '../../shell/engine.tsx';
import { durationText } from '../../text/format.ts';
import { NamedText } from '../../ui/named-text.tsx';
import { TimeText } from '../../ui/time-text.tsx';
import { texts } from '../../text/texts.ts';
import { compareRunsTexts, filterTexts, applyTimesTexts, serverOnlyRunsTexts } from '../../text/phone-runs.ts';
import { FailureCard, useServerData } from '../devices/server-request.tsx';
import { ApplyTimesButton } from '../runs/apply-times.tsx';
import { sortRunsForChart, parseRunSort } from '../runs/run-filter.ts';
import { ExcludedRuns, ExclusionDialog } from './exclusion.tsx';
import { barOfRun, type RunBar } from './run-bars.ts';
import { StageFiguresList, type Outlier } from './stage-figures-list.tsx';
import { PrecisionInputs, StandardTimeInputs, StandardTimeLine, TaktInput } from './time-study-inputs.tsx';
import {
  confidenceDefault,
  parseTimeStudySettings,
  precisionDefault,
  useStoredSettingTexts,
} from './time-study-settings.ts';
import { longestRunIdOf, mostVariableStageOf } from './findings.ts';
import { FiguresTable } from './tables/figures-table.tsx';
import { StatisticsDetails } from './tables/statistics-table.tsx';
import { existingRuns$, useComparison } from './use-comparison.ts';
import { Yamazumi } from './yamazumi.tsx';

/** The map's stages before they are known. All renders share this array: a new array would start a new comparison. */
const noStages: Stage[] = [];

export function CompareRunsScreen({ mapId, ids: chosenIds }: { mapId: string; ids: number[] }) {
  // The app's screens let a person select at most `runsPerCompareMax` runs, but a typed address can name more.
  const ids = chosenIds.slice(0, runsPerCompareMax);
  const gemba = useGemba();
  const existing = useValueOf(() => existingRuns$(gemba, ids), [gemba, ids.join()]);
  const loading = useServerData(() => gemba.loadRuns(mapId, ids));
  const [includedIds, setIncludedIds] = useState<readonly number[]>([]);
  const [outlier, setOutlier] = useState<Outlier>();
  const settings = useStoredSettingTexts(mapId);
  const isCounted = ({ id, excluded }: RunDoc) => !excluded || includedIds.includes(id);
  const countedIds = existing?.filter(isCounted).map(({ id }) => id) ?? [];
  const { study, invalid } = parseTimeStudySettings(settings.texts, countedIds);
  const map = useValueOf(() => gemba.map$(mapId), [gemba, mapId]);
  const mapStages = map?.stages ?? noStages;
  const compared = useComparison(existing, { isCounted, study, mapStages });
  const back = ['/maps', mapId, 'choose', ...(ids.length > 0 ? [ids.join()] : [])].join('/');
  if (!compared) return <Screen title={compareRunsTexts.title} back={back} children={null} />;
  const { comparison } = compared;
  const sort = parseRunSort(settings.texts['sort']);
  const runs = sortRunsForChart(compared.runs, sort);
  const bars = runs.map((run) => barOfRun(run, { comparison, mapStages }));
  const counted = bars.filter(({ isLeftOut }) => !isLeftOut);
  const goal = { precision: study.precision ?? precisionDefault, confidence: study.confidence ?? confidenceDefault };
  const inputs = { ...settings, invalid };
  return (
    <Screen title={compareRunsTexts.title} back={back}>
      <p class="print-only">{map?.name}</p>
      {ids.length < chosenIds.length && <p class="card">{compareRunsTexts.firstOnly(ids.length)}</p>}
      <MissingRuns count={ids.length - runs.length} {...loading} />
      {runs.length === 0 && (loading.data || ids.length === 0) && (
        <EmptyState title={compareRunsTexts.emptyTitle} text={compareRunsTexts.emptyText} />
      )}
      {runs.length > 0 && !comparison && <p class="card">{compareRunsTexts.allExcluded}</p>}
      {comparison && (
        <>
          <MostVariableStageLine comparison={comparison} bars={bars} />
          <Yamazumi
            bars={bars}
            stageNames={comparison.stages.map(({ stage_name }) => stage_name)}
            taktSecs={study.takt_secs}
          />
          <TaktInput {...inputs} taktSecs={study.takt_secs} bars={bars} comparison={comparison} />
          {bars.length > 1 && (
            <div class="card bar-order">
              <SelectField
                label={compareRunsTexts.order}
                options={filterTexts.sorts}
                value={sort}
                onValue={(order) => settings.setText('sort', order)}
              />
            </div>
          )}
          <StandardTimeLine study={study} bars={counted} />
          <h2>{texts.map.stages}</h2>
          <StageFiguresList bars={bars} comparison={comparison} goal={goal} onOutlier={setOutlier} />
          <ApplyTimesButton label={applyTimesTexts.ofMedians} mapId={mapId} runs={runs.filter(isCounted)} />
        </>
      )}
      <ExcludedRuns
        runs={runs.filter(({ excluded }) => excluded)}
        isCounted={isCounted}
        setCounted={({ id }, isIncluded) =>
          setIncludedIds(isIncluded ? [...includedIds, id] : includedIds.filter((other) => other !== id))
        }
      />
      {comparison && (
        <>
          <PrecisionInputs {...inputs} />
          <StandardTimeInputs {...inputs} bars={counted} />
          <StatisticsDetails comparison={comparison} confidence={goal.confidence} />
          <details class="study-details">
            <summary>{compareRunsTexts.showTable}</summary>
            <FiguresTable bars={counted} comparison={comparison} />
          </details>
        </>
      )}
      <ExclusionDialog run={outlier?.run} outlier={outlier} onClose={() => setOutlier(undefined)} />
    </Screen>
  );
}

interface MissingRunsProps extends ReturnType<typeof useServerData> {
  /** How many of the selected runs are not on this device. */
  count: number;
}

/** Says whether the selected runs that this device lacks are loading, cannot be loaded now, or do not exist. */
function MissingRuns({ count, data, failure, load }: MissingRunsProps) {
  if (count === 0) return null;
  if (data) return <p class="card">{compareRunsTexts.missing(count)}</p>;
  if (!failure) {
    return (
      <p class="card" role="status">
        {serverOnlyRunsTexts.loadingCompared(count)}
      </p>
    );
  }
  return <FailureCard text={`${serverOnlyRunsTexts.comparedNotHere(count)} ${failure}`} onAgain={load} />;
}

function MostVariableStageLine({ comparison, bars }: { comparison: Comparison; bars: RunBar[] }) {
  const stage = mostVariableStageOf(comparison.stages);
  const longest = stage && bars.find(({ id }) => id === longestRunIdOf(stage));
  if (!stage || !longest) return null;
  const { stage_name, min_secs, max_secs, runs } = stage;
  const [least, most] = [durationText(min_secs), durationText(max_secs)];
  return (
    <p class="study-headline">
      <strong>
        <NamedText name={stage_name}>{compareRunsTexts.variesMost(stage_name)}</NamedText>
      </strong>
      : <TimeText>{compareRunsTexts.variesFrom({ least, most, runs, longest: longest.number })}</TimeText>
    </p>
  );
}
