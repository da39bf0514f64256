/** Reads the form of a request to Stripe: `items[0][price]=x` is a field of an object in a list. */
export interface FormFields {
  [name: string]: string | FormFields;
}

/** Lists are objects with the keys 0, 1, 2. */
export function parseForm(body: string): FormFields {
  const fields: FormFields = {};
  for (const [name, value] of new URLSearchParams(body)) {
    const path = name.split(/[[\]]+/).filter((part) => part !== '');
    const last = path.pop()!;
    let at = fields;
    for (const part of path) at = (at[part] ??= {}) as FormFields;
    at[last] = value;
  }
  return fields;
}
