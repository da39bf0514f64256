/** Hooks for requests that need the server, and the notices of a request that takes long or has failed. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../../ui/button.tsx';
import { useGemba, useValue } from '../../shell/engine.tsx';
import { failureText } from '../../pairing/failure-text.ts';
import { deviceTexts } from '../../text/phone-on-demand.ts';

export function useServerRequest() {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const run = async <Result,>(request: Promise<Result>, onResult: (result: Result) => void): Promise<void> => {
    setBusy(true);
    try {
      const result = await request;
      setFailure(undefined);
      onResult(result);
    } catch (error) {
      setFailure(failureText(error));
    } finally {
      setBusy(false);
    }
  };
  return { busy, failure, run };
}

/** Requests data when the screen opens, and again when the device goes offline or comes online. */
export function useServerData<Data>(request: () => Promise<Data>) {
  const { busy, failure, run } = useServerRequest();
  const [data, setData] = useState<Data>();
  const status = useValue(useGemba().status$);
  const syncedAt = status?.last_synced_at;
  const syncedAtRequest = useRef(syncedAt);
  const load = () => {
    syncedAtRequest.current = syncedAt;
    void run(request(), setData);
  };
  useEffect(load, [status?.phase === 'offline']);
  useEffect(() => {
    // A sync has succeeded after the failed request, so the server can be reached again.
    if (failure && syncedAt !== syncedAtRequest.current) load();
  }, [failure, syncedAt]);
  return { data, busy, failure, load };
}

/** Says that a request waits for the server. CSS hides it for half a second, so that a fast reply causes no flicker. */
export function WaitingNotice({ busy }: { busy: boolean }) {
  return (
    <p class={busy ? 'waiting-notice soft' : 'visually-hidden'} role="status">
      {busy && deviceTexts.waiting}
    </p>
  );
}

export function FailureCard({ text, onAgain }: { text: string | undefined; onAgain(): void }) {
  if (!text) return null;
  return (
    <div class="card stack" role="alert">
      <p>{text}</p>
      <Button icon="sync" onClick={onAgain}>
        {deviceTexts.again}
      </Button>
    </div>
  );
}
