import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyOutboxContent } from '../../../test/device/outbox-content.ts';
import { checkProperty } from '../../../test/domain/check-property.ts';
import type { PendingEntry } from '../../outbox/model/entry.ts';
import { problemOf } from '../../../shared/protocol/problem.ts';
import {
  batchBytesMax,
  countEntriesToPush,
  doubledBatchLimit,
  emptyBatch,
  entriesToPush,
  busyFailureIfBatchIsSmall,
  halvedBatchLimit,
  nextBatch,
} from './batch.ts';
import type { RequestFailure } from '../net/failure.ts';

const clientId = '11111111-1111-4111-8111-111111111111';

test('[SYNC-23] a batch is the beginning of what waits, of one client and one clock, and fits unless it is one mutation', () => {
  checkProperty(
    fc.property(anyOutboxContent, fc.integer({ min: 1, max: 2_000 }), (content, bytesMax) => {
      const waiting = [...content.forwarded, ...content.pending];
      const { entries, bytes } = nextBatch(waiting, bytesMax);
      expect(entries).toEqual(waiting.slice(0, entries.length));
      expect(entries.length).toBeGreaterThanOrEqual(Math.min(1, waiting.length));
      expect(new Set(entries.map(({ client_id }) => client_id)).size).toBeLessThanOrEqual(1);
      expect(new Set(entries.map(({ is_foreign = false }) => is_foreign)).size).toBeLessThanOrEqual(1);
      expect(entries.length <= 1 || bytes <= bytesMax).toBe(true);
    }),
  );
});

const smallEntry = (seq: number): PendingEntry => ({
  state: 'pending',
  client_id: clientId,
  seq,
  name: 'delete_run',
  args: { run_id: 2 ** 31 },
  recorded_at: '2026-04-01T09:30:00.000Z',
  proven_at: null,
  payload: { kind: 'mutation' },
});

test('[SYNC-96] a batch has at most 1,000 mutations, the first that wait', () => {
  const waiting = Array.from({ length: 2_500 }, (_, index) => smallEntry(index + 1));
  expect(nextBatch(waiting, batchBytesMax).entries).toEqual(waiting.slice(0, 1_000));
});

test('[SYNC-1] batch after batch, all that waits goes, each once and in order', () => {
  checkProperty(
    fc.property(anyOutboxContent, fc.integer({ min: 1, max: 2_000 }), (content, bytesMax) => {
      let waiting = [...content.forwarded, ...content.pending];
      const sent = [];
      while (waiting.length > 0) {
        const { entries } = nextBatch(waiting, bytesMax);
        sent.push(...entries);
        waiting = waiting.slice(entries.length);
      }
      expect(sent).toEqual([...content.forwarded, ...content.pending]);
    }),
  );
});

test('[SYNC-1] what the server said to have taken, or answered, waits no longer', () => {
  checkProperty(
    fc.property(anyOutboxContent, fc.nat({ max: 12 }), fc.boolean(), (content, seq, isOfThisClient) => {
      const serverSeq = { clientId: isOfThisClient ? clientId : 'another', seq };
      const unsettled = [...content.forwarded, ...content.pending];
      const toPush = entriesToPush(unsettled, { clientId, serverSeq });
      expect(countEntriesToPush(unsettled, { clientId, serverSeq })).toBe(toPush.length);
      expect(toPush).toEqual([
        ...content.forwarded.filter(({ answer }) => answer === undefined),
        ...content.pending.filter((entry) => !isOfThisClient || entry.seq > seq),
      ]);
    }),
  );
});

test('[SYNC-62] [SYNC-63] halving ends at one mutation, and batches that pass grow again up to the limit', () => {
  const batch = { ...emptyBatch, bytes: 300 };
  expect([
    halvedBatchLimit(1_000, batch),
    halvedBatchLimit(100, batch),
    halvedBatchLimit(1, { ...batch, bytes: 1 }),
  ]).toEqual([150, 50, 1]);
  expect([doubledBatchLimit(1_000), doubledBatchLimit(batchBytesMax)]).toEqual([2_000, batchBytesMax]);
});

test('[SYNC-101] a request without mutations that is said to be too large counts as busy', () => {
  const failure: RequestFailure = { kind: 'too_large', problem: problemOf({ code: 'payload_too_large', detail: '' }) };
  expect(busyFailureIfBatchIsSmall(failure, emptyBatch).kind).toBe('busy');
});

test('[SYNC-61] a small mutation that is said to be too large counts as busy', () => {
  const failure: RequestFailure = { kind: 'too_large', problem: problemOf({ code: 'payload_too_large', detail: '' }) };
  checkProperty(
    fc.property(anyOutboxContent, (content) => {
      const [entry] = content.pending;
      if (!entry) return;
      expect(busyFailureIfBatchIsSmall(failure, { entries: [entry], bytes: 64 * 1024 - 1 }).kind).toBe('busy');
      expect(busyFailureIfBatchIsSmall(failure, { entries: [entry], bytes: 64 * 1024 }).kind).toBe('too_large');
      expect(busyFailureIfBatchIsSmall(failure, { entries: [entry, entry], bytes: 2 }).kind).toBe('too_large');
    }),
  );
});
