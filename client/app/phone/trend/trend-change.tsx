import { durationText, percentText } from '../../text/format.ts';
import { dateText } from '../../text/phone-times.ts';
import { trendTexts } from '../../text/phone-maps.ts';
import { shownDifferenceSecs, signedNumberText } from '../../text/phone-signed.ts';
import { TimeText } from '../../ui/time-text.tsx';
import type { RunMedians } from './before-after.ts';

interface TrendChangeLineProps {
  before: RunMedians | undefined;
  after: RunMedians | undefined;
  /** The number of the first run after the border, or the day of the border. */
  since: { number: number } | { date: string };
}

/** Says what changed since the border, such as "0:12.4 less since Nov 3, 14%". */
export function TrendChangeLine({ before, after, since }: TrendChangeLineProps) {
  const sinceText = 'date' in since ? trendTexts.sinceDate(dateText(since.date)) : trendTexts.sinceRun(since.number);
  if (!before || !after) return <p class="study-headline">{before ? trendTexts.noneAfter : trendTexts.noneBefore}</p>;
  const changedSecs = shownDifferenceSecs(before.secs, after.secs);
  const time = durationText(Math.abs(changedSecs));
  const percent = percentText(before.secs > 0 ? Math.abs(changedSecs) / before.secs : 1);
  const say = time === durationText(0) ? trendTexts.same : changedSecs < 0 ? trendTexts.less : trendTexts.more;
  const points = before.pce === null || after.pce === null ? '0' : signedNumberText((after.pce - before.pce) * 100);
  return (
    <p class="study-headline" role="status">
      <strong>
        <TimeText>{say(sinceText, time, percent)}</TimeText>
      </strong>{' '}
      {/\d/.test(points) && !/^[+−-]?0$/.test(points) && trendTexts.pcePoints(points)}
    </p>
  );
}
