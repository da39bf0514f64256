import { useState } from 'preact/hooks';
import { nameLengthMax, type Recording, type StepEdit } from '../../client.ts';
import { Button } from '../ui/button.tsx';
import { WorkTypeMark, workTypes } from '../ui/work-type.tsx';
import { runWithVibration } from '../recorder/run-with-vibration.ts';
import { texts } from '../text/texts.ts';
import { watchTexts } from '../text/watch.ts';
import { WatchFrame } from './frame.tsx';
import { RoundButton } from './round-button.tsx';
import { TextQuestion } from './text-question.tsx';
import { WatchName } from './watch-name.tsx';

interface EditStepProps {
  recording: Recording;
  index: number;
  onDone(): void;
}

/** Gives a step of the recording under way another name or work type. */
export function EditStepScreen({ recording, index, onDone }: EditStepProps) {
  const [isNaming, setNaming] = useState(false);
  const stepCount = recording.steps.length;
  const step = recording.steps[index];
  if (!step) return null;
  const edit = async (changed: StepEdit) => {
    const isSaved = await runWithVibration(() => recording.edit({ index, started_at: step.started_at }, changed));
    if (isSaved) onDone();
    return isSaved;
  };
  if (isNaming) {
    return (
      <TextQuestion
        label={watchTexts.stepName}
        lengthMax={nameLengthMax}
        initial={step.stage_name}
        stepCount={stepCount}
        onText={(stage_name) => edit({ stage_name })}
        onCancel={() => setNaming(false)}
      />
    );
  }
  return (
    <WatchFrame class="watch-list" stepCount={stepCount}>
      <h1>
        <WatchName>{step.stage_name}</WatchName>
      </h1>
      <div class="watch-actions">
        <RoundButton icon="back" label={texts.back} onClick={onDone} />
        <RoundButton icon="note" look="primary" label={watchTexts.rename} onClick={() => setNaming(true)} />
      </div>
      <ul class="watch-names" role="list">
        {workTypes.map((type) => (
          <li key={type}>
            <Button wide aria-pressed={type === step.work_type} onClick={() => edit({ work_type: type })}>
              <WorkTypeMark type={type} />
              {texts.workTypes[type]}
            </Button>
          </li>
        ))}
      </ul>
    </WatchFrame>
  );
}
