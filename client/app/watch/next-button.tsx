/** The button of the next step, in the colour of its work type, or the button that ends a pause. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Recording } from '../../client.ts';
import { interruptedStep, stageSteps } from '../recorder/next-step.ts';
import { runWithVibration } from '../recorder/run-with-vibration.ts';
import type { useRecorder } from '../recorder/use-recorder.ts';
import { texts } from '../text/texts.ts';
import { watchTexts } from '../text/watch.ts';

interface NextButtonProps {
  recording: Recording;
  recorder: ReturnType<typeof useRecorder>;
}

/** A name with more letters is written smaller. */
const shortNameLettersMax = 18;

export function NextButton({ recording, recorder }: NextButtonProps) {
  const element = useRef<HTMLButtonElement>(null);
  const isPaused = recording.paused_at !== null;
  // The button has the focus when it appears and after each pause, so that a key starts the next step at once.
  useLayoutEffect(() => element.current?.focus({ preventScroll: true }), [isPaused]);
  if (isPaused) {
    return (
      <button
        ref={element}
        type="button"
        class="watch-next watch-resume"
        onClick={() => runWithVibration(recording.resume)}
      >
        <small>{texts.record.paused}</small>
        <span>{texts.record.resume}</span>
      </button>
    );
  }
  const { name, spoken, shown } = labelsOf(recording, recorder);
  const workType = recorder.chosenType ?? recorder.upcoming.step.work_type;
  const size = name.length > shortNameLettersMax ? 'watch-next-long' : '';
  return (
    <button
      ref={element}
      type="button"
      class={`watch-next watch-next-${workType} ${size}`}
      aria-label={spoken}
      data-above={shown}
      data-below={texts.workTypes[workType]}
      onClick={recorder.startNext}
    >
      <span dir="auto">{name}</span>
    </button>
  );
}

function labelsOf({ steps }: Recording, { upcoming, isUpcomingNamed, stages }: ReturnType<typeof useRecorder>) {
  const { firstStep, nextStep, nextCycleNamed, backToNamed, nextNamed } = texts.record;
  const { nextCycle, backTo, next } = watchTexts;
  const name = upcoming.step.stage_name;
  if (!isUpcomingNamed) {
    const unnamed = steps.length > 0 ? nextStep : firstStep;
    return { name: unnamed, spoken: unnamed, shown: undefined };
  }
  if (upcoming.finishBefore) return { name, spoken: nextCycleNamed(name), shown: nextCycle };
  if (interruptedStep(steps)) return { name, spoken: backToNamed(name), shown: backTo };
  return { name, spoken: nextNamed(name), shown: next(stageSteps(steps).length + 1, stages.length) };
}
