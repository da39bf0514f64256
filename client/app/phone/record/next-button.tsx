import type { Recording } from '../../../client.ts';
import { Button } from '../../ui/button.tsx';
import { interruptedStep } from '../../recorder/next-step.ts';
import type { useRecorder } from '../../recorder/use-recorder.ts';
import { phoneTexts } from '../../text/phone.ts';
import { texts } from '../../text/texts.ts';

export interface RecorderButtonsProps {
  recording: Recording;
  recorder: ReturnType<typeof useRecorder>;
}

/** A name with more characters is shown in a smaller size, so that it fits into the button. */
const shortNameLengthMax = 28;

export function NextButton({ recording: { steps }, recorder }: RecorderButtonsProps) {
  const { upcoming, isUpcomingNamed } = recorder;
  const name = upcoming.step.stage_name;
  const labels = upcoming.finishBefore
    ? { spoken: texts.record.nextCycleNamed(name), shown: texts.record.nextCycle }
    : interruptedStep(steps)
      ? { spoken: texts.record.backToNamed(name), shown: phoneTexts.recorder.backTo }
      : { spoken: texts.record.nextNamed(name), shown: phoneTexts.recorder.next };
  return (
    <Button
      look="primary"
      wide
      class={`recorder-next${isUpcomingNamed && name.length > shortNameLengthMax ? ' recorder-next-long' : ''}`}
      aria-label={isUpcomingNamed ? labels.spoken : undefined}
      onClick={recorder.startNext}
    >
      {isUpcomingNamed && <small>{labels.shown} </small>}
      <bdi>{isUpcomingNamed ? name : steps.length > 0 ? texts.record.nextStep : texts.record.firstStep}</bdi>
    </Button>
  );
}
