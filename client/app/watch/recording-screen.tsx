/**
 * Shows the active recording without scrolling: the clock at the top, the next step in the middle. The lower arc has
 * the work types on the left, and undo, more and finish on the right.
 */
import { useState } from 'preact/hooks';
import type { StagesMode } from '../../../shared/schema/recording.ts';
import type { Recording } from '../../client.ts';
import { WorkTypeMark, workTypes } from '../ui/work-type.tsx';
import { useGemba, useValueOf } from '../shell/engine.tsx';
import { clockText } from '../text/format.ts';
import { texts, type WorkType } from '../text/texts.ts';
import { showToast } from '../ui/toast.tsx';
import { useSecsSince } from '../shell/time.ts';
import type { EndedRecording } from './ended.tsx';
import { WatchFrame } from './frame.tsx';
import { undoAcceptedMs, stagesModeOf } from '../recorder/finish-mode.ts';
import { runWithVibration } from '../recorder/run-with-vibration.ts';
import { MoreScreen } from './more.tsx';
import { nextStage, stepToStart, stepSuggestions } from '../recorder/next-step.ts';
import { HoldButton } from './hold-button.tsx';
import { RoundButton } from './round-button.tsx';
import { StagesQuestion } from './stages-question.tsx';
import { useStepTap } from '../recorder/use-step-tap.ts';
import { useWakeLock } from '../recorder/use-wake-lock.ts';
import { watchTexts } from '../text/watch.ts';

interface RecordingScreenProps {
  recording: Recording;
  onEnded(ended: EndedRecording | undefined): void;
}

export function RecordingScreen({ recording, onEnded }: RecordingScreenProps) {
  const gemba = useGemba();
  const map = useValueOf(() => gemba.map$(recording.map_id), [gemba, recording.map_id]);
  const [isMoreOpen, setMoreOpen] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const [chosenType, setChosenType] = useState<WorkType>();
  useWakeLock();
  const { steps } = recording;
  const step = steps.at(-1);
  const stages = map?.stages ?? [];
  const suggested = nextStage(stages, steps);
  const workType = chosenType ?? suggested?.work_type ?? 'incidental';

  const tapStep = useStepTap(recording);
  const startStep = async (...tap: Parameters<typeof tapStep>) => {
    const isStarted = await tapStep(...tap);
    if (isStarted) {
      setChosenType(undefined);
      setMoreOpen(false);
    }
    return isStarted;
  };
  const end = async (ended: EndedRecording, verb: () => Promise<unknown>) => {
    // Shows the end screen first, since the recording is gone before the verb resolves.
    onEnded(ended);
    if (!(await runWithVibration(verb))) onEnded(undefined);
  };
  const finish = (mode: StagesMode) => {
    const endedAt = new Date().toISOString();
    return end({ kind: 'finished', recording, endedAt, stages: mode }, () =>
      recording.finish({ stages: mode, undoMs: undoAcceptedMs }),
    );
  };
  const finishOrAsk = () => {
    const mode = stagesModeOf(recording, map);
    if (mode) void finish(mode);
    else setAsking(true);
  };
  const discard = () => end({ kind: 'discarded', recorded: recording }, () => recording.discard());

  if (isMoreOpen) {
    const names = stepSuggestions(stages, steps);
    return (
      <MoreScreen
        recording={recording}
        names={names}
        onName={(stage_name, type) =>
          startStep('name', () => ({ stage_name, work_type: chosenType ?? type ?? 'incidental' }))
        }
        onDiscard={discard}
        onBack={() => setMoreOpen(false)}
      />
    );
  }
  if (isAsking && map) {
    return <StagesQuestion map={map} recording={recording} onMode={finish} onBack={() => setAsking(false)} />;
  }
  const nextName = suggested?.stage_name;
  return (
    <WatchFrame class="watch-recording" stepCount={steps.length}>
      <Clock since={step?.started_at} name={step?.stage_name} />
      <h1 class="watch-step">
        {step && <WorkTypeMark type={step.work_type} />}
        <span>{step?.stage_name ?? map?.name ?? recording.new_map_name ?? texts.record.title}</span>
      </h1>
      <button
        type="button"
        class={`watch-next watch-next-${workType}`}
        aria-label={nextName && texts.record.nextNamed(nextName)}
        onClick={() => startStep('next', (taken) => stepToStart(stages, taken, chosenType))}
      >
        <span>{nextName ?? (step ? texts.record.nextStep : texts.record.firstStep)}</span>
      </button>
      <div class="watch-types" role="group" aria-label={watchTexts.type}>
        {workTypes.map((type) => (
          <button
            key={type}
            type="button"
            class={`button watch-round watch-type watch-type-${type}`}
            aria-label={texts.workTypes[type]}
            aria-pressed={type === workType}
            onClick={() => setChosenType(type)}
          >
            <WorkTypeMark type={type} />
          </button>
        ))}
      </div>
      <RoundButton
        icon="undo"
        label={texts.record.undo}
        disabled={!step}
        onClick={() => runWithVibration(() => recording.undo())}
      />
      <RoundButton icon="more" label={watchTexts.more} onClick={() => setMoreOpen(true)} />
      <HoldButton
        icon="check"
        label={texts.record.finish}
        disabled={!step}
        onHold={finishOrAsk}
        onShortTap={() => showToast({ text: watchTexts.holdToFinish })}
      />
    </WatchFrame>
  );
}

/** A component of its own, so that each second renders only the clock. */
function Clock({ since, name }: { since: string | undefined; name: string | undefined }) {
  const secs = useSecsSince(since);
  return (
    <p class="watch-clock" role="timer" aria-label={name}>
      {clockText(secs)}
    </p>
  );
}
