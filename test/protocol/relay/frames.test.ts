/** Frames that arrive in any pieces, and hostile bytes. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ByteQueue } from '../../../shared/relay/byte-queue.ts';
import { concat, uint32, utf8 } from '../../../shared/relay/byte-reader.ts';
import {
  byeCodes,
  encodeFrame,
  failedCodes,
  frameBytesMax,
  FrameReader,
  partBytesMax,
  type Frame,
} from '../../../shared/relay/frames.ts';
import { checkProperty } from '../../domain/check-property.ts';

const ids = fc.uint8Array({ minLength: 16, maxLength: 16 }).map((bytes) => Buffer.from(bytes).toString('hex'));
const uint32s = fc.nat(0xffff_ffff);
const parts = fc
  .record({
    type: fc.constantFrom('give' as const, 'answer' as const, 'ask' as const),
    id: ids,
    offset: fc.nat(2 ** 31),
    bytes: fc.uint8Array({ minLength: 1, maxLength: 200 }).map((bytes) => Uint8Array.from(bytes)),
    rest: fc.nat(1_000),
  })
  .map(({ rest, ...part }) => ({ ...part, total: part.offset + part.bytes.length + rest }));
const frames: fc.Arbitrary<Frame> = fc.oneof(
  fc.record({
    type: fc.constant('hello' as const),
    v: fc.nat(9),
    role: fc.constantFrom('device' as const, 'carrier' as const),
    server: fc.uint8Array({ minLength: 8, maxLength: 8 }).map((bytes) => Buffer.from(bytes).toString('hex')),
    online: fc.boolean(),
    free_bytes: fc.maxSafeNat(),
  }),
  parts,
  fc.record({ type: fc.constant('have' as const), id: ids, offset: uint32s }),
  fc.record({ type: fc.constantFrom('kept' as const, 'photo' as const), id: ids }),
  fc.record({ type: fc.constant('bye' as const), code: fc.constantFrom(...byeCodes) }),
  fc.record({ type: fc.constant('failed' as const), id: ids, code: fc.constantFrom(...failedCodes) }),
);

test('[RELAY-21] frames are read as they were written, whatever pieces they come in', () => {
  const property = fc.property(
    fc.array(frames, { maxLength: 8 }),
    fc.array(fc.integer({ min: 1, max: 90 })),
    (sent, cuts) => {
      const bytes = concat(...sent.map(encodeFrame));
      const reader = new FrameReader();
      const read: (Frame[] | undefined)[] = [];
      let at = 0;
      for (const cut of [...cuts, bytes.length]) {
        read.push(reader.push(bytes.subarray(at, at + cut)));
        at = Math.min(bytes.length, at + cut);
      }
      expect(read.flat()).toEqual(sent);
    },
  );
  checkProperty(property, { examples: 500 });
});

test('[RELAY-21] any bytes are frames or refused', () => {
  const property = fc.property(
    fc.array(frames, { maxLength: 3 }),
    fc.array(fc.tuple(fc.nat(), fc.nat(255))),
    (sent, changes) => {
      const bytes = concat(...sent.map(encodeFrame));
      for (const [at, value] of changes) bytes[at % bytes.length] = value;
      for (const frame of new FrameReader().push(bytes) ?? []) {
        expect(new FrameReader().push(encodeFrame(frame))).toEqual([frame]);
      }
    },
  );
  checkProperty(property, { examples: 1_000 });
});

test('[RELAY-21] the largest part fills a frame of 64 KiB, and a frame of a later version is left out', () => {
  const largest = {
    type: 'give',
    id: '00'.repeat(16),
    total: partBytesMax,
    offset: 0,
    bytes: new Uint8Array(partBytesMax),
  } as const;
  const bytes = encodeFrame(largest);
  expect(bytes.length).toBe(4 + frameBytesMax);
  expect(new FrameReader().push(bytes)).toEqual([largest]);
  const oneMore = { ...largest, total: partBytesMax + 1, bytes: new Uint8Array(partBytesMax + 1) };
  expect(new FrameReader().push(encodeFrame(oneMore))).toBeUndefined();
  const later = concat(uint32(6), Uint8Array.of(200), utf8('later'));
  expect(new FrameReader().push(concat(later, encodeFrame({ type: 'bye', code: 'busy' })))).toEqual([
    { type: 'bye', code: 'busy' },
  ]);
});

test('[RELAY-88] bytes that come one by one are copied a few times at most', () => {
  const queue = new ByteQueue();
  const buffers = new Set<ArrayBuffer>();
  for (let count = 0; count < 100_000; count++) {
    queue.append(Uint8Array.of(count & 255));
    buffers.add(queue.bytes.buffer);
  }
  expect(queue.length).toBe(100_000);
  expect(buffers.size).toBeLessThan(32);
  expect(queue.take(100_000)).toEqual(Uint8Array.from({ length: 100_000 }, (_, at) => at & 255));
});

test('[RELAY-88] bytes that come one by one are frames, as in one piece', () => {
  const bytes = new Uint8Array(partBytesMax);
  const frame = encodeFrame({ type: 'give', id: '00'.repeat(16), total: partBytesMax, offset: 0, bytes });
  const reader = new FrameReader();
  let read = 0;
  for (let frameCount = 0; frameCount < 4; frameCount++) {
    for (let at = 0; at < frame.length; at++) read += reader.push(frame.subarray(at, at + 1))?.length ?? 0;
  }
  expect(read).toBe(4);
});

test('[RELAY-88] small frames in a large piece are read in a time that grows as their count, and are counted', () => {
  const piece = new Uint8Array(8 * 1024 * 1024);
  const unknown = concat(uint32(4), Uint8Array.of(200, 0, 0, 0));
  for (let at = 0; at < piece.length; at += unknown.length) piece.set(unknown, at);
  const reader = new FrameReader();
  expect(reader.push(piece)).toEqual([]);
  expect(reader.takeSmallFrames()).toBe(piece.length / unknown.length);
  expect(reader.push(encodeFrame({ type: 'bye', code: 'busy' }))).toEqual([{ type: 'bye', code: 'busy' }]);
  expect(reader.takeSmallFrames()).toBe(1);
});
