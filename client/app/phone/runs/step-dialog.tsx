import { useState } from 'preact/hooks';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { RadioGroup } from '../../ui/radio-group.tsx';
import { WorkTypeLabel } from '../../ui/work-type.tsx';
import { notesLengthMax, type RunStep, type WorkType } from '../../../client.ts';
import { clockText, durationText } from '../../text/format.ts';
import { runEditTexts } from '../../text/phone-runs.ts';
import { stageTexts } from '../../text/phone-on-demand.ts';
import { parseTime, understoodTimeText } from '../parse-time.ts';
import { useNameField } from '../use-name-field.ts';
import { changeStep, joinWithNextStep, splitStep, removeStep } from './corrected-steps.ts';
import { TextArea } from './text-area.tsx';

interface StepDialogProps {
  steps: readonly RunStep[];
  /** The index of the edited step; undefined while the dialog is closed. */
  index: number | undefined;
  onChange(steps: readonly RunStep[]): void;
  onClose(): void;
}

export function StepDialog({ steps, index, onChange, onClose }: StepDialogProps) {
  const step = index === undefined ? undefined : steps[index];
  return (
    <Dialog open={step !== undefined} title={step ? runEditTexts.step(step.order) : ''} onClose={onClose}>
      {step && index !== undefined && (
        <>
          <StepForm step={step} onSave={(change) => onChange(changeStep(steps, index, change))} />
          <SplitForm secs={step.duration_secs} onSplit={(secs) => onChange(splitStep(steps, index, secs))} />
          <div class="actions">
            {index < steps.length - 1 && (
              <Button onClick={() => onChange(joinWithNextStep(steps, index))}>{runEditTexts.join}</Button>
            )}
            {steps.length > 1 && (
              <Button look="danger" onClick={() => onChange(removeStep(steps, index))}>
                {runEditTexts.remove}
              </Button>
            )}
          </div>
        </>
      )}
    </Dialog>
  );
}

const workTypeOptions: Record<WorkType, preact.JSX.Element> = {
  valuable: <WorkTypeLabel type="valuable" />,
  incidental: <WorkTypeLabel type="incidental" />,
  waste: <WorkTypeLabel type="waste" />,
};

export type StepFormFields = Pick<RunStep, 'stage_name' | 'work_type' | 'notes'>;

export function StepForm({ step, onSave }: { step: StepFormFields; onSave(fields: StepFormFields): void }) {
  const { name, check, field } = useNameField({ initial: step.stage_name, missingText: runEditTexts.unnamed });
  const [workType, setWorkType] = useState(step.work_type);
  const [notes, setNotes] = useState(step.notes);
  const save = (event: Event) => {
    check(event);
    if (name !== '') onSave({ stage_name: name, work_type: workType, notes });
  };
  return (
    <form class="stack" onSubmit={save} noValidate>
      <Field label={runEditTexts.stage} autocomplete="off" {...field} />
      <RadioGroup label={stageTexts.workType} options={workTypeOptions} value={workType} onValue={setWorkType} />
      <TextArea label={runEditTexts.note} maxLength={notesLengthMax} value={notes} onValue={setNotes} />
      <Button type="submit" look="primary" wide>
        {runEditTexts.apply}
      </Button>
    </form>
  );
}

export function SplitForm({ secs: wholeSecs, onSplit }: { secs: number; onSplit(secs: number): void }) {
  const [text, setText] = useState('');
  const [isWrong, setWrong] = useState(false);
  const whole = durationText(wholeSecs);
  const example = clockText(10);
  const secs = parseTime(text);
  const split = (event: Event) => {
    event.preventDefault();
    if (secs > 0 && secs < wholeSecs) onSplit(secs);
    else setWrong(true);
  };
  return (
    <form class="split-form" onSubmit={split} noValidate>
      <Field
        label={runEditTexts.splitAfter(whole)}
        placeholder={example}
        autocomplete="off"
        value={text}
        onValue={setText}
        readAs={understoodTimeText(text, secs)}
        error={isWrong ? runEditTexts.splitWrong(example, whole) : undefined}
      />
      <Button type="submit">{runEditTexts.split}</Button>
    </form>
  );
}
