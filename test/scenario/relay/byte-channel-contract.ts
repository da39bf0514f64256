/** The suite that each kind of channel passes: what the frames of a hand-over need of it. */
import { expect, test } from 'vitest';
import type { ChannelSide } from './channel-side.ts';

/** A side in this process, or one in a page. */
export type Side = {
  [Verb in keyof ChannelSide]: (
    ...given: Parameters<ChannelSide[Verb]>
  ) => Promise<Awaited<ReturnType<ChannelSide[Verb]>>> | ReturnType<ChannelSide[Verb]>;
};

interface ContractOptions {
  kind: string;
  open(): Promise<{ near: Side; far: Side }>;
  /** False if a writer does not wait for the reader. */
  isBounded: boolean;
}

const aheadBytesMax = 256 * 1024;
const pieceBytes = 40_000;

export function byteChannelContract({ kind, open, isBounded }: ContractOptions): void {
  test(`[RELAY-64] over ${kind} bytes arrive in their order, both ways at once and in pieces of any length`, async () => {
    const { near, far } = await open();
    const lengths = [1, 100, 16_384, 16_385, 65_540, 3, 250_000, 700];
    const bytes = lengths.reduce((sum, length) => sum + length, 0);
    for (const side of [near, far]) await side.beginWriting(lengths);
    const expected = { bytes, isInOrder: true, ended: 'open' };
    expect(await Promise.all([near.read(bytes), far.read(bytes)])).toEqual([expected, expected]);
    expect(await Promise.all([near.untilTaken(), far.untilTaken()])).toEqual([true, true]);
    await Promise.all([near.close(), far.close(), near.read(), far.read()]);
  });

  test.runIf(isBounded)(`[RELAY-64] over ${kind} a writer is at most 256 KiB ahead of the reader`, async () => {
    const { near, far } = await open();
    const pieces = Array<number>(25).fill(pieceBytes);
    await near.beginWriting(pieces);
    let readBytes = 0;
    while (readBytes < 25 * pieceBytes) {
      const { bytes, isInOrder } = await far.read(1);
      expect(isInOrder).toBe(true);
      readBytes += bytes;
      expect((await near.takenBytes()) - readBytes).toBeLessThanOrEqual(aheadBytesMax);
    }
    expect(await near.untilTaken()).toBe(true);
    await Promise.all([near.close(), far.close(), near.read(), far.read()]);
  });

  test(`[RELAY-65] over ${kind} the end of a side comes behind all its bytes, and the other side may write on`, async () => {
    const { near, far } = await open();
    await near.beginWriting([100_000]);
    const nearClosed = near.close();
    expect(await far.read()).toEqual({ bytes: 100_000, isInOrder: true, ended: 'closed' });
    expect(await nearClosed).toBe(true);
    await far.beginWriting([100_000]);
    const farClosed = far.close();
    expect(await near.read()).toEqual({ bytes: 100_000, isInOrder: true, ended: 'closed' });
    expect(await farClosed).toBe(true);
  });

  test(`[RELAY-65] over ${kind} a side that stops reading holds up no writer`, async () => {
    const { near, far } = await open();
    await far.stopReading();
    await near.beginWriting(Array<number>(25).fill(pieceBytes));
    // The channel may take the bytes or break.
    expect(await near.untilTaken()).toBeTypeOf('boolean');
    const ends = [near.close(), far.close()];
    expect((await near.read()).ended).not.toBe('open');
    await Promise.all(ends);
  });

  test(`[RELAY-66] over ${kind} a side that breaks its channel ends the reading of the other`, async () => {
    const { near, far } = await open();
    await near.beginWriting([1_000]);
    expect(await far.read(1_000)).toEqual({ bytes: 1_000, isInOrder: true, ended: 'open' });
    await near.abort();
    expect(await far.read()).toMatchObject({ bytes: 0, ended: expect.stringMatching(/closed|broken/) });
  });
}
