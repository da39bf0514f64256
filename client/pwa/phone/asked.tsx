/** What the server is asked to do at once: that it takes a while, and why it was not done. */
import { useState } from 'preact/hooks';
import { Button } from '../components/button.tsx';
import { troubleOf } from '../pairing/trouble.ts';
import { words } from './words.ts';

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

/** Seen from half a second on. */
export function Asking({ busy }: { busy: boolean }) {
  return (
    <p class={busy ? 'asking soft' : 'heard'} role="status">
      {busy && words.devices.asking}
    </p>
  );
}

export function Trouble({ text, onAgain }: { text: string | undefined; onAgain(): void }) {
  if (!text) return null;
  return (
    <div class="card stack" role="alert">
      <p>{text}</p>
      <Button icon="sync" onClick={onAgain}>
        {words.devices.again}
      </Button>
    </div>
  );
}
