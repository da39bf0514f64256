import { expect, test } from 'vitest';
import { randomBelow, randomWithPrintedSeed } from '../../../test/random.ts';
import { chunkName, sortForRemoval, parseChunk, planAppend, readableParts, type Chunk } from './upload-chunks.ts';

const chunk = (sequence: number, start: number, end: number): Chunk => {
  const name = chunkName({ sequence, start, end }, 'ab');
  return { name, sequence, start, end };
};

const spans = (chunks: Chunk[]) => readableParts(chunks).map((part) => [part.chunk.sequence, part.start, part.end]);

/** Applies a plan as the storage does, and counts the bytes that it writes. */
function applyAppend(chunks: Chunk[], range: { start: number; end: number }): { chunks: Chunk[]; bytes: number } {
  const { written, covered } = planAppend(chunks, range)!;
  const left = chunks.filter((one) => !covered.includes(one));
  return {
    chunks: [...left, chunk(written.sequence, written.start, written.end)],
    bytes: written.end - written.start,
  };
}

test('[PHOTO-62] the name of a chunk says where its bytes belong, and other objects are none', () => {
  expect(parseChunk(`uploads/a/b/${chunk(3, 5, 9).name}`)).toMatchObject({ sequence: 3, start: 5, end: 9 });
  for (const name of ['', '1-2-3', '1-5-5-ab', '1-5-4-ab', 'x-1-2-ab', '1-2-3-ab.part']) {
    expect(parseChunk(name)).toBeUndefined();
  }
});

test('[PHOTO-62] where chunks overlap the later one counts, and nothing behind a gap is read', () => {
  expect(spans([])).toEqual([]);
  expect(spans([chunk(1, 1, 5)])).toEqual([]);
  expect(spans([chunk(1, 0, 300), chunk(2, 100, 200), chunk(3, 301, 400)])).toEqual([
    [1, 0, 100],
    [2, 100, 200],
    [1, 200, 300],
  ]);
  expect(spans([chunk(2, 0, 10), chunk(1, 5, 20)])).toEqual([
    [2, 0, 10],
    [1, 10, 20],
  ]);
});

test('[PHOTO-62] an append writes behind what is there, and makes covered chunks superfluous', () => {
  expect(planAppend([], { start: 1, end: 2 })).toBeUndefined();
  expect(planAppend([chunk(1, 0, 5), chunk(2, 6, 9)], { start: 6, end: 9 })).toBeUndefined();
  const large = chunk(1, 0, 1_000_000);
  const plan = planAppend([large, chunk(2, 1_000_000, 1_000_300)], { start: 1_000_000, end: 2_000_000 });
  expect(plan).toMatchObject({ written: { sequence: 3, start: 1_000_000, end: 2_000_000 }, merged: [] });
  expect(plan!.covered).toEqual([chunk(2, 1_000_000, 1_000_300)]);
});

test('[PHOTO-62] the parts have the bytes of the last append at each place, in any order of appends', () => {
  const random = randomWithPrintedSeed();
  for (let round = 0; round < 200; round++) {
    /** The append that wrote each byte last, by the model and by the chunks. */
    const model: number[] = [];
    const contents = new Map<string, number[]>();
    const read = (parts: { chunk: Chunk; start: number; end: number }[]) =>
      parts.flatMap((part) =>
        contents.get(part.chunk.name)!.slice(part.start - part.chunk.start, part.end - part.chunk.start),
      );
    let chunks: Chunk[] = [];
    for (let append = 1; append <= 30; append++) {
      const start = randomBelow(random, model.length + 2);
      const end = start + 1 + randomBelow(random, 20);
      const plan = planAppend(chunks, { start, end });
      expect(plan === undefined).toBe(start > model.length);
      if (!plan) continue;
      const { sequence } = plan.written;
      const added = chunk(sequence, plan.written.start, plan.written.end);
      contents.set(added.name, [...read(plan.merged), ...Array.from({ length: end - start }, () => append)]);
      chunks = [...chunks.filter((one) => !plan.covered.includes(one)), added];
      for (let at = start; at < end; at++) model[at] = append;
    }
    expect(read(readableParts(chunks))).toEqual(model);
  }
});

test('[PHOTO-63] an upload of 1 MiB has at most 22 chunks and writes each byte at most 32 times, whatever its pieces', () => {
  const total = 1024 * 1024;
  // 4 chunks of 256 KiB, and 18 of which each is at least twice as long as the next.
  const pieces: Record<string, (at: number) => number> = {
    'of 97 bytes': () => 97,
    'shorter each time': (at) => Math.max(100, Math.floor((total - at) / 300)),
    'half of the last': (at) => [4096, 2047, 1023, 511, 255, 127, 63][at % 7]!,
  };
  for (const [name, bytesAt] of Object.entries(pieces)) {
    let chunks: Chunk[] = [];
    let chunksMax = 0;
    let written = 0;
    // A plan of too many chunks would take minutes.
    for (let start = 0; start < total && chunksMax <= 22;) {
      const end = Math.min(total, start + bytesAt(start));
      const applied = applyAppend(chunks, { start, end });
      chunks = applied.chunks;
      written += applied.bytes;
      chunksMax = Math.max(chunksMax, chunks.length);
      start = end;
    }
    expect({ name, isBounded: chunksMax <= 22 && written <= 32 * total, chunksMax, written }).toMatchObject({
      isBounded: true,
    });
  }
});

test('[PHOTO-64] chunks are removed so that an upload is whole, or has no byte that can be read', () => {
  const chunks = [chunk(4, 0, 10), chunk(1, 0, 4), chunk(3, 20, 30), chunk(2, 10, 20), chunk(5, 0, 2)];
  let left = chunks;
  for (const next of sortForRemoval(chunks)) {
    left = left.filter((one) => one !== next);
    expect([undefined, 30]).toContain(readableParts(left).at(-1)?.end);
  }
});
