import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { memoryStorage } from '../../test/device/devices.ts';
import { isGapless, problem, tagOf, tagsOf } from '../../test/device/outbox-content.ts';
import { systemClock } from '../core/clock.ts';
import { randomIds } from '../core/ids.ts';
import { createLocks } from '../core/locks.ts';
import { openDeviceTables } from '../storage/device-tables.ts';
import { entriesOf } from './model/content.ts';
import { rowIdOf } from './model/parse-entry.ts';
import { Outbox } from './outbox.ts';

const now = () => '2026-03-01T08:00:00.000Z';

async function openNewOutbox(): Promise<Outbox> {
  const name = randomUUID();
  const store = await openDeviceTables({ name, storage: memoryStorage(), clock: systemClock });
  onTestFinished(() => store.close());
  return Outbox.open({ table: store.outbox, locks: createLocks(name, systemClock.schedule), ids: randomIds, now });
}

const create = (name: string) => ({ name: 'create_map', args: { map_id: randomIds.mapId(), name } }) as const;

/** The operations that change the numbers of a device. The test runs them in random order. */
const operations: Record<string, (outbox: Outbox, draw: number) => Promise<unknown>> = {
  append: (outbox, draw) => outbox.writer.append(Array.from({ length: draw % 3 }, (_, nth) => create(`${nth}`))),
  resend: (outbox) => outbox.sequence.resendAll(outbox.device.client_id),
  forward: (outbox) => outbox.sequence.forwardPending(),
  fork: (outbox, draw) => outbox.sequence.fork({ client_id: outbox.device.client_id, agreedSeq: draw }),
  forkCompared: (outbox, draw) => {
    const comparison = { otherSeqs: [draw + 1], hasDiverged: draw % 2 === 0 };
    return outbox.sequence.fork({ client_id: outbox.device.client_id, agreedSeq: 0, comparison });
  },
  withdraw: async (outbox, draw) => {
    const sendable = [...outbox.entries('forwarded'), ...outbox.entries('pending')];
    const entry = sendable[draw % Math.max(1, sendable.length)];
    if (entry) await outbox.writer.markUnsendable(entry, problem('payload_too_large'));
  },
  refuse: async (outbox, draw) => {
    const seq = outbox.entries('pending')[0]?.seq ?? 0;
    await outbox.identity.rememberSentNumber(outbox.device.client_id, seq);
    const rejections = seq === 0 ? [] : [{ seq, error: problem('map_cap_reached') }];
    const epoch = `epoch-${draw % 2}`;
    await outbox.writer.settle(() => ({ client: { last_seq: seq, rejections }, epoch, cursor: 'cursor-1' }));
  },
};

test('[OUTBOX-37] [OUTBOX-38] [OUTBOX-39] whatever happens to the numbers of a device, no work is lost, doubled or out of order', async () => {
  const steps = fc.array(fc.tuple(fc.constantFrom(...Object.keys(operations)), fc.nat({ max: 4 })), { maxLength: 10 });
  await fc.assert(
    fc.asyncProperty(steps, async (drawn) => {
      const outbox = await openNewOutbox();
      const made: string[] = [];
      for (const [name, draw] of drawn) {
        const before = new Set(tagsOf(entriesOf(outbox.content)));
        await operations[name]?.(outbox, draw);
        made.push(
          ...entriesOf(outbox.content)
            .map(tagOf)
            .filter((tag) => !before.has(tag)),
        );
        const { content } = outbox;
        expect(tagsOf(entriesOf(content)).toSorted()).toEqual(made.toSorted());
        expect(new Set(entriesOf(content).map(rowIdOf)).size).toBe(made.length);
        expect(isGapless(content)).toBe(true);
        const sendable = tagsOf([...content.forwarded, ...content.pending]);
        expect(sendable).toEqual(made.filter((tag) => sendable.includes(tag)));
      }
    }),
    { numRuns: 40, ...(process.env['GEMBA_SEED'] === undefined ? {} : { seed: Number(process.env['GEMBA_SEED']) }) },
  );
});

test('[OUTBOX-41] a decision is made once for each write, on what other tabs wrote', async () => {
  const outbox = await openNewOutbox();
  await outbox.writer.append([create('a')]);
  let decisions = 0;
  const read: string[] = [];
  const result = await outbox.writer.rewrite({
    read: () => Promise.resolve(read.push('read')),
    decide: (content) => {
      decisions += 1;
      expect(read).toEqual(['read']);
      return { content: { ...content, device: { ...content.device, last_seq: 7 } }, result: 'told' };
    },
  });
  expect([decisions, result, outbox.device.last_seq]).toEqual([1, 'told', 7]);
});
