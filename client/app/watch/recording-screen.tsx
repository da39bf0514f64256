/**
 * Shows the active recording without scrolling: the step under way at the top, the next step in the middle, and six
 * buttons on the lower arc.
 */
import { useState } from 'preact/hooks';
import type { Recording, StagesMode } from '../../client.ts';
import { texts } from '../text/texts.ts';
import { showToast } from '../ui/toast.tsx';
import type { EndedRecording } from './ended.tsx';
import { WatchFrame } from './frame.tsx';
import { undoAcceptedMs, stagesModeOf } from '../recorder/finish-mode.ts';
import { runWithVibration } from '../recorder/run-with-vibration.ts';
import { MoreScreen } from './more.tsx';
import { stepSuggestions } from '../recorder/step-suggestions.ts';
import { undoWithToast } from '../recorder/undo-with-toast.ts';
import { useRecorder } from '../recorder/use-recorder.ts';
import { useWakeLock } from '../recorder/use-wake-lock.ts';
import { HoldButton } from './hold-button.tsx';
import { NextButton } from './next-button.tsx';
import { NowStep } from './now-step.tsx';
import { RoundButton } from './round-button.tsx';
import { StagesQuestion } from './stages-question.tsx';
import { TypeButton } from './type-button.tsx';
import { watchTexts } from '../text/watch.ts';

interface RecordingScreenProps {
  recording: Recording;
  onEnded(ended: EndedRecording | undefined): void;
}

export function RecordingScreen({ recording, onEnded }: RecordingScreenProps) {
  const [isMoreOpen, setMoreOpen] = useState(false);
  const [isAsking, setAsking] = useState(false);
  useWakeLock();
  const { steps } = recording;
  const step = steps.at(-1);
  const recorder = useRecorder(recording, {
    onStarted: () => {
      setMoreOpen(false);
      // An old message would cover the name and the clock of the new step.
      showToast(null);
    },
    onCycle: (mode) => showToast({ text: watchTexts.stages[mode] }),
  });
  const { map, stages } = recorder;

  const end = async (ended: EndedRecording, verb: () => Promise<unknown>) => {
    // Shows the end screen first, since the recording is gone before the verb resolves.
    onEnded(ended);
    showToast(null);
    if (!(await runWithVibration(verb))) onEnded(undefined);
  };
  const finish = (mode: StagesMode) => {
    const endedAt = new Date().toISOString();
    return end({ kind: 'finished', recording, endedAt, stages: mode }, () =>
      recording.finish({ stages: mode, undoMs: undoAcceptedMs }),
    );
  };
  const finishOrAsk = () => {
    showToast(null);
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
      <NowStep recording={recording} recorder={recorder} />
      <NextButton recording={recording} recorder={recorder} />
      <TypeButton
        type={recorder.chosenType ?? recorder.upcoming.step.work_type}
        onType={(type) => recorder.setChosenType(type)}
      />
      <RoundButton icon="repeat" label={texts.record.nextCycle} disabled={!step} onClick={recorder.startCycle} />
      <RoundButton
        icon="interruption"
        label={texts.record.interruption}
        disabled={!step || step.interruption}
        onClick={recorder.interrupt}
      />
      <RoundButton
        icon="undo"
        label={texts.record.undo}
        disabled={!step}
        onClick={() => undoWithToast(recording, watchTexts.undone)}
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
