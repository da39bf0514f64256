/**
 * Shows the active recording without scrolling: the clock at the top, the next step in the middle. The lower arc has
 * the work types on the left, and undo, more and finish on the right.
 */
import { useEffect, useState } from 'preact/hooks';
import type { StagesMode } from '../../../shared/schema/recording.ts';
import type { Recording } from '../../client.ts';
import { WorkTypeMark, workTypes } from '../ui/work-type.tsx';
import { texts } from '../text/texts.ts';
import { showToast } from '../ui/toast.tsx';
import type { EndedRecording } from './ended.tsx';
import { WatchFrame } from './frame.tsx';
import { ClockFace } from '../recorder/clock-face.tsx';
import { undoAcceptedMs, stagesModeOf } from '../recorder/finish-mode.ts';
import { runWithVibration } from '../recorder/run-with-vibration.ts';
import { MoreScreen } from './more.tsx';
import { interruptedStep, stepSuggestions } from '../recorder/next-step.ts';
import { undoWithToast } from '../recorder/undo-with-toast.ts';
import { useRecorder } from '../recorder/use-recorder.ts';
import { useWakeLock } from '../recorder/use-wake-lock.ts';
import { HoldButton } from './hold-button.tsx';
import { RoundButton } from './round-button.tsx';
import { StagesQuestion } from './stages-question.tsx';
import { watchTexts } from '../text/watch.ts';

interface RecordingScreenProps {
  recording: Recording;
  onEnded(ended: EndedRecording | undefined): void;
}

export function RecordingScreen({ recording, onEnded }: RecordingScreenProps) {
  const [isMoreOpen, setMoreOpen] = useState(false);
  const [isAsking, setAsking] = useState(false);
  useWakeLock();
  const { steps, paused_at } = recording;
  const step = steps.at(-1);
  const recorder = useRecorder(recording, {
    onStarted: () => setMoreOpen(false),
    onCycle: (mode) => showToast({ text: watchTexts.stages[mode] }),
  });
  const { map, stages, upcoming, isUpcomingNamed } = recorder;
  const workType = recorder.chosenType ?? upcoming.step.work_type;

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
    return (
      <MoreScreen
        recording={recording}
        recorder={recorder}
        names={stepSuggestions(stages, steps)}
        onDiscard={discard}
        onBack={() => setMoreOpen(false)}
      />
    );
  }
  if (isAsking && map) {
    return <StagesQuestion map={map} recording={recording} onMode={finish} onBack={() => setAsking(false)} />;
  }
  return (
    <WatchFrame class="watch-recording" stepCount={steps.length}>
      <Clock recording={recording} />
      <h1 class="watch-step">
        {step && <WorkTypeMark type={step.work_type} />}
        <span>{step?.stage_name ?? map?.name ?? recording.new_map_name ?? texts.record.title}</span>
      </h1>
      {paused_at === null ? (
        <button
          type="button"
          class={`watch-next watch-next-${workType}`}
          aria-label={isUpcomingNamed ? nextButtonName(recording, recorder) : undefined}
          onClick={recorder.startNext}
        >
          {upcoming.nextCycle && <small>{texts.record.nextCycle}</small>}
          <span>
            {isUpcomingNamed ? upcoming.step.stage_name : step ? texts.record.nextStep : texts.record.firstStep}
          </span>
        </button>
      ) : (
        <button type="button" class="watch-next watch-resume" onClick={() => runWithVibration(recording.resume)}>
          <small>{texts.record.paused}</small>
          <span>{texts.record.resume}</span>
        </button>
      )}
      <div class="watch-types" role="group" aria-label={watchTexts.type}>
        {workTypes.map((type) => (
          <button
            key={type}
            type="button"
            class={`button watch-round watch-type watch-type-${type}`}
            aria-label={texts.workTypes[type]}
            aria-pressed={type === workType}
            onClick={() => recorder.setChosenType(type)}
          >
            <WorkTypeMark type={type} />
          </button>
        ))}
      </div>
      <RoundButton icon="undo" label={texts.record.undo} disabled={!step} onClick={() => undoWithToast(recording)} />
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

/** Shows tenths of a second only for a while after a touch. Otherwise, the watch needs to wake only once a second. */
function Clock({ recording: { clock, steps } }: { recording: Recording }) {
  const tenths = useRecentTouch();
  return (
    <ClockFace class="watch-clock" clock={clock} label={steps.at(-1)?.stage_name} tenths={tenths && steps.length > 0} />
  );
}

function nextButtonName(
  { steps }: Recording,
  { upcoming: { step, nextCycle } }: ReturnType<typeof useRecorder>,
): string {
  const { backToNamed, nextCycleNamed, nextNamed } = texts.record;
  const say = nextCycle ? nextCycleNamed : interruptedStep(steps) ? backToNamed : nextNamed;
  return say(step.stage_name);
}

const recentTouchMs = 10_000;

/** Returns true for 10 s after each touch of the screen, and after the screen appears. */
function useRecentTouch(): boolean {
  const [isRecent, setRecent] = useState(true);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const touch = () => {
      clearTimeout(timer);
      setRecent(true);
      timer = setTimeout(() => setRecent(false), recentTouchMs);
    };
    touch();
    for (const kind of ['pointerdown', 'keydown']) document.addEventListener(kind, touch);
    return () => {
      clearTimeout(timer);
      for (const kind of ['pointerdown', 'keydown']) document.removeEventListener(kind, touch);
    };
  }, []);
  return isRecent;
}
