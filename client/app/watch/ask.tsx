/** One line of text, said or typed: the keyboard of the system has the microphone. */
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { texts } from '../text/texts.ts';
import { WatchFace } from './face.tsx';
import { RoundButton } from './round-button.tsx';
import { watchTexts } from '../text/watch.ts';

interface AskProps {
  label: string;
  lengthMax: number;
  stepsHere: number;
  onText(text: string): Promise<boolean>;
  onCancel(): void;
}

export function Ask({ label, lengthMax, stepsHere, onText, onCancel }: AskProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const given = text.trim();
  // While the tap that led here still counts as one: only then a keyboard opens by itself.
  useLayoutEffect(() => input.current?.focus(), []);
  const submit = (event: Event) => {
    event.preventDefault();
    if (given !== '') void onText(given);
  };
  return (
    <WatchFace class="watch-ask" stepsHere={stepsHere}>
      <h1>
        <label for={id}>{label}</label>
      </h1>
      <form onSubmit={submit}>
        <input
          id={id}
          ref={input}
          value={text}
          maxLength={lengthMax}
          enterkeyhint="done"
          autocomplete="off"
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <div class="watch-ways">
          <RoundButton icon="back" label={texts.back} onClick={onCancel} />
          <RoundButton icon="check" look="primary" label={watchTexts.done} type="submit" disabled={given === ''} />
        </div>
      </form>
    </WatchFace>
  );
}
