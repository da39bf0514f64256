/** Compares two maps side by side, such as the current and the future state of a process. */
import type { FullMap } from '../../../client.ts';
import { Button } from '../../ui/button.tsx';
import { Screen } from '../../ui/screen.tsx';
import { useGemba, useValueOf } from '../../shell/engine.tsx';
import { Link } from '../../shell/router.tsx';
import { numberText, percentText, secsPerHour } from '../../text/format.ts';
import { hoursText } from '../../text/phone-times.ts';
import { TimeText } from '../../ui/time-text.tsx';
import { shownDifferenceSecs, signedDurationText, signedNumberText } from '../../text/phone-signed.ts';
import { mapsSideBySideTexts, mapDialogTexts } from '../../text/phone-maps.ts';
import { formTexts } from '../../text/phone-on-demand.ts';
import { TimesBar } from '../maps/value-stream.tsx';
import { isUnchanged, pairStages } from './stage-difference.ts';
import { StageDifferenceTable } from './stage-difference-table.tsx';

interface CompareMapsScreenProps {
  mapId: string;
  otherId: string;
}

export function CompareMapsScreen({ mapId, otherId }: CompareMapsScreenProps) {
  const gemba = useGemba();
  const map = useValueOf(() => gemba.map$(mapId), [gemba, mapId]);
  const other = useValueOf(() => gemba.map$(otherId), [gemba, otherId]);
  const back = `/maps/${mapId}`;
  if (!map || !other) {
    return (
      <Screen title={mapsSideBySideTexts.title} back={back}>
        <p class="card">{mapsSideBySideTexts.gone}</p>
      </Screen>
    );
  }
  return (
    <Screen title={mapsSideBySideTexts.title} back={back}>
      <MapComparison {...putCurrentFirst(map, other)} />
      <div class="actions">
        <Link href={`/maps/${mapId}/beside`} class="button button-plain">
          {mapsSideBySideTexts.other}
        </Link>
        <Button onClick={() => print()}>{mapsSideBySideTexts.print}</Button>
      </div>
    </Screen>
  );
}

interface TwoMaps {
  left: FullMap;
  right: FullMap;
}

/** Puts the current state on the left. Two maps of the same state stay in the order of the address. */
const putCurrentFirst = (map: FullMap, other: FullMap): TwoMaps =>
  map.state === 'future' && other.state === 'current' ? { left: other, right: map } : { left: map, right: other };

/** Shows the comparison without the frame of a screen. */
export function MapComparison({ left, right }: TwoMaps) {
  const rows = pairStages(left.stages, right.stages);
  const longestHrs = Math.max(left.analytics.lead_time_hrs, right.analytics.lead_time_hrs);
  const changedCount = rows.filter((row) => !isUnchanged(row)).length;
  return (
    <>
      <p class="beside-headline">
        <strong>
          <TimeText>{leadTimeSavingText({ left, right })}</TimeText>
        </strong>{' '}
        {mapsSideBySideTexts.changed(changedCount, rows.length)}
      </p>
      <section class="card stack">
        {[left, right].map((map) => (
          <div key={map.id} class="stack beside-map">
            <p>
              <Link href={`/maps/${map.id}`}>{map.name}</Link>{' '}
              <span class="soft small">{mapDialogTexts.states[map.state]}</span>
            </p>
            <TimesBar label={map.name} parts={map.stages} scaleHrs={longestHrs} hasPatterns={map === left} />
          </div>
        ))}
      </section>
      <FiguresOfBothMaps left={left} right={right} />
      <h2>{mapsSideBySideTexts.byStage}</h2>
      <StageDifferenceTable rows={rows} {...columnNamesOf({ left, right })} />
    </>
  );
}

function leadTimeSavingText({ left, right }: TwoMaps): string {
  const [before, after] = [left.analytics.lead_time_hrs, right.analytics.lead_time_hrs];
  const savedHrs = shownDifferenceSecs(after * secsPerHour, before * secsPerHour) / secsPerHour;
  const percent = percentText(before > 0 ? Math.abs(savedHrs) / before : 1);
  const time = hoursText(Math.abs(savedHrs));
  if (time === hoursText(0)) return mapsSideBySideTexts.saving.same;
  return savedHrs > 0
    ? mapsSideBySideTexts.saving.shorter(time, percent)
    : mapsSideBySideTexts.saving.longer(time, percent);
}

const timeFigures = [
  ['lead', ({ lead_time_hrs }) => lead_time_hrs],
  ['cycle', ({ total_cycle_time_hrs }) => total_cycle_time_hrs],
  ['wait', ({ total_wait_time_hrs }) => total_wait_time_hrs],
  ['valueAdd', ({ value_add_time_hrs }) => value_add_time_hrs],
] satisfies [keyof typeof mapsSideBySideTexts, (analytics: FullMap['analytics']) => number][];

/**
 * Returns the heads of the two columns: the states of the maps, which are short, or the names if the states are equal.
 */
const columnNamesOf = ({ left, right }: TwoMaps): { left: string; right: string } =>
  left.state === right.state
    ? { left: left.name, right: right.name }
    : { left: mapsSideBySideTexts.states[left.state], right: mapsSideBySideTexts.states[right.state] };

function FiguresOfBothMaps({ left, right }: TwoMaps) {
  const names = columnNamesOf({ left, right });
  const [pceBefore, pceAfter] = [left.analytics.pce, right.analytics.pce];
  const pceText = (pce: number | null) => (pce === null ? formTexts.none : percentText(pce));
  return (
    <div class="compare-scroll beside-table card" role="region" aria-label={mapsSideBySideTexts.figures} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{mapsSideBySideTexts.figure}</th>
            <th scope="col">{names.left}</th>
            <th scope="col">{names.right}</th>
            <th scope="col">{mapsSideBySideTexts.difference}</th>
          </tr>
        </thead>
        <tbody>
          {timeFigures.map(([figure, hrsOf]) => {
            const [before, after] = [hrsOf(left.analytics), hrsOf(right.analytics)];
            return (
              <tr key={figure}>
                <th scope="row">{mapsSideBySideTexts[figure]}</th>
                <td>
                  <TimeText>{hoursText(before)}</TimeText>
                </td>
                <td>
                  <TimeText>{hoursText(after)}</TimeText>
                </td>
                <td>
                  <strong>
                    <TimeText>
                      {signedDurationText(shownDifferenceSecs(before * secsPerHour, after * secsPerHour))}
                    </TimeText>
                  </strong>
                </td>
              </tr>
            );
          })}
          <tr>
            <th scope="row">{mapsSideBySideTexts.pce}</th>
            <td>{pceText(pceBefore)}</td>
            <td>{pceText(pceAfter)}</td>
            <td>
              <strong>
                {pceBefore === null || pceAfter === null
                  ? formTexts.none
                  : mapsSideBySideTexts.points(signedNumberText((pceAfter - pceBefore) * 100))}
              </strong>
            </td>
          </tr>
          <tr>
            <th scope="row">{mapsSideBySideTexts.stages}</th>
            <td>{numberText(left.stage_count)}</td>
            <td>{numberText(right.stage_count)}</td>
            <td>
              <strong>{signedNumberText(right.stage_count - left.stage_count)}</strong>
            </td>
          </tr>
        </tbody>
      </table>
    </div>
  );
}
