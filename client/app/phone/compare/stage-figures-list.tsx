/** Lists each stage with its median, spread and outliers. The last row has the figures of the total time. */
import type { Comparison, StageFigures, TotalTimeFigures } from '../../../client.ts';
import { useState } from 'preact/hooks';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { durationText, numberText } from '../../text/format.ts';
import { TimeText } from '../../ui/time-text.tsx';
import { compareRunsTexts, timeStudyTexts } from '../../text/phone-runs.ts';
import { FoldedList, foldedItemsMin } from '../folded-list.tsx';
import { BoxPlot } from './box-plot.tsx';
import type { RunBar } from './run-bars.ts';
import type { PrecisionGoal } from './time-study-settings.ts';
import { mostVariableStageOf, runsNeededOf } from './findings.ts';
import { intervalTexts } from './tables/interval-texts.ts';

/** A run that took unusually long, for one stage or in total. */
export interface Outlier {
  run: Pick<RunBar, 'id' | 'number'>;
  /** The name of the stage whose time is unusual, or a text that stands for the whole run. */
  where: string;
  secs: number;
}

interface StageFiguresListProps {
  bars: RunBar[];
  comparison: Comparison;
  goal: PrecisionGoal;
  onOutlier(outlier: Outlier): void;
}

/**
 * The groups of a long list are closed at first. Above such a list, the screen shows at most this many stages: the most
 * variable stages.
 */
const mostVariableStagesMax = 10;

interface NumberedStage {
  stage: StageFigures;
  position: number;
}

export function StageFiguresList({
  bars,
  comparison: { stages, totals, runs },
  goal,
  onOutlier,
}: StageFiguresListProps) {
  const [group, setGroup] = useState<number>();
  const scaleSecs = Math.max(...stages.map(({ max_secs }) => max_secs));
  const variesMost = mostVariableStageOf(stages);
  const outliersOf = (where: string, { outlier_run_ids }: TotalTimeFigures, secsOf: (runId: number) => number) =>
    outlier_run_ids.flatMap((id): Outlier[] => {
      const run = bars.find((bar) => bar.id === id);
      return run ? [{ run, where, secs: secsOf(id) }] : [];
    });
  const stageSecs =
    ({ per_run }: StageFigures) =>
    (runId: number) =>
      per_run.find(({ run_id }) => run_id === runId)?.secs ?? 0;
  const totalRow = (
    <FiguresRow
      name={compareRunsTexts.whole}
      note={undefined}
      figures={totals}
      scaleSecs={totals.max_secs}
      goal={goal}
      isMostVariable={false}
      outliers={outliersOf(
        compareRunsTexts.whole,
        totals,
        (id) => runs.find((run) => run.id === id)?.total_time_secs ?? 0,
      )}
      onOutlier={onOutlier}
    />
  );
  const numbered = stages.map((stage, index): NumberedStage => ({ stage, position: index + 1 }));
  const rowOf = ({ stage, position }: NumberedStage) => (
    <FiguresRow
      key={stage.stage_name}
      name={`${numberText(position)}. ${stage.stage_name}`}
      note={stage.runs < runs.length ? compareRunsTexts.inSome(stage.runs, runs.length) : undefined}
      figures={stage}
      scaleSecs={scaleSecs}
      goal={goal}
      isMostVariable={stage === variesMost}
      outliers={outliersOf(stage.stage_name, stage, stageSecs(stage))}
      onOutlier={onOutlier}
    />
  );
  const mostVariable = numbered.toSorted((a, b) => (b.stage.sd_secs ?? 0) - (a.stage.sd_secs ?? 0));
  return (
    <>
      {stages.length >= foldedItemsMin && (
        <>
          <h3>{compareRunsTexts.variesMostList(mostVariableStagesMax)}</h3>
          <ol class="list" role="list" aria-label={compareRunsTexts.variesMostList(mostVariableStagesMax)}>
            {mostVariable.slice(0, mostVariableStagesMax).map(rowOf)}
          </ol>
        </>
      )}
      <FoldedList
        label={compareRunsTexts.stages}
        items={numbered}
        nameOf={({ stage }) => stage.stage_name}
        positionOf={({ position }) => position}
        group={group}
        onGroup={setGroup}
      >
        {(shown) => (
          <ol class="list" role="list" aria-label={compareRunsTexts.stages}>
            {shown.map(rowOf)}
            {stages.length < foldedItemsMin && totalRow}
          </ol>
        )}
      </FoldedList>
      {stages.length >= foldedItemsMin && (
        <ol class="list" role="list" aria-label={compareRunsTexts.whole}>
          {totalRow}
        </ol>
      )}
    </>
  );
}

