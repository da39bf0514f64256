import type { JSX } from 'preact';
import { useId } from 'preact/hooks';

/** What goes on to the input as it is. */
type Passed =
  | 'autocapitalize'
  | 'autocomplete'
  | 'autofocus'
  | 'class'
  | 'enterkeyhint'
  | 'inputMode'
  | 'maxLength'
  | 'placeholder'
  | 'spellcheck';

interface FieldProps extends Pick<JSX.IntrinsicElements['input'], Passed> {
  label: string;
  value: string;
  onValue(value: string): void;
  hint?: string;
  /** Why the value cannot be taken; it is read out as it appears. */
  error?: string | undefined;
}

export function Field({ label, value, onValue, hint, error, ...rest }: FieldProps) {
  const id = useId();
  const told = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        value={value}
        onInput={(event) => onValue(event.currentTarget.value)}
        aria-invalid={error ? 'true' : undefined}
        aria-describedby={told || undefined}
        {...rest}
      />
      {hint && (
        <p class="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <p class="field-error" id={`${id}-error`} role="alert">
        {error}
      </p>
    </div>
  );
}
