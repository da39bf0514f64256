/** Offers other names for the next step, a note on the current step, a photo if the watch has a camera, and Discard. */
import { useEffect, useState } from 'preact/hooks';
import { nameLengthMax, type Recording } from '../../client.ts';
import type { CameraRow } from './camera/watch-camera.ts';
import { Button } from '../ui/button.tsx';
import { WorkTypeMark } from '../ui/work-type.tsx';
import { texts } from '../text/texts.ts';
import { TextQuestion } from './text-question.tsx';
import { EditStepScreen } from './edit-step.tsx';
import type { useRecorder } from '../recorder/use-recorder.ts';
import { WatchFrame } from './frame.tsx';
import { FindStepScreen } from './steps/find-step.tsx';
import type { StepToStart } from '../recorder/next-step.ts';
import { stepOfTypedName } from '../recorder/step-suggestions.ts';
import { noteLengthMax } from '../recorder/note-length.ts';
import { WatchName } from './watch-name.tsx';
import { RoundButton } from './round-button.tsx';
import { runWithVibration } from '../recorder/run-with-vibration.ts';
import { watchTexts } from '../text/watch.ts';

/** A watch edits only the current step and the step before it. A phone can edit all steps of the run later. */
const editableStepsMax = 2;

/**
 * A longer list takes too long to scroll on a watch. The watch lists only the next `nextNamesMax` names of such a list.
 */
const listedNamesMax = 20;
const nextNamesMax = 8;

interface MoreScreenProps {
  recording: Recording;
  recorder: ReturnType<typeof useRecorder>;
  names: StepToStart[];
  onDiscard(): void;
  onBack(): void;
}

type Question = 'name' | 'note' | 'stage';

export function MoreScreen(props: MoreScreenProps) {
  const { recording, recorder, names, onBack } = props;
  const [question, setQuestion] = useState<Question>();
  const [editedIndex, setEditedIndex] = useState<number>();
  const step = recording.steps.at(-1);
  const stepCount = recording.steps.length;
  const cancel = () => setQuestion(undefined);
  if (editedIndex !== undefined) {
    return <EditStepScreen recording={recording} index={editedIndex} onDone={onBack} />;
  }
  if (question === 'name') {
    return (
      <TextQuestion
        label={watchTexts.newNameAsk}
        lengthMax={nameLengthMax}
        stepCount={stepCount}
        onText={(name) => recorder.startNamed(stepOfTypedName(recorder.stages, recording.steps, { name }))}
        onCancel={cancel}
      />
    );
  }
  if (question === 'note' && step) {
    const note = async (text: string) => {
      const isSaved = await runWithVibration(() => recording.note(text));
      if (isSaved) onBack();
      return isSaved;
    };
    return (
      <TextQuestion
        label={watchTexts.noteAsk(step.stage_name)}
        lengthMax={noteLengthMax}
        stepCount={stepCount}
        onText={note}
        onCancel={cancel}
      />
    );
  }
  const allNames = stagesAndOtherSteps(recorder.stages, names);
  if (question === 'stage') {
    return (
      <FindStepScreen
        stages={allNames}
        nextIndex={allNames.findIndex(({ stage }) => stage === recorder.upcoming.step.stage_name)}
        stepCount={stepCount}
        onStage={(stage_name, work_type) => void recorder.startNamed({ stage_name, work_type })}
        onBack={cancel}
      />
    );
  }
  return <MoreList {...props} allNamesCount={allNames.length} onQuestion={setQuestion} onEdit={setEditedIndex} />;
}

/** Returns the stages of the map, then the recorded steps that are no stages of the map. */
function stagesAndOtherSteps(stages: MoreScreenProps['recorder']['stages'], names: readonly StepToStart[]) {
  const ofMap = stages.map(({ stage }) => stage);
  const stepsOutsideMap = names.filter(({ stage_name }) => !ofMap.includes(stage_name));
  return [...stages, ...stepsOutsideMap.map(({ stage_name, work_type }) => ({ stage: stage_name, work_type }))];
}

interface MoreListProps extends MoreScreenProps {
  allNamesCount: number;
  onQuestion(question: Question): void;
  onEdit(stepIndex: number): void;
}

function MoreList({ recording, recorder, names, onDiscard, onBack, ...props }: MoreListProps) {
  const { allNamesCount, onQuestion, onEdit } = props;
  const stepCount = recording.steps.length;
  const camera = useCamera();
  const isLong = names.length > listedNamesMax;
  return (
    <WatchFrame class="watch-list" stepCount={stepCount}>
      <h1>{watchTexts.other}</h1>
      <div class="watch-actions">
        <RoundButton icon="back" label={texts.back} onClick={onBack} />
        <RoundButton icon="plus" look="primary" label={watchTexts.newName} onClick={() => onQuestion('name')} />
        <RoundButton
          icon="note"
          label={watchTexts.note}
          disabled={stepCount === 0}
          onClick={() => onQuestion('note')}
        />
      </div>
      <ul class="watch-names" role="list">
        {camera && <camera.TakePhotoRow recording={recording} texts={camera.texts} onTaken={onBack} />}
        {(isLong ? names.slice(0, nextNamesMax) : names).map(({ stage_name, work_type }) => (
          <li key={stage_name}>
            <Button wide onClick={() => recorder.startNamed({ stage_name, work_type })}>
              <WorkTypeMark type={work_type} />
              <WatchName>{stage_name}</WatchName>
            </Button>
          </li>
        ))}
        {isLong && (
          <li>
            <Button wide onClick={() => onQuestion('stage')}>
              {watchTexts.allNames(allNamesCount)}
            </Button>
          </li>
        )}
        {recording.steps.slice(-editableStepsMax).map(({ stage_name, started_at }, position, shown) => (
          <li key={`${started_at}|${position}`}>
            <Button wide icon="note" onClick={() => onEdit(stepCount - shown.length + position)}>
              <WatchName>{texts.record.edit(stage_name)}</WatchName>
            </Button>
          </li>
        ))}
        <li>
          <Button look="danger" wide onClick={onDiscard}>
            {texts.record.discard}
          </Button>
        </li>
      </ul>
    </WatchFrame>
  );
}

/** Returns undefined until the camera's code has loaded, and always on a watch without a camera. */
function useCamera(): CameraRow | undefined {
  const [camera, setCamera] = useState<CameraRow>();
  useEffect(() => {
    // Ignore a failed load: the other rows work without a camera, and the next opening of the screen tries again.
    import('./camera/watch-camera.ts').then(({ findCamera }) => findCamera()).then(setCamera, () => {});
  }, []);
  return camera;
}
