import type { Stage } from '../../../../shared/schema/stage.ts';
import { WorkTypeMark } from '../../ui/work-type.tsx';
import { secsPerHour } from '../../text/format.ts';
import { hoursText } from '../../text/phone-hours.ts';
import { TimeText } from '../../ui/time-text.tsx';
import { signedDurationText } from '../../text/phone-signed.ts';
import { besideTexts } from '../../text/phone-maps.ts';
import { phoneTexts } from '../../text/phone.ts';
import { texts } from '../../text/texts.ts';
import { isUnchanged, leadDifferenceHrs, type StageRow } from './stage-difference.ts';

interface StageDifferenceTableProps {
  rows: StageRow[];
  left: string;
  right: string;
}

export function StageDifferenceTable({ rows, left, right }: StageDifferenceTableProps) {
  return (
    <div class="compare-scroll beside-table card" role="region" aria-label={besideTexts.byStage} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{besideTexts.stage}</th>
            <th scope="col">{left}</th>
            <th scope="col">{right}</th>
            <th scope="col">{besideTexts.difference}</th>
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
              <td>{differenceText(row)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function StageNames({ row: { left, right } }: { row: StageRow }) {
  const name = right?.stage ?? left?.stage;
  return (
    <>
      {name}
      {left && right && left.stage !== right.stage && (
        <span class="beside-note soft small">{besideTexts.was(left.stage)}</span>
      )}
    </>
  );
}

function StageTimes({ stage }: { stage: Stage | undefined }) {
  if (!stage) return <>{phoneTexts.none}</>;
  return (
    <>
      <p class="compare-spent">
        <WorkTypeMark type={stage.work_type} />
        <span class="visually-hidden">{texts.workTypes[stage.work_type]} </span>
        <TimeText>{hoursText(stage.cycle_time_hrs)}</TimeText>
      </p>
      {stage.wait_time_hrs > 0 && (
        <p class="soft small">
          <TimeText>{besideTexts.waits(hoursText(stage.wait_time_hrs))}</TimeText>
        </p>
      )}
    </>
  );
}

function differenceText(row: StageRow) {
  if (isUnchanged(row)) return besideTexts.unchanged;
  const time = signedDurationText(leadDifferenceHrs(row) * secsPerHour);
  return (
    <>
      <strong>
        <TimeText>{time}</TimeText>
      </strong>
      {!(row.left && row.right) && (
        <span class="beside-note small">{row.left ? besideTexts.removed : besideTexts.added}</span>
      )}
    </>
  );
}