interface FiguresRowProps {
  name: string;
  note: string | undefined;
  figures: TotalTimeFigures;
  scaleSecs: number;
  goal: PrecisionGoal;
  isMostVariable: boolean;
  outliers: Outlier[];
  onOutlier(outlier: Outlier): void;
}

function FiguresRow(props: FiguresRowProps) {
  const { name, note, figures, scaleSecs, goal, isMostVariable, outliers, onOutlier } = props;
  const { runs, median_secs, min_secs, max_secs, standard, over_takt } = figures;
  return (
    <li class={`study-row${isMostVariable ? ' study-varies' : ''}`}>
      <p class="list-name">
        {name} {note && <span class="soft small">{note}</span>}
      </p>
      <p class="study-median">
        <span class="visually-hidden">{compareRunsTexts.median} </span>
        <strong>
          <TimeText>{durationText(median_secs)}</TimeText>
        </strong>{' '}
        <strong class="small">{compareRunsTexts.n(runs)}</strong>
      </p>
      <BoxPlot figures={figures} outliersSecs={outliers.map(({ secs }) => secs)} scaleSecs={scaleSecs} />
      <p class="study-spread small">
        <TimeText>
          {[compareRunsTexts.range(durationText(min_secs), durationText(max_secs)), ...spreadTexts(figures)].join(
            ' · ',
          )}
        </TimeText>
      </p>
      {meanAndPercentileTexts(figures, goal).map((text) => (
        <p key={text} class="study-more soft small">
          <TimeText>{text}</TimeText>
        </p>
      ))}
      <p class="study-needed small">{runsNeededText(figures, goal)}</p>
      {standard && (
        <p class="small">
          <TimeText>{timeStudyTexts.standardOf(durationText(standard.standard_secs))}</TimeText>{' '}
          <span class="soft">
            (<TimeText>{timeStudyTexts.normalOf(durationText(standard.normal_secs))}</TimeText>)
          </span>
        </p>
      )}
      {over_takt && (
        <p class="study-over small">
          <Icon name="stop" size={16} /> {timeStudyTexts.overTakt}
        </p>
      )}
      {outliers.map((outlier) => (
        <Button key={outlier.run.id} class="study-outlier" onClick={() => onOutlier(outlier)}>
          <TimeText>{compareRunsTexts.outlier(outlier.run.number, durationText(outlier.secs))}</TimeText>
        </Button>
      ))}
    </li>
  );
}

const spreadTexts = ({ sd_secs, cv }: TotalTimeFigures): string[] =>
  sd_secs === null
    ? []
    : [compareRunsTexts.sd(durationText(sd_secs)), ...(cv === null ? [] : [compareRunsTexts.cv(cv)])];

/** Returns the mean with its confidence interval, and the percentiles; nothing for a single run. */
function meanAndPercentileTexts(figures: TotalTimeFigures, { confidence }: PrecisionGoal): string[] {
  const { avg_secs, ci, p10_secs, p25_secs, p75_secs, p90_secs } = figures;
  if (!ci) return [];
  const { low, high } = intervalTexts(ci);
  return [
    compareRunsTexts.mean({ avg: durationText(avg_secs), confidence, low, high }),
    compareRunsTexts.percentiles([p10_secs, p25_secs, p75_secs, p90_secs].map(durationText)),
  ];
}

function runsNeededText(figures: TotalTimeFigures, goal: PrecisionGoal): string {
  const needed = runsNeededOf(figures);
  switch (needed.is) {
    case 'one_run':
      return compareRunsTexts.oneRun;
    case 'alike':
      return compareRunsTexts.alike;
    case 'more':
      return compareRunsTexts.more(needed.runs, goal);
    case 'over':
      return compareRunsTexts.over(needed.runs, goal);
    case 'enough':
      return compareRunsTexts.enough(goal);
  }
}
