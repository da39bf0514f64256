/**
 * Shows the active recording on one screen that never scrolls: the clock at the top, the next step in the middle. The
 * lower arc has the work types on the left, and undo, more and finish on the right.
 */
import { useState } from 'preact/hooks';
import type { Recording } from '../../client.ts';
import { WorkTypeMark, workTypes } from '../ui/work-type.tsx';
import { useGemba, useValueOf } from '../shell/engine.tsx';
import { clockText } from '../text/format.ts';
import { texts, type WorkType } from '../text/texts.ts';
import { useSecsSince } from '../shell/time.ts';
import type { EndedRecording } from './ended.tsx';
import { WatchFrame } from './frame.tsx';
import { runWithVibration } from './run-with-vibration.ts';
import { MoreScreen } from './more.tsx';
import { nextStep, stepSuggestions, type NextStep } from './next-step.ts';
import { RoundButton } from './round-button.tsx';
import { useWakeLock } from './use-wake-lock.ts';
import { watchTexts } from '../text/watch.ts';

interface RecordingScreenProps {
  recording: Recording;
  onEnded(ended: EndedRecording | undefined): void;
}

export function RecordingScreen({ recording, onEnded }: RecordingScreenProps) {
  const gemba = useGemba();
  const map = useValueOf(() => gemba.map$(recording.map_id), [gemba, recording.map_id]);
  const [isMoreOpen, setMoreOpen] = useState(false);
  const [chosenType, setChosenType] = useState<WorkType>();
  useWakeLock();
  const { steps } = recording;
  const step = steps.at(-1);
  const stages = map?.stages ?? [];
  const suggested = nextStep(stages, steps);
  const workType = chosenType ?? suggested?.work_type ?? 'incidental';

  const startStep = (next: NextStep) =>
    runWithVibration(async () => {
      await recording.step(next);
      setChosenType(undefined);
      setMoreOpen(false);
    });
  const end = async (ended: EndedRecording, verb: () => Promise<unknown>) => {
    // Sets the end screen first, since the recording is gone before the verb returns.
    onEnded(ended);
    if (!(await runWithVibration(verb))) onEnded(undefined);
  };
  const finish = () =>
    end({ kind: 'finished', recorded: recording, endedAt: new Date().toISOString() }, () => recording.finish());
  const discard = () => end({ kind: 'discarded', recorded: recording }, () => recording.discard());

  if (isMoreOpen) {
    const names = stepSuggestions(stages, steps);
    return (
      <MoreScreen
        recording={recording}
        names={names}
        onName={(stage_name, type) => startStep({ stage_name, work_type: chosenType ?? type ?? 'incidental' })}
        onDiscard={discard}
        onBack={() => setMoreOpen(false)}
      />
    );
  }
  const stage_name = suggested?.stage_name ?? texts.record.step(steps.length + 1);
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
        onClick={() => startStep({ stage_name, work_type: workType })}
      >
        <span>{suggested?.stage_name ?? (step ? texts.record.nextStep : texts.record.firstStep)}</span>
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
      <RoundButton icon="check" label={texts.record.finish} disabled={!step} onClick={finish} />
    </WatchFrame>
  );
}

/** Separate from the screen, so that each second renders only the clock. */
function Clock({ since, name }: { since: string | undefined; name: string | undefined }) {
  const secs = useSecsSince(since);
  return (
    <p class="watch-clock" role="timer" aria-label={name}>
      {clockText(secs)}
    </p>
  );
}
