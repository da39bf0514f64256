/** A button that sets a map's times to the medians of runs. A dialog shows the changes before they are saved. */
import { useState } from 'preact/hooks';
import type { RunDoc } from '../../../../shared/schema/run.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { showToast } from '../../ui/toast.tsx';
import { useGemba, useValueOf } from '../../shell/engine.tsx';
import { durationText } from '../../text/format.ts';
import { mapTimesTexts } from '../../text/phone-runs.ts';
import { secsPerHour } from '../maps/value-stream.tsx';
import { succeededOrToast } from '../succeeded-or-toast.ts';
import { proposeMapChange, type MapChange } from './map-change.ts';

interface ApplyTimesButtonProps {
  label: string;
  mapId: string;
  runs: RunDoc[];
}

export function ApplyTimesButton({ label, mapId, runs }: ApplyTimesButtonProps) {
  const gemba = useGemba();
  const map = useValueOf(() => gemba.map$(mapId), [gemba, mapId]);
  const [change, setChange] = useState<MapChange>();
  if (!map || map.deleted) return null;
  const ask = () =>
    succeededOrToast(
      gemba
        .compareRuns(runs.map(({ id }) => id))
        .then((comparison) => setChange(proposeMapChange(map.stages, { comparison, runs }))),
    );
  return (
    <>
      <Button wide onClick={ask}>
        {label}
      </Button>
      <Dialog open={change !== undefined} title={mapTimesTexts.ask(map.name)} onClose={() => setChange(undefined)}>
        {change && <ApplyTimesQuestion mapId={mapId} change={change} onClose={() => setChange(undefined)} />}
      </Dialog>
    </>
  );
}

interface ApplyTimesQuestionProps {
  mapId: string;
  change: MapChange;
  onClose(): void;
}

function ApplyTimesQuestion({ mapId, change: { updates, additions, keptCount }, onClose }: ApplyTimesQuestionProps) {
  const gemba = useGemba();
  const [isSaving, setSaving] = useState(false);
  const save = async () => {
    setSaving(true);
    const added: number[] = [];
    const isSaved = await succeededOrToast(
      (async () => {
        for (const { stage, secs } of updates) {
          await gemba.updateStage(mapId, stage.id, { cycle_time_hrs: secs / secsPerHour });
        }
        for (const { name, secs, type } of additions) {
          const fields = { stage: name, cycle_time_hrs: secs / secsPerHour, work_type: type };
          added.push((await gemba.addStage(mapId, fields)).stage_id);
        }
      })(),
    );
    setSaving(false);
    if (!isSaved) return;
    onClose();
    showToast({ text: mapTimesTexts.changed, undo: () => void succeededOrToast(undo(added)) });
  };
  const undo = async (added: number[]) => {
    for (const id of added) await gemba.deleteStage(mapId, id);
    for (const { stage } of updates) {
      await gemba.updateStage(mapId, stage.id, { cycle_time_hrs: stage.cycle_time_hrs });
    }
  };
  if (updates.length + additions.length === 0) return <p>{mapTimesTexts.same}</p>;
  return (
    <>
      <ul class="times-change" role="list">
        {updates.map(({ stage, secs }) => (
          <li key={stage.id}>
            {mapTimesTexts.update(stage.stage, durationText(stage.cycle_time_hrs * secsPerHour), durationText(secs))}
          </li>
        ))}
        {additions.map(({ name, secs }) => (
          <li key={name}>{mapTimesTexts.addition(name, durationText(secs))}</li>
        ))}
      </ul>
      <p class="soft">{mapTimesTexts.kept(keptCount)}</p>
      <Button look="primary" wide disabled={isSaving} onClick={save}>
        {mapTimesTexts.save}
      </Button>
    </>
  );
}
