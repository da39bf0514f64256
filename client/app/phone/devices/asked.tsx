/** What the server is asked to do at once: that it takes a while, and why it was not done. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../../ui/button.tsx';
import { useGemba, useValue } from '../../shell/engine.tsx';
import { troubleOf } from '../../pairing/trouble.ts';
import { deviceTexts } from '../../text/phone-devices.ts';

export function useAsked() {
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<string>();
  const ask = async <Answer,>(question: Promise<Answer>, then: (answer: Answer) => void): Promise<void> => {
    setBusy(true);
    try {
      const answer = await question;
      setTrouble(undefined);
      then(answer);
    } catch (error) {
      setTrouble(troubleOf(error));
    } finally {
      setBusy(false);
    }
  };
  return { busy, trouble, ask };
}

/** Asks the server as the screen opens, and asks again once the server is back. */
export function useAnswer<Answer>(question: () => Promise<Answer>) {
  const { busy, trouble, ask } = useAsked();
  const [answer, setAnswer] = useState<Answer>();
  const status = useValue(useGemba().status$);
  const syncedAt = status?.last_synced_at;
  const syncedAtAsked = useRef(syncedAt);
  const load = () => {
    syncedAtAsked.current = syncedAt;
    void ask(question(), setAnswer);
  };
  useEffect(load, [status?.phase === 'offline']);
  useEffect(() => {
    // The server came between this question and the sync that began with it.
    if (trouble && syncedAt !== syncedAtAsked.current) load();
  }, [trouble, syncedAt]);
  return { answer, busy, trouble, load };
}

/** Seen from half a second on. */
export function Asking({ busy }: { busy: boolean }) {
  return (
    <p class={busy ? 'asking soft' : 'heard'} role="status">
      {busy && deviceTexts.asking}
    </p>
  );
}

export function Trouble({ text, onAgain }: { text: string | undefined; onAgain(): void }) {
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
