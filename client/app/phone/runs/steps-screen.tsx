/**
 * The screen that edits a copy of a run's steps. One mutation saves the copy. Below the copy, the screen shows the
 * steps as they were recorded.
 */
import type { RunDoc, RunStep } from '../../../client.ts';
import { useState } from 'preact/hooks';
import { Button } from '../../ui/button.tsx';
import { Screen } from '../../ui/screen.tsx';
import { showToast } from '../../ui/toast.tsx';
import { useGemba, useValueOf } from '../../shell/engine.tsx';
import { navigate } from '../../shell/router.tsx';
import { durationText } from '../../text/format.ts';
import { TimeText } from '../../ui/time-text.tsx';
import { runEditTexts, runsTexts, runTexts } from '../../text/phone-runs.ts';
import { texts } from '../../text/texts.ts';
import { MissingRun } from '../missing.tsx';
import { succeededOrToast } from '../succeeded-or-toast.ts';
import { toRecordingSteps, totalSecsOf } from './corrected-steps.ts';
import { StepDialog } from './step-dialog.tsx';
import { StepsList } from './steps-list.tsx';
import { useStepsCorrection } from './use-steps-correction.ts';

export function StepsScreen({ mapId, runId }: { mapId: string; runId: number }) {
  const gemba = useGemba();
  const run = useValueOf(() => gemba.run$(runId), [gemba, runId]);
  if (!run) return <MissingRun mapId={mapId} runId={runId} back={`/maps/${mapId}/runs`} />;
  return <CorrectionForm key={run.id} run={run} />;
}

function CorrectionForm({ run }: { run: RunDoc }) {
  const gemba = useGemba();
  const recorded = run.recorded_steps ?? run.steps;
  const [editedIndex, setEditedIndex] = useState<number>();
  const correction = useStepsCorrection(run, { isEditing: editedIndex !== undefined });
  const { steps, isChanged, isOutdated } = correction;
  const runPath = `/maps/${run.map_id}/runs/${run.id}`;
  const change = (changed: readonly RunStep[]) => {
    correction.change(changed);
    setEditedIndex(undefined);
  };
  const save = async () => {
    const correctTo = (corrected: readonly RunStep[]) =>
      succeededOrToast(gemba.correctRun(run.id, toRecordingSteps(corrected)));
    if (!(await correctTo(steps))) return;
    correction.drop();
    navigate(runPath, { replace: true });
    showToast({ text: runEditTexts.saved, undo: () => void correctTo(run.steps) });
  };
  return (
    <Screen title={runEditTexts.correct} back={runPath}>
      <p class="soft">
        {runsTexts.named(run.number, run.name)} ·{' '}
        <TimeText>{runEditTexts.total(durationText(totalSecsOf(steps)))}</TimeText>
      </p>
      <p class="soft small">{runEditTexts.hint}</p>
      <StepsList label={runTexts.steps} steps={steps} onStep={setEditedIndex} />
      {isOutdated ? (
        <OutdatedQuestion
          onMine={correction.keepMine}
          onTheirs={() => showToast({ text: runEditTexts.theirsTaken, undo: correction.drop() })}
        />
      ) : (
        <div class="run-bar">
          <Button icon="undo" disabled={!isChanged} onClick={correction.undo}>
            {texts.undo}
          </Button>
          <Button look="primary" wide disabled={!isChanged || steps.length === 0} onClick={save}>
            {runEditTexts.save}
          </Button>
        </div>
      )}
      {isOutdated && <SavedSteps label={runEditTexts.theirSteps} steps={run.steps} />}
      <SavedSteps label={runEditTexts.asRecorded} steps={recorded} />
      <Button onClick={() => change(recorded)}>{runEditTexts.restore}</Button>
      <StepDialog steps={steps} index={editedIndex} onChange={change} onClose={() => setEditedIndex(undefined)} />
    </Screen>
  );
}

interface OutdatedQuestionProps {
  onMine(): void;
  onTheirs(): void;
}

/**
 * Replaces the Save button after another correction has arrived, since saving would replace that correction. Asks which
 * correction to take.
 */
function OutdatedQuestion({ onMine, onTheirs }: OutdatedQuestionProps) {
  return (
    <div class="run-bar run-outdated">
      <p role="alert">{runEditTexts.meanwhile}</p>
      <Button onClick={onTheirs}>{runEditTexts.theirs}</Button>
      <Button look="primary" wide onClick={onMine}>
        {runEditTexts.mine}
      </Button>
    </div>
  );
}

function SavedSteps({ label, steps }: { label: string; steps: readonly RunStep[] }) {
  return (
    <>
      <div class="section-head">
        <h2>{label}</h2>
        <p class="soft">
          <TimeText>{runEditTexts.total(durationText(totalSecsOf(steps)))}</TimeText>
        </p>
      </div>
      <StepsList label={label} steps={steps} />
    </>
  );
}
