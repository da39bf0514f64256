import { openGemba, type Recording } from 'gemba';
import { GembaProvider, useAttention, useGemba, useMap, useMaps, useRecording, useStatus } from 'gemba/react';
import { StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';

// One engine serves the whole page. It opens without a network, and the worker `sw.js` opens the page without one, too.
const engine = await openGemba({ name: 'recorder', url: location.origin });
navigator.serviceWorker?.register('/sw.js').catch(() => undefined);

/** A verb that rejects has changed nothing, and its message is for people. */
const tell = (verb: Promise<unknown>) => verb.catch((error: Error) => alert(error.message));

function App() {
  const recording = useRecording();
  return (
    <>
      <Sync />
      {recording ? <Recorder recording={recording} /> : <Maps />}
    </>
  );
}

function Sync() {
  const gemba = useGemba();
  const status = useStatus();
  const attention = useAttention() ?? [];
  const pair = (code: string) => gemba.pair(code, 'Recorder');
  // The link that the server prints opens this page with the code behind the `#`.
  if (status?.error?.code === 'unauthorized')
    return <Ask label="Pairing code" button="Pair" first={location.hash.slice(1)} onAnswer={pair} />;
  const unsent = status?.pending === 0 ? 'all sent' : `${status?.pending} to send`;
  return (
    <>
      <p role="status">{`${status?.phase}, ${unsent}`}</p>
      {status?.error && <p>{status.error.detail}</p>}
      {attention.map(({ seq, message }) => (
        <p key={seq}>{message}</p>
      ))}
    </>
  );
}

function Maps() {
  const gemba = useGemba();
  return (
    <>
      <h1>Which process?</h1>
      <div className="laps">
        {useMaps()?.map(({ id, name, pending }) => (
          <button key={id} onClick={() => tell(gemba.startRecording({ mapId: id }))}>
            {pending ? `${name} (not sent)` : name}
          </button>
        ))}
      </div>
      <Ask label="New process" button="Record" onAnswer={(name) => gemba.startRecording({ newMap: { name } })} />
    </>
  );
}

function Recorder({ recording }: { recording: Recording }) {
  const stages = useMap(recording.map_id)?.stages ?? [];
  const lap = (stage_name: string) => recording.step({ stage_name });
  return (
    <>
      <h1>Recording</h1>
      <div className="laps">
        {stages.map(({ id, stage }) => (
          <button key={id} onClick={() => tell(lap(stage))}>
            {stage}
          </button>
        ))}
      </div>
      <Ask label="Other stage" button="Begin" onAnswer={lap} />
      <ol>
        {recording.steps.map(({ stage_name, duration_secs, started_at }) => (
          <li key={started_at}>{`${stage_name}: ${duration_secs?.toFixed(1) ?? '…'} s`}</li>
        ))}
      </ol>
      <button onClick={() => tell(recording.finish({ stages: 'merge' }))}>Finish</button>
      <button onClick={() => tell(recording.undo())}>Undo</button>
      <button onClick={() => tell(recording.discard())}>Discard</button>
    </>
  );
}

type AskProps = { label: string; button: string; first?: string; onAnswer: (text: string) => Promise<unknown> };

function Ask({ label, button, first = '', onAnswer }: AskProps) {
  const [text, setText] = useState(first);
  const answer = () => void tell(onAnswer(text).then(() => setText((now) => (now === text ? '' : now))));
  return (
    <form action={answer}>
      <input aria-label={label} placeholder={label} value={text} onChange={({ target }) => setText(target.value)} />
      <button>{button}</button>
    </form>
  );
}

const app = <GembaProvider gemba={engine} children={<App />} />;
createRoot(document.getElementById('app')!).render(<StrictMode>{app}</StrictMode>);
