/** The step under way with its clock. A tap on either of them pauses, so no separate button is needed. */
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
  const isLong = isLongTime(useClockSecs(clock)) || (time !== undefined && isLongTime(time.secs));
  return (
    <>
      <h1 class="watch-step">
        {step && <WorkTypeMark type={step.work_type} />}
        <span dir="auto">{step?.stage_name ?? map?.name ?? new_map_name ?? texts.record.title}</span>
      </h1>
      <p class={isLong ? 'watch-clock watch-clock-long' : 'watch-clock'}>
        {canPause && <Icon name="pause" />}
        <ClockFace clock={clock} label={step?.stage_name} tenths={hasTenths && !isLong} />
        {time && <small>{watchTexts[time.kind](clockParts(time.secs).whole)}</small>}
      </p>
      {canPause && (
        <button
          type="button"
          class="watch-pause"
          aria-label={texts.record.pause}
          onClick={() => runWithVibration(recording.pause)}
        />
      )}
    </>
  );
}

/** Tells whether a clock with this time, from an hour or 1,000 cmin on, is too wide for a round screen in full size. */
function isLongTime(secs: number): boolean {
  const { whole, unit } = clockParts(secs);
  return whole.length > (unit === '' ? 'mm:ss' : '999').length;
}

const recentTouchMs = 10_000;

/**
 * Tells whether the screen was touched in the last 10 s, and again after each touch. Without tenths the watch wakes
 * only once a second.
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
