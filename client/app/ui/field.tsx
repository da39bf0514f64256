import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { TimeText } from './time-text.tsx';

/** The props that `Field` passes unchanged to its `<input>`. */
type InputPropName =
  | 'autocapitalize'
  | 'autocomplete'
  | 'autofocus'
  | 'class'
  | 'enterkeyhint'
  | 'inputMode'
  | 'maxLength'
  | 'placeholder'
  | 'spellcheck';

interface FieldProps extends Pick<JSX.IntrinsicElements['input'], InputPropName> {
  label: string;
  value: string;
  onValue(value: string): void;
  hint?: string;
  /** Says how the app understands the typed value; empty if there is nothing to say. */
  readAs?: string;
  /** Says what is wrong with the value. Screen readers announce this text. */
  error?: string | undefined;
}

export function Field({ label, value, onValue, hint, readAs, error, ...rest }: FieldProps) {
  const id = useId();
  const describedBy = [hint && `${id}-hint`, readAs && `${id}-read-as`, error && `${id}-error`]
    .filter(Boolean)
    .join(' ');
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        value={value}
        onInput={(event) => onValue(event.currentTarget.value)}
        aria-invalid={error ? 'true' : undefined}
        aria-describedby={describedBy || undefined}
        {...rest}
      />
      {hint && (
        <p class="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {/* Screen readers announce a text only in an element that is already there. */}
      {readAs !== undefined && (
        <p class="field-hint" id={`${id}-read-as`} role="status">
          <TimeText>{readAs}</TimeText>
        </p>
      )}
      <p class="field-error" id={`${id}-error`} role="alert">
        {error}
      </p>
    </div>
  );
}
