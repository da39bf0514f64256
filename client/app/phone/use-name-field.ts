import { useState } from 'preact/hooks';
import { nameLengthMax } from '../../client.ts';

interface NameFieldOptions {
  initial: string | undefined;
  /** The error that is shown after a person submits an empty name. */
  missingText: string;
}

/** The state of a form's required name; `field` has the props of a `Field`. */
export function useNameField({ initial = '', missingText: missing }: NameFieldOptions) {
  const [value, onValue] = useState(initial);
  const [isChecked, setChecked] = useState(false);
  const name = value.trim();
  const check = (event: Event) => {
    event.preventDefault();
    setChecked(true);
  };
  const error = isChecked && !name ? missing : undefined;
  return { name, isChecked, check, field: { value, onValue, maxLength: nameLengthMax, error } };
}
