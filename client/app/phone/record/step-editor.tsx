/** Edits a step of the recording under way, inside the list of steps. */
import { useEffect } from 'preact/hooks';
import type { Recording } from '../../../client.ts';
import { Button } from '../../ui/button.tsx';
import { runWithVibration } from '../../recorder/run-with-vibration.ts';
import { useClockSecs } from '../../recorder/use-clock.ts';
import { durationText, secsPerCentiminute, timeNotation } from '../../text/format.ts';
import { TimeText } from '../../ui/time-text.tsx';
import { recordTexts } from '../../text/phone-on-demand.ts';
import { runEditTexts } from '../../text/phone-runs.ts';
import { texts } from '../../text/texts.ts';
import { useKeptStepTexts } from './use-kept-step-texts.ts';
import { SplitForm, StepForm, type StepFormFields } from '../runs/step-dialog.tsx';

interface StepEditorProps {
  recording: Recording;
  index: number;
  onClose(): void;
}

export function StepEditor({ recording, index, onClose }: StepEditorProps) {
  const step = recording.steps[index];
  const { editor, keep, forget } = useKeptStepTexts(`${recording.recording_session_id} ${step?.started_at}`);
  useEffect(() => editor.current?.scrollIntoView({ block: 'nearest' }), []);
  const currentSecs = useClockSecs(recording.clock);
  if (!step) return null;
  const position = { index, started_at: step.started_at };
  const hasNext = index < recording.steps.length - 1;
  const close = () => {
    forget();
    onClose();
  };
  const thenClose = async (verb: () => Promise<unknown>) => {
    if (await runWithVibration(verb)) close();
  };
  const save = (fields: StepFormFields) => {
    const changed = Object.entries(fields).filter(([name, value]) => step[name as keyof StepFormFields] !== value);
    if (changed.length === 0) return close();
    return void thenClose(() => recording.edit(position, Object.fromEntries(changed)));
  };
  const moved = recordTexts.moveEnd[timeNotation()];
  const movedSecs = timeNotation() === 'clock' ? 1 : secsPerCentiminute;
  const moveEnd = (secs: number) => () => runWithVibration(() => recording.moveBorder(position, { secs }));
  return (
    <div
      ref={editor}
      class="step-editor stack"
      role="group"
      aria-label={texts.record.edit(step.stage_name)}
      onInput={keep}
    >
      <StepForm step={step} onSave={save} />
      {hasNext && (
        <div class="step-border">
          <p>
            <TimeText>{recordTexts.end(durationText(step.duration_secs ?? 0))}</TimeText>
          </p>
          <Button aria-label={moved.earlier} onClick={moveEnd(-movedSecs)}>
            {moved.minus}
          </Button>
          <Button aria-label={moved.later} onClick={moveEnd(movedSecs)}>
            {moved.plus}
          </Button>
        </div>
      )}
      <SplitForm
        secs={step.duration_secs ?? currentSecs}
        onSplit={(secs) => void thenClose(() => recording.split(position, { at_secs: secs }))}
      />
      <div class="actions">
        {hasNext && <Button onClick={() => thenClose(() => recording.join(position))}>{runEditTexts.join}</Button>}
        <Button onClick={close}>{texts.close}</Button>
      </div>
    </div>
  );
}
