/**
 * Returns the RFC 8785 (JCS) text of a JSON value, which devices and server hash: no whitespace, and the keys of each
 * object in the order of their UTF-16 code units. Like `JSON.stringify`, it leaves out fields that are undefined.
 */
export function canonicalJson(value: unknown): string {
  return textOf(value, { keys: [], sorted: [] });
}

/** The keys of the last object. The records of a list have the same keys, so most objects need no sorting. */
interface LastKeys {
  keys: string[];
  /** The keys in their order in the text, each also as the text `"key":`. */
  sorted: { key: string; prefix: string }[];
}

function textOf(value: unknown, last: LastKeys): string {
  if (typeof value === 'number') return numberText(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return listText(value, last);
  let text = '{';
  for (const { key, prefix } of sortedKeysOf(value, last)) {
    const field = (value as Record<string, unknown>)[key];
    if (field === undefined) continue;
    text += (text.length === 1 ? prefix : `,${prefix}`) + textOf(field, last);
  }
  return `${text}}`;
}

function listText(list: readonly unknown[], last: LastKeys): string {
  let text = '[';
  for (let index = 0; index < list.length; index++) {
    if (index > 0) text += ',';
    text += textOf(list[index] ?? null, last);
  }
  return `${text}]`;
}

/** Throws for a number that has no JSON text: `JSON.parse` reads 1e400 as Infinity. */
function numberText(number: number): string {
  if (!Number.isFinite(number)) throw new RangeError(`${number} is no JSON value`);
  return String(number);
}

function sortedKeysOf(object: object, last: LastKeys): LastKeys['sorted'] {
  const keys = Object.keys(object);
  if (!hasSameItems(keys, last.keys)) {
    last.keys = keys;
    last.sorted = keys.toSorted().map((key) => ({ key, prefix: `${JSON.stringify(key)}:` }));
  }
  return last.sorted;
}

function hasSameItems(some: readonly string[], others: readonly string[]): boolean {
  if (some.length !== others.length) return false;
  for (let index = 0; index < some.length; index++) if (some[index] !== others[index]) return false;
  return true;
}
