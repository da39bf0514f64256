/**
 * Recording, on one screen without scrolling, whatever its shape: the clock above, the next step in the middle, and on
 * the lower arc what is done now and then: on the left the work type, on the right undo, more and finish.
 */
import { useState } from 'preact/hooks';
import type { Recording } from '../../client.ts';
import { WorkTypeMark, workTypes } from '../ui/work-type.tsx';
import { useGemba, useValueOf } from '../shell/engine.tsx';
import { clock } from '../text/format.ts';
import { texts, type WorkType } from '../text/texts.ts';
import { useSecsSince } from '../shell/time.ts';
import { useAwake } from './awake.ts';
import type { Ended } from './ended.tsx';
import { WatchFace } from './face.tsx';
import { More } from './more.tsx';
import { namedSteps, nextStep, type NextStep } from './next-step.ts';
import { RoundButton } from './round-button.tsx';
import { tap } from './tap.ts';
import { watchTexts } from '../text/watch.ts';

interface UnderWayProps {
  recording: Recording;
  onEnded(ended: Ended | undefined): void;
}

export function UnderWay({ recording, onEnded }: UnderWayProps) {
  const gemba = useGemba();
  const map = useValueOf(() => gemba.map$(recording.map_id), [gemba, recording.map_id]);
  const [more, setMore] = useState(false);
  const [chosen, setChosen] = useState<WorkType>();
  useAwake();
  const { steps } = recording;
  const step = steps.at(-1);
  const stages = map?.stages ?? [];
  const known = nextStep(stages, steps);
  const workType = chosen ?? known?.work_type ?? 'incidental';

  const begin = (next: NextStep) =>
    tap(async () => {
      await recording.step(next);
      setChosen(undefined);
      setMore(false);
    });
  const end = async (ended: Ended, verb: () => Promise<unknown>) => {
    // Beforehand, so that no other screen comes in between.
    onEnded(ended);
    if (!(await tap(verb))) onEnded(undefined);
  };
  const finish = () =>
    end({ kind: 'finished', recorded: recording, endedAt: new Date().toISOString() }, () => recording.finish());
  const giveUp = () => end({ kind: 'given-up', recorded: recording }, () => recording.discard());

  if (more) {
    const names = namedSteps(stages, steps);
    return (
      <More
        recording={recording}
        names={names}
        onName={(stage_name, type) => begin({ stage_name, work_type: chosen ?? type ?? 'incidental' })}
        onGiveUp={giveUp}
        onBack={() => setMore(false)}
      />
    );
  }
  const stage_name = known?.stage_name ?? texts.record.step(steps.length + 1);
  return (
    <WatchFace class="watch-take" stepsHere={steps.length}>
      <Clock since={step?.started_at} name={step?.stage_name} />
      <h1 class="watch-step">
        {step && <WorkTypeMark type={step.work_type} />}
        <span>{step?.stage_name ?? map?.name ?? recording.new_map_name ?? texts.record.title}</span>
      </h1>
      <button
        type="button"
        class={`watch-next watch-next-${workType}`}
        onClick={() => begin({ stage_name, work_type: workType })}
      >
        <span>{known?.stage_name ?? (step ? texts.record.next : texts.record.begin)}</span>
      </button>
      <div class="watch-types" role="group" aria-label={watchTexts.type}>
        {workTypes.map((type) => (
          <button
            key={type}
            type="button"
            class={`button watch-round watch-type watch-type-${type}`}
            aria-label={texts.workTypes[type]}
            aria-pressed={type === workType}
            onClick={() => setChosen(type)}
          >
            <WorkTypeMark type={type} />
          </button>
        ))}
      </div>
      <RoundButton icon="undo" label={texts.record.undo} disabled={!step} onClick={() => tap(() => recording.undo())} />
      <RoundButton icon="more" label={watchTexts.more} onClick={() => setMore(true)} />
      <RoundButton icon="check" label={texts.record.finish} disabled={!step} onClick={finish} />
    </WatchFace>
  );
}

/** By itself, so that a second costs no more than its figure. */
function Clock({ since, name }: { since: string | undefined; name: string | undefined }) {
  const secs = useSecsSince(since);
  return (
    <p class="watch-clock" role="timer" aria-label={name}>
      {clock(secs)}
    </p>
  );
}
