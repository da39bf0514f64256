/**
 * The two dialogs of the recorder. `more` offers other names for the next step, a note and Discard. `stages` opens at
 * Finish, and asks how the recording changes the stages of its map.
 */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Recording, StagesMode } from '../../../client.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { keysOf } from '../../ui/keys-of.ts';
import { isGapRecorded$, setGapRecorded } from '../../recorder/cycle-gap.ts';
import type { RecordedMap } from '../../recorder/recorded-map.ts';
import { useValue } from '../../shell/engine.tsx';
import { recordedStageCount } from '../../recorder/finish-mode.ts';
import { runWithVibration } from '../../recorder/run-with-vibration.ts';
import type { StepToStart } from '../../recorder/next-step.ts';
import { stepOfTypedName, stepSuggestions } from '../../recorder/step-suggestions.ts';
import { noteLengthMax } from '../../recorder/note-length.ts';
import { recordTexts } from '../../text/phone-on-demand.ts';
import { texts } from '../../text/texts.ts';
import { StepNameChoices } from './step-name-choices.tsx';

interface RecorderDialogsProps {
  dialog: 'more' | 'stages' | undefined;
  recording: Recording;
  map: RecordedMap | undefined;
  onStep(step: StepToStart): void;
  onMode(mode: StagesMode): void;
  onDiscard(): void;
  onClose(): void;
}

export function RecorderDialogs({ dialog, recording, map, onMode, onClose, ...more }: RecorderDialogsProps) {
  return (
    <>
      <Dialog open={dialog === 'more'} title={recordTexts.which} onClose={onClose}>
        <NextStepForm recording={recording} map={map} onClose={onClose} {...more} />
      </Dialog>
      <Dialog open={dialog === 'stages' && map !== undefined} title={recordTexts.finishTitle} onClose={onClose}>
        {map && <StagesModeQuestion recording={recording} map={map} onMode={onMode} />}
      </Dialog>
    </>
  );
}

type NextStepFormProps = Pick<RecorderDialogsProps, 'recording' | 'map' | 'onStep' | 'onDiscard' | 'onClose'>;

function NextStepForm({ recording, map, onStep, onDiscard, onClose }: NextStepFormProps) {
  const [note, setNote] = useState('');
  const isGapRecorded = useValue(isGapRecorded$) ?? false;
  const step = recording.steps.at(-1);
  const stages = map?.stages ?? [];
  const isShown = useRef(true);
  useLayoutEffect(() => () => void (isShown.current = false), []);
  const submitNote = async (event: Event) => {
    event.preventDefault();
    if (!note.trim() || !(await runWithVibration(() => recording.note(note.trim())))) return;
    // While the note was stored, the person may have closed the dialog and opened it again.
    if (isShown.current) onClose();
  };
  return (
    <div class="stack">
      <StepNameChoices
        names={stepSuggestions(stages, recording.steps)}
        onName={(name, type) => onStep(stepOfTypedName(stages, recording.steps, { name, type }))}
      />
      {step && (
        <form class="recorder-form" onSubmit={submitNote} noValidate>
          <Field label={recordTexts.note(step.stage_name)} value={note} onValue={setNote} maxLength={noteLengthMax} />
          <Button type="submit">{recordTexts.addNote}</Button>
        </form>
      )}
      <label class="recorder-gap">
        <input
          type="checkbox"
          checked={isGapRecorded}
          onChange={(event) => setGapRecorded(event.currentTarget.checked)}
        />
        <span>{recordTexts.gap}</span>
      </label>
      <Button look="danger" wide onClick={onDiscard}>
        {texts.record.discard}
      </Button>
    </div>
  );
}

interface StagesModeQuestionProps {
  recording: Recording;
  map: RecordedMap;
  onMode(mode: StagesMode): void;
}

function StagesModeQuestion({ recording: { steps }, map, onMode }: StagesModeQuestionProps) {
  const { ask } = recordTexts;
  return (
    <div class="stack">
      <p>{map.state === 'future' ? ask.future : ask.partial(recordedStageCount(map, steps), map.stages.length)}</p>
      {keysOf(ask.modes).map((mode) => (
        <div key={mode} class="recorder-mode">
          <Button wide onClick={() => onMode(mode)}>
            {ask.modes[mode]}
          </Button>
          <p class="soft small">{recordTexts.modeHints[mode]}</p>
        </div>
      ))}
    </div>
  );
}
