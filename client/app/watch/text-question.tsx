import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { texts } from '../text/texts.ts';
import { WatchFrame } from './frame.tsx';
import { RoundButton } from './round-button.tsx';
import { watchTexts } from '../text/watch.ts';

interface TextQuestionProps {
  label: string;
  lengthMax: number;
  initial?: string;
  /** The number of steps in the active recording. The status counts these steps as unsent. */
  stepCount: number;
  onText(text: string): Promise<boolean>;
  onCancel(): void;
}

export function TextQuestion({ label, lengthMax, initial = '', stepCount, onText, onCancel }: TextQuestionProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(initial);
  const trimmed = text.trim();
  // A browser opens the keyboard only during a tap. A layout effect still runs within the tap.
  useLayoutEffect(() => {
    // Select the old text, so that typing replaces it, and show its beginning.
    // Focus the field first: only Chromium focuses a field when its text is selected.
    input.current?.focus();
    input.current?.select();
    input.current?.scrollTo(0, 0);
  }, []);
  const submit = (event: Event) => {
    event.preventDefault();
    if (trimmed !== '') void onText(trimmed);
  };
  return (
    <WatchFrame class="watch-question" stepCount={stepCount}>
      <h1>
        <label for={id} class="watch-name">
          {label}
        </label>
      </h1>
      <form onSubmit={submit}>
        <input
          id={id}
          ref={input}
          value={text}
          dir="auto"
          maxLength={lengthMax}
          enterkeyhint="done"
          autocomplete="off"
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <div class="watch-actions">
          <RoundButton icon="back" label={texts.back} onClick={onCancel} />
          <RoundButton icon="check" look="primary" label={watchTexts.done} type="submit" disabled={trimmed === ''} />
        </div>
      </form>
    </WatchFrame>
  );
}
