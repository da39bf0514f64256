/** Shows percentiles, confidence interval and control limits of each stage and of the total time as a table. */
import type { Comparison, TotalTimeFigures } from '../../../../client.ts';
import { useState } from 'preact/hooks';
import { durationText, numberText } from '../../../text/format.ts';
import { compareRunsTexts } from '../../../text/phone-runs.ts';
import { formTexts } from '../../../text/phone-on-demand.ts';
import { TimeText } from '../../../ui/time-text.tsx';
import { FoldedList, useIsPrinting } from '../../folded-list.tsx';
import type { Confidence } from '../time-study-settings.ts';
import { intervalTexts, type Interval } from './interval-texts.ts';
import { tableClass } from './table-class.ts';

interface StatisticsTableProps {
  comparison: Pick<Comparison, 'stages' | 'totals'>;
  confidence: Confidence;
}

interface NamedFigures {
  name: string;
  position: number;
  figures: TotalTimeFigures;
}

/** Renders the table only while it is open or printed, since a comparison renders many figures already. */
export function StatisticsDetails(props: StatisticsTableProps) {
  const [isOpen, setOpen] = useState(false);
  const isPrinting = useIsPrinting();
  return (
    <details
      class="study-details"
      onToggle={({ currentTarget }) => setOpen(currentTarget instanceof HTMLDetailsElement && currentTarget.open)}
    >
      <summary>{compareRunsTexts.statistics}</summary>
      {(isOpen || isPrinting) && <StatisticsTable {...props} />}
    </details>
  );
}

function StatisticsTable({ comparison: { stages, totals }, confidence }: StatisticsTableProps) {
  const [group, setGroup] = useState<number>();
  const numbered = stages.map((figures, index): NamedFigures => {
    const position = index + 1;
    return { name: `${numberText(position)}. ${figures.stage_name}`, position, figures };
  });
  const whole = { name: compareRunsTexts.whole, position: stages.length + 1, figures: totals };
  return (
    <FoldedList
      label={compareRunsTexts.statistics}
      items={numbered}
      nameOf={({ name }) => name}
      positionOf={({ position }) => position}
      group={group}
      onGroup={setGroup}
    >
      {(shown) => <StatisticsGroupTable rows={[...shown, whole]} confidence={confidence} />}
    </FoldedList>
  );
}

function StatisticsGroupTable({ rows, confidence }: { rows: readonly NamedFigures[]; confidence: Confidence }) {
  return (
    <div
      class={`compare-statistics ${tableClass(rows.length)}`}
      role="region"
      aria-label={compareRunsTexts.statistics}
      tabIndex={0}
    >
      <table>
        <thead>
          <tr>
            <th scope="col">{compareRunsTexts.stage}</th>
            {compareRunsTexts.statisticsHeads(confidence).map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, figures }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {cellTexts(figures).map((text, index) => (
                <td key={index}>
                  <TimeText>{text}</TimeText>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Returns the cells of a row in the order of the heads in `compareRunsTexts.statisticsHeads`. */
function cellTexts(figures: TotalTimeFigures): string[] {
  const { runs, p10_secs, p25_secs, p75_secs, p90_secs, avg_secs, ci, chart, estimated_runs } = figures;
  return [
    numberText(runs),
    ...[p10_secs, p25_secs, p75_secs, p90_secs, avg_secs].map(durationText),
    rangeText(ci),
    rangeText(chart && { low_secs: chart.lower_secs, high_secs: chart.upper_secs }),
    numberText(estimated_runs),
  ];
}

const rangeText = (interval: Interval | null): string => {
  if (!interval) return formTexts.none;
  const { low, high } = intervalTexts(interval);
  return compareRunsTexts.range(low, high);
};
