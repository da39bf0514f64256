/**
 * Serializes a large response in slices of a few milliseconds. At once, 16 MB would block the event loop for a quarter
 * of a second.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';

const sliceMsMax = 5;

/** Returns the bytes of `JSON.stringify(body)` and lets other requests run between the slices. */
export async function jsonBytes(body: unknown): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let text = '';
  let since = performance.now();
  for (const part of partsOf(body)) {
    text += part;
    if (performance.now() - since < sliceMsMax) continue;
    pieces.push(Buffer.from(text));
    text = '';
    await nextTurn();
    since = performance.now();
  }
  return Buffer.concat([...pieces, Buffer.from(text)]);
}

/** A list with at most this many items is serialized at once. */
const itemsWholeMax = 50;

/** Yields the JSON text field by field, and item by item within long lists. */
function* partsOf(body: unknown): Generator<string> {
  if (!isPlain(body)) return yield JSON.stringify(body);
  let separator = '{';
  for (const [name, value] of Object.entries(body)) {
    if (value === undefined) continue;
    yield `${separator}${JSON.stringify(name)}:`;
    separator = ',';
    if (Array.isArray(value) && value.length > itemsWholeMax) yield* itemsOf(value);
    else if (isPlain(value)) yield* partsOf(value);
    else yield JSON.stringify(value);
  }
  yield separator === '{' ? '{}' : '}';
}

function* itemsOf(list: unknown[]): Generator<string> {
  let separator = '[';
  for (const item of list) {
    yield separator + (JSON.stringify(item) ?? 'null');
    separator = ',';
  }
  yield ']';
}

function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !('toJSON' in value);
}
