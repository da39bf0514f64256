import { useState } from 'preact/hooks';
import { nameLengthMax } from '../../client.ts';

interface NameOptions {
  begun: string | undefined;
  /** Said once one wanted to go on without. */
  missing: string;
}

/** The name that a form must have. `field` is for its `Field`. */
export function useName({ begun = '', missing }: NameOptions) {
  const [value, onValue] = useState(begun);
  const [checked, setChecked] = useState(false);
  const given = value.trim();
  const check = (event: Event) => {
    event.preventDefault();
    setChecked(true);
  };
  const error = checked && !given ? missing : undefined;
  return { given, checked, check, field: { value, onValue, maxLength: nameLengthMax, error } };
}
