import type { Recording } from '../../../client.ts';
import { IconButton } from '../../ui/button.tsx';
import { WorkTypeMark } from '../../ui/work-type.tsx';
import { ClockFace } from '../../recorder/clock-face.tsx';
import { stageSteps } from '../../recorder/next-step.ts';
import { stageTimeOf, type MedianSecsByStage, type RecordedMap } from '../../recorder/recorded-map.ts';
import { secsOfEndedSteps, useClockSecs } from '../../recorder/use-clock.ts';
import { clockText } from '../../text/format.ts';
import { TimeText } from '../../ui/time-text.tsx';
import { phoneTexts } from '../../text/phone.ts';
import { texts } from '../../text/texts.ts';
import type { OnDemandModule } from '../use-on-demand.tsx';

interface CurrentStepProps {
  recording: Recording;
  map: RecordedMap | undefined;
  medians: MedianSecsByStage | undefined;
  onDemand: OnDemandModule | undefined;
  onEdit(): void;
}

export function CurrentStep({ recording, map, medians, onDemand, onEdit }: CurrentStepProps) {
  const { steps, clock, paused_at } = recording;
  const step = steps.at(-1);
  if (!step) return <h2 class="recorder-now">{texts.record.firstStepHint}</h2>;
  const time = map && stageTimeOf(step.stage_name, map, medians);
  return (
    <section class="recorder-now" aria-label={phoneTexts.recorder.now}>
      <p class="soft small">
        {paused_at === null ? phoneTexts.recorder.now : <strong class="recorder-paused">{texts.record.paused}</strong>}{' '}
        · {phoneTexts.recorder.position(stageSteps(steps).length, map?.stages.length ?? 0)} ·{' '}
        <TotalTime recording={recording} />
      </p>
      <div class="recorder-heading">
        <h2>
          <WorkTypeMark type={step.work_type} /> <bdi>{step.stage_name}</bdi>
        </h2>
        {onDemand && <onDemand.TakePhotoButton recording={recording} />}
        <IconButton icon="note" label={texts.record.edit(step.stage_name)} onClick={onEdit} />
      </div>
      <p class="recorder-clock">
        <ClockFace clock={clock} label={step.stage_name} tenths />
        {time && (
          <small class="soft">
            <TimeText>{phoneTexts.recorder[time.kind](clockText(time.secs))}</TimeText>
          </small>
        )}
      </p>
      {onDemand && <onDemand.CurrentPhotos recording={recording} />}
      {step.notes && (
        <p class="recorder-note small" dir="auto">
          {step.notes}
        </p>
      )}
    </section>
  );
}

function TotalTime({ recording }: { recording: Recording }) {
  const secs = useClockSecs(recording.clock);
  return <TimeText>{phoneTexts.recorder.total(clockText(secsOfEndedSteps(recording) + secs))}</TimeText>;
}
