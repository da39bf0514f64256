import type { Stage, WorkType } from '../../../client.ts';
import { useState } from 'preact/hooks';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { RadioGroup } from '../../ui/radio-group.tsx';
import { showToast } from '../../ui/toast.tsx';
import { WorkTypeLabel } from '../../ui/work-type.tsx';
import { useGemba } from '../../shell/engine.tsx';
import { TimeField, useTimeField } from './time-field.tsx';
import { succeededOrToast } from '../succeeded-or-toast.ts';
import { useNameField } from '../use-name-field.ts';
import { formTexts, stageTexts } from '../../text/phone-on-demand.ts';

export interface StageDialogProps {
  mapId: string;
  /** The stage to edit; undefined if the dialog adds a stage. */
  stage: Stage | undefined;
  open: boolean;
  onClose(): void;
  stageCount: number;
  move(stage: Stage, toIndex: number): void;
}

export function StageDialog({ open, stage, onClose, ...rest }: StageDialogProps) {
  return (
    <Dialog open={open} title={stage ? stageTexts.edit : stageTexts.add} onClose={onClose}>
      <StageForm key={stage?.id} stage={stage} onClose={onClose} {...rest} />
    </Dialog>
  );
}

const workTypeOptions: Record<WorkType, preact.JSX.Element> = {
  valuable: <WorkTypeLabel type="valuable" />,
  incidental: <WorkTypeLabel type="incidental" />,
  waste: <WorkTypeLabel type="waste" />,
};

function StageForm({ mapId, stage, onClose, stageCount, move }: Omit<StageDialogProps, 'open'>) {
  const gemba = useGemba();
  const fields = useStageFields(stage);
  const save = async (event: Event) => {
    fields.check(event);
    if (!fields.isValid) return;
    if (
      await succeededOrToast(
        stage ? update(stage) : gemba.addStage(mapId, { ...fields.changed, stage: fields.stageName }),
      )
    )
      onClose();
  };
  const update = async ({ id }: Stage) => {
    if (Object.keys(fields.changed).length > 0) await gemba.updateStage(mapId, id, fields.changed);
  };
  const remove = async ({ id, map_id: _map, value_add: _derived, ...restored }: Stage) => {
    onClose();
    if (!(await succeededOrToast(gemba.deleteStage(mapId, id)))) return;
    showToast({
      text: stageTexts.removed(restored.stage),
      undo: () => void succeededOrToast(gemba.addStage(mapId, restored)),
    });
  };

  return (
    <form class="stack" onSubmit={save} noValidate>
      <Field label={stageTexts.name} hint={stageTexts.nameHint} {...fields.name} />
      <div class="times">
        <TimeField label={stageTexts.cycle} {...fields.cycle} />
        <TimeField label={stageTexts.wait} {...fields.wait} />
      </div>
      <RadioGroup label={stageTexts.workType} options={workTypeOptions} {...fields.workType} />
      {stage && stageCount > 1 && <StagePosition stage={stage} stageCount={stageCount} move={move} />}
      <Button type="submit" look="primary" wide>
        {stage ? formTexts.save : stageTexts.addNow}
      </Button>
      {stage && (
        <Button look="danger" wide onClick={() => remove(stage)}>
          {stageTexts.remove}
        </Button>
      )}
    </form>
  );
}

/**
 * Holds the fields of the form. `changed` has only the fields that the person edited, so that a save keeps another
 * device's changes of the other fields.
 */
function useStageFields(stage: Stage | undefined) {
  const { name, isChecked, check, field } = useNameField({
    initial: stage?.stage,
    missingText: stageTexts.unnamed,
  });
  const cycle = useTimeField(stage?.cycle_time_hrs, isChecked);
  const wait = useTimeField(stage?.wait_time_hrs, isChecked);
  const [work_type, setWorkType] = useState<WorkType>(stage?.work_type ?? 'valuable');
  return {
    check,
    isValid: name !== '' && cycle.isValid && wait.isValid,
    stageName: name,
    changed: {
      ...(name !== stage?.stage && { stage: name }),
      ...(work_type !== stage?.work_type && { work_type }),
      ...(cycle.isChanged && { cycle_time_hrs: cycle.hrs }),
      ...(wait.isChanged && { wait_time_hrs: wait.hrs }),
    },
    name: field,
    cycle: cycle.field,
    wait: wait.field,
    workType: { value: work_type, onValue: setWorkType },
  };
}

type StagePositionProps = Pick<StageDialogProps, 'stageCount' | 'move'> & { stage: Stage };

/** A map with fewer stages has no field for the position, since Up and Down move a stage quickly enough. */
const positionFieldStagesMin = 10;

function StagePosition({ stage, stageCount, move }: StagePositionProps) {
  const { order } = stage;
  return (
    <div class="stage-position">
      <p role="status">{stageTexts.at(order, stageCount)}</p>
      <Button disabled={order === 1} onClick={() => move(stage, order - 2)}>
        {stageTexts.up}
      </Button>
      <Button disabled={order === stageCount} onClick={() => move(stage, order)}>
        {stageTexts.down}
      </Button>
      {stageCount >= positionFieldStagesMin && <PositionField stage={stage} stageCount={stageCount} move={move} />}
    </div>
  );
}

function PositionField({ stage, stageCount, move }: StagePositionProps) {
  const [text, setText] = useState('');
  const [isWrong, setWrong] = useState(false);
  const moveThere = () => {
    const position = Number(text);
    const isValid = Number.isInteger(position) && position >= 1 && position <= stageCount;
    setWrong(!isValid);
    if (isValid) move(stage, position - 1);
  };
  // Without `preventDefault`, Enter would save and close the form around this field.
  const moveByKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    moveThere();
  };
  return (
    <div class="stage-to" onKeyDown={moveByKey}>
      <Field
        label={stageTexts.to}
        inputMode="numeric"
        autocomplete="off"
        value={text}
        onValue={setText}
        error={isWrong ? stageTexts.noPosition(stageCount) : undefined}
      />
      <Button onClick={moveThere}>{stageTexts.moveTo}</Button>
    </div>
  );
}
