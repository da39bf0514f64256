import { useState } from 'preact/hooks';
import type { Recording } from '../../../client.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Screen } from '../../ui/screen.tsx';
import { toast } from '../../ui/toast.tsx';
import { useGemba, useValue, useValueOf } from '../../shell/engine.tsx';
import { Link, navigate } from '../../shell/router.tsx';
import { clockText } from '../../text/format.ts';
import { texts } from '../../text/texts.ts';
import { useSecsSince } from '../../shell/time.ts';

export function RecordScreen() {
  const recording = useValue(useGemba().recording$);
  if (recording === undefined) return <Screen title={texts.record.title}>{null}</Screen>;
  if (recording) return <Recorder recording={recording} />;
  return (
    <Screen title={texts.record.title}>
      <EmptyState title={texts.record.nothing} text={texts.record.choose}>
        <Link href="/" class="button button-primary">
          {texts.maps.title}
        </Link>
      </EmptyState>
    </Screen>
  );
}

function Recorder({ recording }: { recording: Recording }) {
  const gemba = useGemba();
  const [isFinishing, setFinishing] = useState(false);
  const map = useValueOf(() => gemba.map$(recording.map_id), [gemba, recording.map_id]);
  const { steps } = recording;
  const step = steps.at(-1);
  const secs = useSecsSince(step?.started_at);
  const next = map?.stages[steps.length];

  const startStep = async () => {
    const stage_name = next?.stage ?? texts.record.step(steps.length + 1);
    await recording.step({ stage_name, ...(next ? { work_type: next.work_type } : {}) });
  };
  const finish = async () => {
    setFinishing(true);
    const { map_id } = await recording.finish();
    toast({ text: texts.record.finished });
    navigate(`/maps/${map_id}`, { replace: true });
  };
  const discard = async () => {
    await recording.discard();
    toast({
      text: texts.record.discarded,
      undo: () => void gemba.restoreRecording(recording.recording_session_id),
    });
  };

  return (
    <Screen title={map?.name ?? recording.new_map_name ?? texts.record.title}>
      <div class="recorder">
        <p class="recorder-clock" role="timer" aria-label={step?.stage_name ?? texts.record.firstStepHint}>
          {clockText(secs)}
        </p>
        <h2>{step?.stage_name ?? texts.record.firstStepHint}</h2>
        <Button look="primary" wide class="recorder-next" onClick={startStep}>
          {next?.stage ?? (step ? texts.record.nextStep : texts.record.firstStep)}
        </Button>
        <div class="recorder-actions">
          <Button icon="undo" disabled={!step} onClick={() => recording.undo()}>
            {texts.record.undo}
          </Button>
          <Button icon="check" disabled={!step || isFinishing} onClick={finish}>
            {texts.record.finish}
          </Button>
          <Button look="quiet" wide onClick={discard}>
            {texts.record.discard}
          </Button>
        </div>
      </div>
    </Screen>
  );
}
