import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { keysOf } from './keys-of.ts';

interface SelectFieldProps<Value extends string> {
  label: string;
  options: Record<Value, string>;
  value: NoInfer<Value>;
  onValue(value: NoInfer<Value>): void;
}

export function SelectField<Value extends string>({ label, options, value, onValue }: SelectFieldProps<Value>) {
  const values = keysOf<Value>(options);
  return (
    <LabelledField label={label}>
      {(id) => (
        <select
          id={id}
          value={value}
          onChange={({ currentTarget }) => onValue(values[currentTarget.selectedIndex] ?? value)}
        >
          {values.map((option) => (
            <option key={option} value={option}>
              {options[option]}
            </option>
          ))}
        </select>
      )}
    </LabelledField>
  );
}

export function LabelledField({ label, children }: { label: string; children(id: string): ComponentChildren }) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children(id)}
    </div>
  );
}
