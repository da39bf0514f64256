import { useGemba, useValue } from '../../shell/engine.tsx';
import { Link } from '../../shell/router.tsx';
import { useClockSecs } from '../../recorder/use-clock.ts';
import { Icon } from '../../ui/icon.tsx';
import { clockText } from '../../text/format.ts';
import { TimeText } from '../../ui/time-text.tsx';
import { texts } from '../../text/texts.ts';
import { phoneTexts } from '../../text/phone.ts';

const stoppedClock = { secs: 0, since: null };

/** Links to the recording under way. All screens except the recorder show this bar. */
export function ActiveRecordingBar() {
  const recording = useValue(useGemba().recording$);
  const step = recording?.steps.at(-1);
  const secs = useClockSecs(recording?.clock ?? stoppedClock);
  if (!recording) return null;
  const name = step?.stage_name ?? texts.record.firstStepHint;
  return (
    <aside class="running" aria-label={texts.record.title}>
      <Link href="/record" class="running-bar">
        <Icon name="record" />
        <span class="visually-hidden">{phoneTexts.recorder.goBack(name)}</span>
        <span class="running-bar-name" dir="auto">
          {name}
        </span>
        {step && (
          <span class="running-bar-clock">
            <TimeText>{clockText(secs)}</TimeText>
          </span>
        )}
        <Icon name="forward" />
      </Link>
    </aside>
  );
}
