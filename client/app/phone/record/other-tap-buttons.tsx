import { Button } from '../../ui/button.tsx';
import { runWithVibration } from '../../recorder/run-with-vibration.ts';
import { texts } from '../../text/texts.ts';
import type { RecorderButtonsProps } from './next-button.tsx';

/**
 * The smaller buttons of the recorder: interruption, pause and next cycle. While the large button begins the next
 * cycle, there is no small button for it.
 */
export function OtherTapButtons({ recording, recorder }: RecorderButtonsProps) {
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
