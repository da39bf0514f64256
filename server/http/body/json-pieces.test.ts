import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { serializeInSlices } from './json-pieces.ts';

const long = Array.from({ length: 60 }, (_, index) => ({ index, text: `"\\\u0000\ud800 ü ${index}`, none: undefined }));

test.each([
  [{ data: long, next_cursor: null }],
  [{ runs: long, stages: [{ per_run: long }, ...long], empty: [], of: { it: long, nothing: undefined } }],
  [{}],
  [{ only: undefined }],
  [{ of: {} }],
  [[undefined, ...long]],
  [{ list: [undefined, () => 1, ...long], at: new Date(0) }],
  [null],
  ['text'],
])('[REST-71] an answer in pieces has the bytes that it has at once', async (body) => {
  expect((await serializeInSlices(body)).toString()).toBe(Buffer.from(JSON.stringify(body)).toString());
});

test('[REST-79] others have turns while a large answer is made', async () => {
  const body = { data: Array.from({ length: 1_500 }, () => ({ notes: 'n'.repeat(10_000) })) };
  const made = new AbortController();
  void serializeInSlices(body).then(() => made.abort());
  let turns = 0;
  for (; !made.signal.aborted; turns += 1) await nextTurn();
  expect(turns).toBeGreaterThan(2);
});
