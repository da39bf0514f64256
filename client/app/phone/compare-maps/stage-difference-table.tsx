import type { Stage } from '../../../client.ts';
import { useState } from 'preact/hooks';
import { WorkTypeMark } from '../../ui/work-type.tsx';
import { secsPerHour } from '../../text/format.ts';
import { hoursText } from '../../text/phone-times.ts';
import { TimeText } from '../../ui/time-text.tsx';
import { shownDifferenceSecs, signedDurationText } from '../../text/phone-signed.ts';
import { mapsSideBySideTexts } from '../../text/phone-maps.ts';
import { formTexts } from '../../text/phone-on-demand.ts';
import { texts } from '../../text/texts.ts';
import { tableClass } from '../compare/tables/table-class.ts';
import { FoldedList, foldedItemsMin } from '../folded-list.tsx';
import { isUnchanged, leadTimeDifferenceHrs, type StagePair } from './stage-difference.ts';

interface StageDifferenceTableProps {
  rows: StagePair[];
  left: string;
  right: string;
}

/**
 * The groups of a long list are closed at first. A table above such a list shows at most this many rows: the rows with
 * the greatest differences.
 */
const greatestRowsMax = 10;

export function StageDifferenceTable({ rows, ...columns }: StageDifferenceTableProps) {
  const [group, setGroup] = useState<number>();
  const numbered = rows.map((row, index) => ({ row, position: index + 1 }));
  const greatest = rows
    .filter((row) => !isUnchanged(row))
    .toSorted((a, b) => Math.abs(leadTimeDifferenceHrs(b)) - Math.abs(leadTimeDifferenceHrs(a)))
    .slice(0, greatestRowsMax);
  return (
    <>
      {rows.length >= foldedItemsMin && greatest.length > 0 && (
        <>
          <h3>{mapsSideBySideTexts.greatest(greatest.length)}</h3>
          <DifferenceTable label={mapsSideBySideTexts.greatest(greatest.length)} rows={greatest} {...columns} />
        </>
      )}
      <FoldedList
        label={mapsSideBySideTexts.byStage}
        items={numbered}
        nameOf={({ row }) => stageNameOf(row)}
        positionOf={({ position }) => position}
        group={group}
        onGroup={setGroup}
      >
        {(shown) => (
          <DifferenceTable label={mapsSideBySideTexts.byStage} rows={shown.map(({ row }) => row)} {...columns} />
        )}
      </FoldedList>
    </>
  );
}

const stageNameOf = ({ left, right }: StagePair): string => right?.stage ?? left?.stage ?? '';

function DifferenceTable({ label, rows, left, right }: StageDifferenceTableProps & { label: string }) {
  return (
    <div class={`beside-table ${tableClass(rows.length)}`} role="region" aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{mapsSideBySideTexts.stage}</th>
            <th scope="col">{left}</th>
            <th scope="col">{right}</th>
            <th scope="col">{mapsSideBySideTexts.difference}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={`${row.left?.id} ${row.right?.id}`} class={isUnchanged(row) ? 'soft' : undefined}>
              <th scope="row">
                <StageNames row={row} />
              </th>
              <td>
                <StageTimes stage={row.left} />
              </td>
              <td>
                <StageTimes stage={row.right} />
              </td>
              <td>{differenceContent(row)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function StageNames({ row }: { row: StagePair }) {
  const { left, right } = row;
  return (
    <>
      {stageNameOf(row)}
      {left && right && left.stage !== right.stage && (
        <span class="beside-note soft small">{mapsSideBySideTexts.was(left.stage)}</span>
      )}
    </>
  );
}

function StageTimes({ stage }: { stage: Stage | undefined }) {
  if (!stage) return <>{formTexts.none}</>;
  return (
    <>
      <p class="compare-spent">
        <WorkTypeMark type={stage.work_type} />
        <span class="visually-hidden">{texts.workTypes[stage.work_type]} </span>
        <TimeText>{hoursText(stage.cycle_time_hrs)}</TimeText>
      </p>
      {stage.wait_time_hrs > 0 && (
        <p class="soft small">
          <TimeText>{mapsSideBySideTexts.waits(hoursText(stage.wait_time_hrs))}</TimeText>
        </p>
      )}
    </>
  );
}

/** Adds the differences of work time and wait time, each computed from the rounded times that the row shows. */
const shownLeadDifferenceSecs = ({ left, right }: StagePair): number =>
  (['cycle_time_hrs', 'wait_time_hrs'] as const)
    .map((field) => shownDifferenceSecs((left?.[field] ?? 0) * secsPerHour, (right?.[field] ?? 0) * secsPerHour))
    .reduce((sum, secs) => sum + secs, 0);

function differenceContent(row: StagePair) {
  if (isUnchanged(row)) return mapsSideBySideTexts.unchanged;
  const time = signedDurationText(shownLeadDifferenceSecs(row));
  return (
    <>
      <strong>
        <TimeText>{time}</TimeText>
      </strong>
      {!(row.left && row.right) && (
        <span class="beside-note small">{row.left ? mapsSideBySideTexts.removed : mapsSideBySideTexts.added}</span>
      )}
    </>
  );
}
