/** The text of a large answer, made a few milliseconds at a time: whole, 16 MB take the event loop a quarter of a second. */
import { setImmediate as nextTurn } from 'node:timers/promises';

const sliceMsMax = 5;

/** The bytes of `JSON.stringify(body)`, with turns for others in between. */
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

/** Lists have fewer without need of a turn. */
const itemsWholeMax = 50;

/** Goes into the fields of an answer, and item by item through those that are long lists. */
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
