import { useId } from 'preact/hooks';

interface TextAreaProps {
  label: string;
  value: string;
  maxLength: number;
  onValue(value: string): void;
}

export function TextArea({ label, value, maxLength, onValue }: TextAreaProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <textarea
        id={id}
        rows={3}
        value={value}
        maxLength={maxLength}
        onInput={(event) => onValue(event.currentTarget.value)}
      />
    </div>
  );
}
