/** The watch: one thing at a time, and where the work is always in sight. */
import './watch.css';
import type { Recording } from '../../client.ts';
import { Button } from '../components/button.tsx';
import { StatusPill } from '../components/status-pill.tsx';
import { toast } from '../components/toast.tsx';
import { useGemba, useValue, useValueOf } from '../engine.tsx';
import { clock, texts } from '../texts.ts';
import { useSecsSince } from '../time.ts';

export function Watch() {
  const recording = useValue(useGemba().recording$);
  return (
    <main class="watch" id="content">
      <StatusPill />
      {recording === null && <Start />}
      {recording && <UnderWay recording={recording} />}
    </main>
  );
}

function Start() {
  const gemba = useGemba();
  const maps = useValue(gemba.maps$);
  return (
    <>
      <h1>{texts.record.title}</h1>
      <ul class="watch-maps" role="list">
        {maps?.map(({ id, name }) => (
          <li key={id}>
            <Button wide onClick={() => gemba.startRecording({ mapId: id })}>
              {name}
            </Button>
          </li>
        ))}
        <li>
          <Button
            look="primary"
            icon="plus"
            wide
            onClick={() => gemba.startRecording({ newMap: { name: texts.record.newMap } })}
          >
            {texts.record.newMap}
          </Button>
        </li>
      </ul>
    </>
  );
}

function UnderWay({ recording }: { recording: Recording }) {
  const gemba = useGemba();
  const map = useValueOf(() => gemba.map$(recording.map_id), [gemba, recording.map_id]);
  const { steps } = recording;
  const step = steps.at(-1);
  const secs = useSecsSince(step?.started_at);
  const next = map?.stages[steps.length];
  const tap = () =>
    recording.step({
      stage_name: next?.stage ?? texts.record.step(steps.length + 1),
      ...(next ? { work_type: next.work_type } : {}),
    });
  const finish = async () => {
    await recording.finish();
    toast({ text: texts.record.finished });
  };
  return (
    <>
      <h1 class="watch-step">{step?.stage_name ?? texts.record.first}</h1>
      <p class="watch-clock" role="timer">
        {clock(secs)}
      </p>
      <Button look="primary" wide onClick={tap}>
        {next?.stage ?? (step ? texts.record.next : texts.record.begin)}
      </Button>
      <div class="watch-ways">
        <Button icon="undo" disabled={!step} onClick={() => recording.undo()} aria-label={texts.record.undo}>
          {''}
        </Button>
        <Button icon="check" disabled={!step} onClick={finish} aria-label={texts.record.finish}>
          {''}
        </Button>
      </div>
    </>
  );
}
