/** The step under way with its clock. A tap on the step or the clock pauses, so no separate button is needed. */
import { useEffect, useState } from 'preact/hooks';
import type { Recording } from '../../client.ts';
import { ClockFace } from '../recorder/clock-face.tsx';
import { stageTimeOf } from '../recorder/recorded-map.ts';
import { useClockSecs } from '../recorder/use-clock.ts';
import { runWithVibration } from '../recorder/run-with-vibration.ts';
import type { useRecorder } from '../recorder/use-recorder.ts';
import { clockParts } from '../text/format.ts';
import { texts } from '../text/texts.ts';
import { watchTexts } from '../text/watch.ts';
import { Icon } from '../ui/icon.tsx';
import { WorkTypeMark } from '../ui/work-type.tsx';

interface NowStepProps {
  recording: Recording;
  recorder: ReturnType<typeof useRecorder>;
}

export function NowStep({ recording, recorder: { map } }: NowStepProps) {
  const { steps, clock, paused_at, new_map_name } = recording;
  const step = steps.at(-1);
  const canPause = step !== undefined && paused_at === null;
  const hasTenths = useRecentTouch() && step !== undefined;
  const time = step && map && stageTimeOf(step.stage_name, map);
  const timeText = time ? watchTexts[time.kind](clockParts(time.secs).whole) : '';
  const size = clockSizeFor(useClockSecs(clock), timeText);
  return (
    <section class="watch-now" aria-label={step && watchTexts.now}>
      <h1 class="watch-step">
        {step && <WorkTypeMark type={step.work_type} />}
        <span dir="auto">{step?.stage_name ?? map?.name ?? new_map_name ?? texts.record.title}</span>
      </h1>
      <p class={`watch-clock watch-clock-${size}`}>
        {canPause && <Icon name="pause" />}
        <ClockFace clock={clock} label={step?.stage_name} tenths={hasTenths && size === 'large'} />
        {timeText && <small>{timeText}</small>}
      </p>
      {canPause && (
        <button
          type="button"
          class="watch-pause"
          aria-label={texts.record.pause}
          onClick={() => runWithVibration(recording.pause)}
        />
      )}
    </section>
  );
}

/**
 * Widths in the length unit of watch.css: a letter of the large clock, a letter of the text beside the clock, and the
 * text `cmin`.
 */
const letterWidths = { clock: 15, beside: 6.6, unit: 25 };
/**
 * The widest clock of each size that fits a round screen. A large clock 10:00 beside the text `last 10:00` does not
 * fit.
 */
const widthsMax = { large: 125, medium: 178 };

function clockSizeFor(secs: number, textBeside: string): 'large' | 'medium' | 'small' {
  const { whole, unit } = clockParts(secs);
  const ofUnit = unit === '' ? 0 : letterWidths.unit;
  const width = whole.length * letterWidths.clock + textBeside.length * letterWidths.beside + ofUnit;
  if (width <= widthsMax.large) return 'large';
  return width <= widthsMax.medium ? 'medium' : 'small';
}

const recentTouchMs = 10_000;

/**
 * Tells whether the screen opened or was touched in the last 10 s. The clock then shows tenths, which wake the watch
 * ten times a second instead of once.
 */
function useRecentTouch(): boolean {
  const [isRecent, setRecent] = useState(true);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const touch = () => {
      clearTimeout(timer);
      setRecent(true);
      timer = setTimeout(() => setRecent(false), recentTouchMs);
    };
    touch();
    for (const kind of ['pointerdown', 'keydown']) document.addEventListener(kind, touch);
    return () => {
      clearTimeout(timer);
      for (const kind of ['pointerdown', 'keydown']) document.removeEventListener(kind, touch);
    };
  }, []);
  return isRecent;
}
