/**
 * Serializes a large response in slices of a few milliseconds, since `JSON.stringify` of 16 MB would block the event
 * loop for a quarter of a second.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';

const sliceMsMax = 5;

/** Returns the bytes of `JSON.stringify(body)`. Lets other requests run between the slices. */
export async function serializeInSlices(body: unknown): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let text = '';
  let sliceStartedAt = performance.now();
  for (const part of partsOf(body)) {
    text += part;
    if (performance.now() - sliceStartedAt < sliceMsMax) continue;
    pieces.push(Buffer.from(text));
    text = '';
    await nextTurn();
    sliceStartedAt = performance.now();
  }
  return Buffer.concat([...pieces, Buffer.from(text)]);
}

/** A list with more items is serialized item by item. */
const itemsPerPartMax = 50;

/** Yields the JSON text of an object field by field, and the text of a long list item by item. */
function* partsOf(body: unknown): Generator<string> {
  if (!isPlainObject(body)) return yield JSON.stringify(body);
  let separator = '{';
  for (const [name, value] of Object.entries(body)) {
    if (value === undefined) continue;
    yield `${separator}${JSON.stringify(name)}:`;
    separator = ',';
    if (Array.isArray(value) && value.length > itemsPerPartMax) yield* itemsOf(value);
    else if (isPlainObject(value)) yield* partsOf(value);
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

function isPlainObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !('toJSON' in value);
}
