/** Shows the figures of the yamazumi chart as a table, for screen readers and for exact values. */
import type { Comparison, StageFigures, TotalTimeFigures } from '../../../../client.ts';
import { useState } from 'preact/hooks';
import { WorkTypeMark } from '../../../ui/work-type.tsx';
import { Link } from '../../../shell/router.tsx';
import { durationText, numberText, percentText } from '../../../text/format.ts';
import { TimeText } from '../../../ui/time-text.tsx';
import { formTexts } from '../../../text/phone-on-demand.ts';
import { compareRunsTexts, runsTexts } from '../../../text/phone-runs.ts';
import { texts } from '../../../text/texts.ts';
import { FoldedList } from '../../folded-list.tsx';
import type { RunBar } from '../run-bars.ts';
import { tableClass } from './table-class.ts';

/** A table with more runs is wider than A4, so a print shows each row as a block of text. */
const barsOnPaperMax = 6;

interface FiguresTableProps {
  /** The bars of the runs that the comparison counts. */
  bars: RunBar[];
  comparison: Comparison;
}

export function FiguresTable({ bars, comparison }: FiguresTableProps) {
  const [group, setGroup] = useState<number>();
  const stages = comparison.stages.map((stage, index) => ({ stage, index }));
  return (
    <FoldedList
      label={compareRunsTexts.table}
      items={stages}
      nameOf={({ stage }) => stage.stage_name}
      positionOf={({ index }) => index + 1}
      group={group}
      onGroup={setGroup}
    >
      {(shown) => <StageGroupTable stages={shown} bars={bars} comparison={comparison} />}
    </FoldedList>
  );
}

interface StageGroupTableProps extends FiguresTableProps {
  stages: readonly { stage: StageFigures; index: number }[];
}

function StageGroupTable({ stages, bars, comparison }: StageGroupTableProps) {
  return (
    <div
      class={`${tableClass(stages.length)}${bars.length > barsOnPaperMax ? ' compare-wide' : ''}`}
      role="region"
      aria-label={compareRunsTexts.table}
      tabIndex={0}
    >
      <table>
        <thead>
          <tr>
            <th scope="col">{compareRunsTexts.stage}</th>
            {compareRunsTexts.figures.map((figure) => (
              <th key={figure} scope="col">
                {figure}
              </th>
            ))}
            {bars.map(({ id, map_id, number: nth }) => (
              <th key={id} scope="col">
                <Link href={`/maps/${map_id}/runs/${id}`}>{runsTexts.run(nth)}</Link>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {stages.map(({ stage, index }) => (
            <tr key={stage.stage_name}>
              <th scope="row">
                {numberText(index + 1)}. {stage.stage_name}
                {stage.runs < bars.length && (
                  <span class="soft"> {compareRunsTexts.inSome(stage.runs, bars.length)}</span>
                )}
              </th>
              <FigureCells figures={stage} />
              {bars.map(({ id, number: nth, segments }) => (
                <td key={id} data-label={runsTexts.run(nth)}>
                  <StageTimes segments={segments.filter((segment) => segment.stageIndex === index)} />
                </td>
              ))}
            </tr>
          ))}
          <tr>
            <th scope="row">{compareRunsTexts.whole}</th>
            <FigureCells figures={comparison.totals} />
            {bars.map(({ id, number: nth, secs }) => (
              <td key={id} data-label={runsTexts.run(nth)}>
                <TimeText>{durationText(secs)}</TimeText>
              </td>
            ))}
          </tr>
        </tbody>
      </table>
    </div>
  );
}

function FigureCells({ figures }: { figures: TotalTimeFigures }) {
  const { runs, median_secs, min_secs, max_secs, avg_secs, sd_secs, cv } = figures;
  const [n, median, least, most, mean, sd, share] = compareRunsTexts.figures;
  return (
    <>
      <td data-label={n}>{numberText(runs)}</td>
      <td data-label={median}>
        <strong>
          <TimeText>{durationText(median_secs)}</TimeText>
        </strong>
      </td>
      <td data-label={least}>
        <TimeText>{durationText(min_secs)}</TimeText>
      </td>
      <td data-label={most}>
        <TimeText>{durationText(max_secs)}</TimeText>
      </td>
      <td data-label={mean}>
        <TimeText>{durationText(avg_secs)}</TimeText>
      </td>
      <td data-label={sd}>
        <TimeText>{sd_secs === null ? formTexts.none : durationText(sd_secs)}</TimeText>
      </td>
      <td data-label={share}>{cv === null ? formTexts.none : percentText(cv)}</td>
    </>
  );
}

const StageTimes = ({ segments }: Pick<RunBar, 'segments'>) => (
  <>
    {segments.length === 0 && formTexts.none}
    {segments.map(({ type, secs }) => (
      <p key={type} class="compare-spent">
        <WorkTypeMark type={type} />
        <span class="visually-hidden">{texts.workTypes[type]} </span>
        <TimeText>{durationText(secs)}</TimeText>
      </p>
    ))}
  </>
);
