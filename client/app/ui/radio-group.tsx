import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { keysOf } from './keys-of.ts';

interface RadioGroupProps<Value extends string> {
  label: string;
  options: Record<NoInfer<Value>, ComponentChildren>;
  value: Value;
  onValue(value: NoInfer<Value>): void;
  /** True if only screen readers get the label. */
  labelHidden?: boolean;
}

export function RadioGroup<Value extends string>({
  label,
  options,
  value,
  onValue,
  labelHidden,
}: RadioGroupProps<Value>) {
  const name = useId();
  return (
    <fieldset class="radio-group">
      <legend class={labelHidden ? 'visually-hidden' : undefined}>{label}</legend>
      {keysOf<Value>(options).map((option) => (
        <label key={option}>
          <input type="radio" name={name} checked={option === value} onChange={() => onValue(option)} />
          <span>{options[option]}</span>
        </label>
      ))}
    </fieldset>
  );
}
