import { useEffect, useRef, useState } from 'preact/hooks';
import type { StagesMode } from '../../../../shared/schema/recording.ts';
import { stageKey, type Recording } from '../../../client.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { RadioGroup } from '../../ui/radio-group.tsx';
import { Screen } from '../../ui/screen.tsx';
import { showToast } from '../../ui/toast.tsx';
import { WorkTypeLabel, WorkTypeMark } from '../../ui/work-type.tsx';
import { undoAcceptedMs, stagesModeOf } from '../../recorder/finish-mode.ts';
import { runWithVibration } from '../../recorder/run-with-vibration.ts';
import { nextStage, stepToStart } from '../../recorder/next-step.ts';
import { useStepTap } from '../../recorder/use-step-tap.ts';
import { useWakeLock } from '../../recorder/use-wake-lock.ts';
import { useGemba, useValueOf } from '../../shell/engine.tsx';
import { setUndoableStepCount } from '../../shell/undoable-steps.ts';
import { navigate } from '../../shell/router.tsx';
import { useSecsSince } from '../../shell/time.ts';
import { clockText } from '../../text/format.ts';
import { phoneTexts } from '../../text/phone.ts';
import { texts, type WorkType } from '../../text/texts.ts';
import { useOnDemandModule } from '../use-on-demand.tsx';

const workTypeOptions: Record<WorkType, preact.JSX.Element> = {
  valuable: <WorkTypeLabel type="valuable" />,
  incidental: <WorkTypeLabel type="incidental" />,
  waste: <WorkTypeLabel type="waste" />,
};

export function Recorder({ recording }: { recording: Recording }) {
  const gemba = useGemba();
  const onDemand = useOnDemandModule();
  const map = useValueOf(() => gemba.map$(recording.map_id), [gemba, recording.map_id]);
  const [chosenType, setChosenType] = useState<WorkType>();
  const [dialog, setDialog] = useState<'more' | 'stages'>();
  useWakeLock();
  const { steps } = recording;
  const step = steps.at(-1);
  const stages = map?.stages ?? [];
  const next = nextStage(stages, steps);
  const tapStep = useStepTap(recording);

  const startStep = async (...tap: Parameters<typeof tapStep>) => {
    const isStarted = await tapStep(...tap);
    if (isStarted) setChosenType(undefined);
    return isStarted;
  };
  const finish = async (mode: StagesMode) => {
    setDialog(undefined);
    if (!(await runWithVibration(() => recording.finish({ stages: mode, undoMs: undoAcceptedMs })))) return;
    setUndoableStepCount(steps.length, undoAcceptedMs);
    const isNewMap = recording.new_map_name !== null;
    navigate(isNewMap ? '/' : `/maps/${recording.map_id}`, { replace: true });
    const undo = async () => {
      if (!(await runWithVibration(() => recording.unfinish()))) return;
      setUndoableStepCount(0, 0);
      navigate('/record');
    };
    showToast({ text: isNewMap ? texts.record.finished : phoneTexts.recorder.finished(mode), undo: () => void undo() });
  };
  const finishOrAsk = () => {
    const mode = stagesModeOf(recording, map);
    if (mode) void finish(mode);
    else setDialog('stages');
  };
  const discard = async () => {
    setDialog(undefined);
    if (!(await runWithVibration(() => recording.discard()))) return;
    const restore = () => runWithVibration(() => gemba.restoreRecording(recording.recording_session_id));
    showToast({ text: texts.record.discarded, undo: () => void restore() });
  };

  return (
    <Screen title={map?.name ?? recording.new_map_name ?? texts.record.title}>
      <div class="recorder">
        <CurrentStep recording={recording} stages={stages} />
        <EndedSteps steps={steps.slice(0, -1)} />
        <RadioGroup
          label={phoneTexts.recorder.type}
          options={workTypeOptions}
          value={chosenType ?? next?.work_type ?? 'incidental'}
          onValue={setChosenType}
        />
        <Button
          look="primary"
          wide
          class="recorder-next"
          aria-label={next && texts.record.nextNamed(next.stage_name)}
          onClick={() => startStep('next', (taken) => stepToStart(stages, taken, chosenType))}
        >
          {next && <small>{phoneTexts.recorder.next} </small>}
          {next?.stage_name ?? (step ? texts.record.nextStep : texts.record.firstStep)}
        </Button>
        <div class="recorder-actions">
          <Button icon="undo" disabled={!step} onClick={() => runWithVibration(() => recording.undo())}>
            {texts.record.undo}
          </Button>
          <IconButton icon="more" label={texts.record.more} onClick={() => setDialog('more')} />
          <Button icon="check" disabled={!step} onClick={finishOrAsk}>
            {texts.record.finish}
          </Button>
        </div>
      </div>
      {onDemand && (
        <onDemand.RecorderDialogs
          dialog={dialog}
          recording={recording}
          map={map}
          onName={async (stage_name, type) => {
            setDialog(undefined);
            await startStep('name', () => ({ stage_name, work_type: chosenType ?? type ?? 'incidental' }));
          }}
          onMode={(mode) => void finish(mode)}
          onDiscard={() => void discard()}
          onClose={() => setDialog(undefined)}
        />
      )}
    </Screen>
  );
}

interface CurrentStepProps {
  recording: Recording;
  stages: readonly { stage: string; cycle_time_hrs: number }[];
}

/** A component of its own, so that each second renders only the clocks. */
function CurrentStep({ recording: { steps, started_at }, stages }: CurrentStepProps) {
  const step = steps.at(-1);
  const secs = useSecsSince(step?.started_at);
  const totalSecs = useSecsSince(steps[0]?.started_at ?? started_at);
  if (!step) return <h2 class="recorder-now">{texts.record.firstStepHint}</h2>;
  const usual = stages.find(({ stage }) => stageKey(stage) === stageKey(step.stage_name))?.cycle_time_hrs;
  return (
    <section class="recorder-now" aria-label={phoneTexts.recorder.now}>
      <p class="soft small">
        {phoneTexts.recorder.now} · {phoneTexts.recorder.position(steps.length, stages.length)} ·{' '}
        {phoneTexts.recorder.total(clockText(totalSecs))}
      </p>
      <h2>
        <WorkTypeMark type={step.work_type} /> <span>{step.stage_name}</span>
      </h2>
      <p class="recorder-clock">
        <span role="timer" aria-label={step.stage_name}>
          {clockText(secs)}
        </span>
        {usual ? <small class="soft">{phoneTexts.recorder.usual(clockText(usual * 3_600))}</small> : null}
      </p>
      {step.notes && <p class="recorder-note small">{step.notes}</p>}
    </section>
  );
}

/** Lists the ended steps and scrolls to the latest. */
function EndedSteps({ steps }: { steps: Recording['steps'] }) {
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => list.current?.scrollTo(0, list.current.scrollHeight), [steps.length]);
  return (
    <ol ref={list} class="recorder-steps" role="list" aria-label={phoneTexts.recorder.steps} tabIndex={0}>
      {steps.map(({ stage_name, work_type, notes }, index) => (
        <li key={index}>
          <WorkTypeMark type={work_type} />
          <span class="recorder-step-name">
            {stage_name}
            {notes && <small class="soft">{notes}</small>}
          </span>
        </li>
      ))}
    </ol>
  );
}
