/** Adds a stage, or edits one: what it is, how long it takes, and where it stands. */
import { useState } from 'preact/hooks';
import type { Stage } from '../../../../shared/schema/stage.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { toast } from '../../ui/toast.tsx';
import { WorkTypeMark } from '../../ui/work-type.tsx';
import { useGemba } from '../../shell/engine.tsx';
import { texts, type WorkType } from '../../text/texts.ts';
import { Choice } from '../../ui/choice.tsx';
import { hrsOfText, TimeField, timeText } from './time-field.tsx';
import { tried } from '../tried.ts';
import { useName } from '../use-name.ts';
import { phoneTexts } from '../../text/phone.ts';

interface StageDialogProps {
  mapId: string;
  /** undefined: a new one. */
  stage: Stage | undefined;
  open: boolean;
  onClose(): void;
  /** How many stages the map has. */
  count: number;
  move(stage: Stage, to: number): void;
}

export function StageDialog({ open, stage, onClose, ...rest }: StageDialogProps) {
  return (
    <Dialog open={open} title={stage ? phoneTexts.stage.edit : phoneTexts.stage.add} onClose={onClose}>
      <StageForm key={stage?.id} stage={stage} onClose={onClose} {...rest} />
    </Dialog>
  );
}

const workTypeOptions = Object.fromEntries(
  Object.entries(texts.workTypes).map(([type, text]) => [
    type,
    <>
      <WorkTypeMark type={type as WorkType} />
      {text}
    </>,
  ]),
) as Record<WorkType, preact.JSX.Element>;

function StageForm({ mapId, stage, onClose, count, move }: Omit<StageDialogProps, 'open'>) {
  const gemba = useGemba();
  const [begun] = useState({ cycle: timeText(stage?.cycle_time_hrs ?? 0), wait: timeText(stage?.wait_time_hrs ?? 0) });
  const name = useName({ begun: stage?.stage, missing: phoneTexts.stage.unnamed });
  const { given, checked } = name;
  const [cycle, setCycle] = useState(begun.cycle);
  const [wait, setWait] = useState(begun.wait);
  const [work_type, setWorkType] = useState<WorkType>(stage?.work_type ?? 'valuable');
  const cycleHrs = hrsOfText(cycle);
  const waitHrs = hrsOfText(wait);

  const save = async (event: Event) => {
    name.check(event);
    if (given === '' || cycleHrs === undefined || waitHrs === undefined) return;
    // What was not touched stays as it is, to the last digit, whoever changes it meanwhile.
    const patch = {
      ...(given === stage?.stage ? {} : { stage: given }),
      ...(cycle === begun.cycle ? {} : { cycle_time_hrs: cycleHrs }),
      ...(wait === begun.wait ? {} : { wait_time_hrs: waitHrs }),
      ...(work_type === stage?.work_type ? {} : { work_type }),
    };
    const verb = stage
      ? Object.keys(patch).length === 0 || gemba.updateStage(mapId, stage.id, patch)
      : gemba.addStage(mapId, { ...patch, stage: given });
    if (await tried(Promise.resolve(verb))) onClose();
  };
  const remove = async ({ id, map_id: _map, value_add: _derived, ...fields }: Stage) => {
    onClose();
    if (!(await tried(gemba.deleteStage(mapId, id)))) return;
    toast({ text: phoneTexts.stage.removed(fields.stage), undo: () => void tried(gemba.addStage(mapId, fields)) });
  };

  return (
    <form class="stack" onSubmit={save} noValidate>
      <Field label={phoneTexts.stage.name} hint={phoneTexts.stage.nameHint} {...name.field} />
      <div class="times">
        <TimeField
          label={phoneTexts.stage.cycle}
          value={cycle}
          onValue={setCycle}
          error={checked && cycleHrs === undefined ? phoneTexts.stage.noTime : undefined}
        />
        <TimeField
          label={phoneTexts.stage.wait}
          value={wait}
          onValue={setWait}
          error={checked && waitHrs === undefined ? phoneTexts.stage.noTime : undefined}
        />
      </div>
      <Choice label={phoneTexts.stage.workType} options={workTypeOptions} value={work_type} onValue={setWorkType} />
      {stage && count > 1 && (
        <div class="places">
          <p role="status">{phoneTexts.stage.at(stage.order, count)}</p>
          <Button disabled={stage.order === 1} onClick={() => move(stage, stage.order - 2)}>
            {phoneTexts.stage.up}
          </Button>
          <Button disabled={stage.order === count} onClick={() => move(stage, stage.order)}>
            {phoneTexts.stage.down}
          </Button>
        </div>
      )}
      <Button type="submit" look="primary" wide>
        {stage ? phoneTexts.save : phoneTexts.add}
      </Button>
      {stage && (
        <Button look="danger" wide onClick={() => remove(stage)}>
          {phoneTexts.stage.remove}
        </Button>
      )}
    </form>
  );
}
