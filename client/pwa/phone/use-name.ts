import { useState } from 'preact/hooks';
import { nameLengthMax } from '../../client.ts';

/** The name that a form must have; `missing` is said once one wanted to go on without. `field` is for its `Field`. */
export function useName(begun = '', missing: string) {
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
