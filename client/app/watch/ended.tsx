/** The watch's screen after a recording: sums up a finished recording, or offers to resume a discarded recording. */
import { useEffect, useState } from 'preact/hooks';
import type { Recorded, Recording, StagesMode } from '../../client.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { showToast, undoShownMs } from '../ui/toast.tsx';
import { WorkTypeMark } from '../ui/work-type.tsx';
import { useGemba, useValueOf } from '../shell/engine.tsx';
import { clockText } from '../text/format.ts';
import { texts } from '../text/texts.ts';
import { TimeText } from '../ui/time-text.tsx';
import { WatchFrame } from './frame.tsx';
import { deviceOnlyCustody, shownCustody$, type ShownCustody } from './hand-over/shown-custody.ts';
import { RoundButton } from './round-button.tsx';
import { runWithVibration } from '../recorder/run-with-vibration.ts';
import { watchTexts } from '../text/watch.ts';

export type EndedRecording =
  | { kind: 'finished'; recording: Recording; endedAt: string; stages: StagesMode }
  | { kind: 'discarded'; recorded: Recorded };

interface EndedScreenProps {
  ended: EndedRecording;
  onDone(): void;
}

export const EndedScreen = ({ ended, onDone }: EndedScreenProps) =>
  ended.kind === 'finished' ? (
    <FinishedScreen ended={ended} onDone={onDone} />
  ) : (
    <DiscardedScreen recorded={ended.recorded} onDone={onDone} />
  );

interface FinishedScreenProps {
  ended: Extract<EndedRecording, { kind: 'finished' }>;
  onDone(): void;
}

function FinishedScreen({ ended: { recording, endedAt, stages }, onDone }: FinishedScreenProps) {
  const { recording_session_id, steps, new_map_name } = recording;
  const gemba = useGemba();
  const custody =
    useValueOf(() => shownCustody$(gemba, recording_session_id), [gemba, recording_session_id]) ?? deviceOnlyCustody;
  const [canUndo, setCanUndo] = useState(true);
  useEffect(() => {
    const timer = setTimeout(() => setCanUndo(false), undoShownMs);
    return () => clearTimeout(timer);
  }, []);
  const undo = async () => {
    if (await runWithVibration(() => recording.unfinish())) showToast({ text: watchTexts.continued });
  };
  // A second `finish` without `undoMs` ends the time for Undo and moves the recording into the outbox at once.
  const done = () => {
    onDone();
    if (canUndo) void runWithVibration(() => recording.finish());
  };
  const stepSecs = secsOfSteps(recording, endedAt);
  return (
    <WatchFrame class="watch-list watch-ended">
      <h1>
        <TimeText>
          {watchTexts.stepsAndTime(steps.length, clockText(stepSecs.reduce((sum, secs) => sum + secs, 0)))}
        </TimeText>
      </h1>
      <p class={`watch-custody watch-custody-${custody.place}`} role="status" aria-label={texts.record.finish}>
        <Icon name={custody.place === 'server' ? 'cloud' : 'device'} size={16} />
        <span>{canUndo && new_map_name === null ? watchTexts.stages[stages] : custodyText(custody)}</span>
      </p>
      <ol class="watch-summary" role="list" aria-label={watchTexts.steps}>
        {steps.map(({ stage_name, work_type, started_at }, index) => (
          <li key={started_at + String(index)}>
            <WorkTypeMark type={work_type} />
            <span class="watch-summary-name" dir="auto">
              {stage_name}
            </span>
            <span>
              <TimeText>{clockText(stepSecs[index] ?? 0)}</TimeText>
            </span>
          </li>
        ))}
      </ol>
      <div class="watch-bottom">
        {canUndo && <RoundButton icon="undo" label={texts.undo} onClick={undo} />}
        <RoundButton icon="check" look="primary" label={watchTexts.done} onClick={done} />
      </div>
    </WatchFrame>
  );
}

function custodyText({ place, phones }: ShownCustody): string {
  return place === 'phone' ? watchTexts.handed(phones) : watchTexts.custody[place];
}

/** Returns the seconds of each step, without pauses. The last step ended at `endedAt`. */
function secsOfSteps({ steps, clock }: Recorded, endedAt: string): number[] {
  const runningSecs = clock.since === null ? 0 : (Date.parse(endedAt) - Date.parse(clock.since)) / 1_000;
  return steps.map(({ duration_secs }) => duration_secs ?? Math.max(0, clock.secs + runningSecs));
}

function DiscardedScreen({
  recorded: { recording_session_id, steps },
  onDone,
}: {
  recorded: Recorded;
  onDone(): void;
}) {
  const gemba = useGemba();
  return (
    <WatchFrame class="watch-question">
      <h1>{watchTexts.discarded}</h1>
      {steps.length > 0 && (
        <Button wide icon="undo" onClick={() => runWithVibration(() => gemba.restoreRecording(recording_session_id))}>
          {watchTexts.resume}
        </Button>
      )}
      <RoundButton icon="check" look="primary" label={watchTexts.done} onClick={onDone} />
    </WatchFrame>
  );
}
