/** Edits a copy of a run's steps, and saves the copy by one mutation. Shows the recorded steps below the copy. */
import { useState } from 'preact/hooks';
import type { RunDoc, RunStep } from '../../../../shared/schema/run.ts';
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
import { toRecordingSteps, totalSecs } from './corrected-steps.ts';
import { StepDialog } from './step-dialog.tsx';
import { StepsList } from './step-row.tsx';
import { useCorrection } from './use-correction.ts';

export function StepsScreen({ mapId, runId }: { mapId: string; runId: number }) {
  const gemba = useGemba();
  const run = useValueOf(() => gemba.run$(runId), [gemba, runId]);
  if (!run) return <MissingRun runId={runId} back={`/maps/${mapId}/runs`} />;
  return <StepsForm key={run.revision ?? 1} run={run} />;
}

function StepsForm({ run }: { run: RunDoc }) {
  const gemba = useGemba();
  const recorded = run.recorded_steps ?? run.steps;
  const { steps, isChanged, change: changeSteps, undo, forget } = useCorrection(run);
  const [editedIndex, setEditedIndex] = useState<number>();
  const runPath = `/maps/${run.map_id}/runs/${run.id}`;
  const change = (changed: readonly RunStep[]) => {
    changeSteps(changed);
    setEditedIndex(undefined);
  };
  const save = async () => {
    const correctTo = (corrected: readonly RunStep[]) =>
      succeededOrToast(gemba.correctRun(run.id, toRecordingSteps(corrected)));
    if (!(await correctTo(steps))) return;
    forget();
    navigate(runPath, { replace: true });
    showToast({ text: runEditTexts.saved, undo: () => void correctTo(run.steps) });
  };
  return (
    <Screen title={runEditTexts.correct} back={runPath}>
      <p class="soft">
        {runsTexts.named(run.number, run.name)} ·{' '}
        <TimeText>{runEditTexts.total(durationText(totalSecs(steps)))}</TimeText>
      </p>
      <p class="soft small">{runEditTexts.hint}</p>
      <StepsList label={runTexts.steps} steps={steps} onStep={setEditedIndex} />
      <div class="run-bar">
        <Button icon="undo" disabled={!isChanged} onClick={undo}>
          {texts.undo}
        </Button>
        <Button look="primary" wide disabled={!isChanged || steps.length === 0} onClick={save}>
          {runEditTexts.save}
        </Button>
      </div>
      <div class="section-head">
        <h2>{runEditTexts.asRecorded}</h2>
        <p class="soft">
          <TimeText>{runEditTexts.total(durationText(totalSecs(recorded)))}</TimeText>
        </p>
      </div>
      <StepsList label={runEditTexts.asRecorded} steps={recorded} />
      <Button onClick={() => change(recorded)}>{runEditTexts.restore}</Button>
      <StepDialog steps={steps} index={editedIndex} onChange={change} onClose={() => setEditedIndex(undefined)} />
    </Screen>
  );
}
