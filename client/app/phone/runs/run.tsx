import { useState } from 'preact/hooks';
import type { Pending, RunDoc } from '../../../client.ts';
import { Commands } from '../../ui/commands.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Screen } from '../../ui/screen.tsx';
import { showToast } from '../../ui/toast.tsx';
import { useGemba, useValueOf } from '../../shell/engine.tsx';
import { navigate } from '../../shell/router.tsx';
import { dateTimeText, durationText, numberText, secsPerHour } from '../../text/format.ts';
import { useDeviceNames } from '../devices/device-names.ts';
import { ExportCommand } from '../interchange/export-command.tsx';
import { PrintCommand } from '../interchange/print-command.tsx';
import { MissingRun } from '../missing.tsx';
import { succeededOrToast } from '../succeeded-or-toast.ts';
import { Figure, TimesCard, PceFigure } from '../maps/value-stream.tsx';
import { valueStreamTexts } from '../../text/phone-maps.ts';
import { applyTimesTexts, runEditTexts, runTexts, runsTexts } from '../../text/phone-runs.ts';
import { CorrectStepsCommand, RunDetails, RunActions } from './run-details.tsx';
import { StepsList } from './steps-list.tsx';
import { ApplyTimesButton } from './apply-times.tsx';
import { ReplaceStagesCommand } from './replace-stages-command.tsx';

export function RunScreen({ mapId, runId }: { mapId: string; runId: number }) {
  const gemba = useGemba();
  const run = useValueOf(() => gemba.run$(runId), [gemba, runId]);
  const map = useValueOf(() => gemba.map$(mapId), [gemba, mapId]);
  const back = `/maps/${mapId}/runs`;
  if (!run) return <MissingRun mapId={mapId} runId={runId} back={back} />;
  const { started_at, device_started_at, created_at, steps } = run;
  return (
    <Screen title={runsTexts.named(run.number, run.name)} back={back}>
      <p class="print-only">{map?.name}</p>
      <div class="run-head">
        <p>{started_at ? runTexts.started(dateTimeText(started_at)) : runTexts.received(dateTimeText(created_at))}</p>
        {device_started_at && <p class="soft small">{runTexts.deviceClock(dateTimeText(device_started_at))}</p>}
        <RecordedByLine run={run} />
        <CustodyPill sessionId={run.recording_session_id} />
        <RunDetails run={run} />
      </div>
      <RunTimes run={run} />
      <div class="section-head">
        <h2>{runTexts.steps}</h2>
        <CorrectStepsCommand run={run} />
      </div>
      {steps.some(({ duration_estimated }) => duration_estimated) && <p class="soft small">{runTexts.estimatedWhy}</p>}
      <StepsList label={runTexts.steps} steps={steps} />
      {run.recorded_steps && (
        <details class="study-details">
          <summary>{runEditTexts.asRecorded}</summary>
          <StepsList label={runEditTexts.asRecorded} steps={run.recorded_steps} />
        </details>
      )}
      <div class="command-list card">
        <RunActions run={run} />
        <ApplyTimesButton label={applyTimesTexts.ofRun} mapId={mapId} runs={[run]} />
        <ReplaceStagesCommand run={run} />
        <ExportCommand isStacked mapId={mapId} sets={{ one: [runId] }} />
        <PrintCommand />
        <DeleteRunButton run={run} back={back} />
      </div>
    </Screen>
  );
}

/**
 * Says which device recorded the run, or that an API key sent the run. Shows nothing while the device's name is
 * unknown.
 */
function RecordedByLine({ run: { device_id, pending } }: { run: Pending<RunDoc> }) {
  const name = useDeviceNames(device_id).get(device_id ?? '');
  if (pending && !name) return <p class="soft small">{runTexts.onThisDevice}</p>;
  if (device_id === null) return <p class="soft small">{runTexts.byApiKey}</p>;
  return name === undefined ? null : <p class="soft small">{runTexts.on(name)}</p>;
}

function CustodyPill({ sessionId }: { sessionId: string }) {
  const gemba = useGemba();
  const custody = useValueOf(() => gemba.custody$(sessionId), [gemba, sessionId]) ?? 'device';
  return (
    <p class={`pill pill-${custody === 'server' ? 'good' : 'plain'}`} role="status">
      <Icon name={custody === 'server' ? 'cloud' : 'device'} size={20} />
      {runsTexts.custody[custody]}
    </p>
  );
}

function RunTimes({ run }: { run: RunDoc }) {
  const parts = run.steps.map(({ order, stage_name, duration_secs, work_type }) => ({
    id: order,
    stage: stage_name,
    cycle_time_hrs: duration_secs / secsPerHour,
    wait_time_hrs: 0,
    work_type,
  }));
  return (
    <TimesCard label={runTexts.times} parts={parts}>
      <Figure label={runTexts.total}>{durationText(run.total_time_secs)}</Figure>
      <PceFigure pce={run.pce} />
      <Figure label={valueStreamTexts.valueAdd}>{durationText(run.value_add_time_secs)}</Figure>
      <Figure label={runTexts.steps}>{numberText(run.step_count)}</Figure>
    </TimesCard>
  );
}

/** Asks before the deletion, since a deleted run cannot be restored. */
function DeleteRunButton({ run: { id, number: nth, step_count }, back }: { run: RunDoc; back: string }) {
  const gemba = useGemba();
  const [isConfirming, setConfirming] = useState(false);
  const remove = async () => {
    if (!(await succeededOrToast(gemba.deleteRun(id)))) return;
    navigate(back, { replace: true });
    showToast({ text: runTexts.removed(nth) });
  };
  return (
    <>
      <Commands commands={[{ label: runTexts.remove, look: 'danger', icon: 'bin', run: () => setConfirming(true) }]} />
      <Dialog open={isConfirming} title={runTexts.removeAsk(nth)} onClose={() => setConfirming(false)}>
        <p>{runTexts.removeText(step_count)}</p>
        <Button wide onClick={() => setConfirming(false)}>
          {runTexts.keep}
        </Button>
        <Button look="danger" icon="bin" wide onClick={remove}>
          {runTexts.removeNow}
        </Button>
      </Dialog>
    </>
  );
}
