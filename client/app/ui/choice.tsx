import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface ChoiceProps<Value extends string> {
  label: string;
  /** Each with what is said of it. */
  options: Record<NoInfer<Value>, ComponentChildren>;
  value: Value;
  onValue(value: NoInfer<Value>): void;
  /** Where the options say enough by themselves. */
  labelHeard?: boolean;
}

/** One of a few, all in sight. */
export function Choice<Value extends string>({ label, options, value, onValue, labelHeard }: ChoiceProps<Value>) {
  const name = useId();
  return (
    <fieldset class="choice">
      <legend class={labelHeard ? 'heard' : undefined}>{label}</legend>
      {(Object.keys(options) as Value[]).map((option) => (
        <label key={option}>
          <input type="radio" name={name} checked={option === value} onChange={() => onValue(option)} />
          <span>{options[option]}</span>
        </label>
      ))}
    </fieldset>
  );
}
