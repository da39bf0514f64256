import { useState } from 'preact/hooks';
import { nameLengthMax } from '../../client.ts';

interface NameFieldOptions {
  initial: string | undefined;
  /** The error to show after a person submitted an empty name. */
  missingText: string;
}

/**
 * Holds the required name of a form. The form calls `check` when it is submitted; `field` has the props of its `Field`.
 */
export function useNameField({ initial = '', missingText }: NameFieldOptions) {
  const [value, onValue] = useState(initial);
  const [isChecked, setChecked] = useState(false);
  const name = value.trim();
  const check = (event: Event) => {
    event.preventDefault();
    setChecked(true);
  };
  const error = isChecked && !name ? missingText : undefined;
  return { name, isChecked, check, field: { value, onValue, maxLength: nameLengthMax, error } };
}
