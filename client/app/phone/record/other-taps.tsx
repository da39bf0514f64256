import { Button } from '../../ui/button.tsx';
import { runWithVibration } from '../../recorder/run-with-vibration.ts';
import { texts } from '../../text/texts.ts';
import type { RecorderTapsProps } from './next-button.tsx';

/**
 * The buttons beside the one for the next step: interruption, pause and next cycle. The button for the next cycle is
 * left out if the next step begins the cycle anyway.
 */
export function OtherTaps({ recording, recorder }: RecorderTapsProps) {
  const { steps, paused_at } = recording;
  const step = steps.at(-1);
  if (!step) return null;
  return (
    <div class="recorder-others">
      <Button aria-pressed={step.interruption} onClick={recorder.interrupt}>
        {texts.record.interruption}
      </Button>
      {paused_at === null ? (
        <Button onClick={() => runWithVibration(recording.pause)}>{texts.record.pause}</Button>
      ) : (
        <Button class="recorder-resume" onClick={() => runWithVibration(recording.resume)}>
          {texts.record.resume}
        </Button>
      )}
      {!recorder.upcoming.finishBefore && <Button onClick={recorder.startCycle}>{texts.record.nextCycle}</Button>}
    </div>
  );
}
