import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  anyOutboxContent,
  holdsExactly,
  isGapless,
  problem,
  haveEqualJson,
  tagsOf,
} from '../../../../test/device/outbox-content.ts';
import { checkProperty } from '../../../../test/domain/check-property.ts';
import type { ClientProgress } from '../../../../shared/protocol/pull.ts';
import { entriesOf } from '../content.ts';
import { isReplaced, unsendableReason, type OutboxEntry } from '../entry.ts';
import { isRecordingUpload } from '../../../../shared/domain/runs-read.ts';
import { dropExpiredReceipts, settlePending, settledSeqOf, settleForwarded } from './settlement.ts';

const now = '2026-03-01T09:00:00.000Z';
const rejectedCode = fc.constantFrom('map_deleted' as const, 'withdrawn' as const, 'validation_failed' as const);
const clients: fc.Arbitrary<ClientProgress> = fc.record(
  {
    last_seq: fc.nat({ max: 12 }),
    chain: fc.constant(''),
    rejections: fc.uniqueArray(fc.record({ seq: fc.integer({ min: 1, max: 12 }), error: rejectedCode.map(problem) }), {
      selector: ({ seq }) => seq,
    }),
  },
  { requiredKeys: ['last_seq', 'rejections'] },
);
const pulled = (client: ClientProgress | undefined, cursor = 'cursor-1') => ({ client, epoch: 'epoch-1', cursor });

test('[OUTBOX-2] [OUTBOX-37] [OUTBOX-38] [OUTBOX-39] a settlement takes away only what is done, and keeps the rest in its order', () => {
  checkProperty(
    fc.property(anyOutboxContent, clients, (content, client) => {
      const settledSeq = settledSeqOf(client, content.device);
      const after = settlePending(content, pulled(client), now);
      const rejected = new Set(client.rejections.map(({ seq }) => seq));
      const settled = content.pending.filter(({ seq }) => seq <= settledSeq);
      const refused = settled.filter((entry) => rejected.has(entry.seq) && !isReplaced(entry));
      const receipts = settled.filter((one) => !rejected.has(one.seq) && isRecordingUpload(one) && !isReplaced(one));
      expect(tagsOf(after.refused)).toEqual(tagsOf([...content.refused, ...refused]));
      expect(
        haveEqualJson(
          after.pending,
          content.pending.filter(({ seq }) => seq > settledSeq),
        ),
      ).toBe(true);
      const deletedRuns = new Set(
        settled.filter((one) => one.name === 'delete_run' && !rejected.has(one.seq)).map(({ args }) => args['run_id']),
      );
      const kept = [...content.receipts, ...receipts];
      const missing = tagsOf(kept).filter((tag) => !tagsOf(after.receipts).includes(tag));
      const ofDeleted = tagsOf(kept.filter(({ args }) => deletedRuns.has(args['run_id'])));
      expect(missing.filter((tag) => !ofDeleted.includes(tag))).toEqual([]);
      const tags = tagsOf(entriesOf(after));
      expect(new Set(tags).size).toBe(tags.length);
      if (after.pending.length > 0) expect(isGapless(after)).toBe(true);
    }),
  );
});

test('[OUTBOX-9] [OUTBOX-36] what could not be sent is refused for its own reason, whatever the server says of the noop', () => {
  checkProperty(
    fc.property(anyOutboxContent, clients, (content, client) => {
      const after = settlePending(content, pulled(client), now);
      for (const entry of content.pending) {
        const reason = unsendableReason(entry);
        const refused = after.refused.find(({ number }) => number.kind === 'numbered' && number.seq === entry.seq);
        if (reason && refused) expect(refused.error).toEqual(reason);
      }
    }),
  );
});

test('[OUTBOX-37] [OUTBOX-39] forwarded work is settled by a later pull alone, and what is kept of it waits in its order', () => {
  checkProperty(
    fc.property(anyOutboxContent, fc.boolean(), fc.boolean(), (content, isLater, hasPullEnded) => {
      const cursor = isLater ? 'cursor-1' : 'cursor-0';
      const after = settleForwarded(content, { ...pulled(undefined, cursor), hasPullEnded }, now);
      const settled = content.forwarded.filter(({ answer }) => answer !== undefined && (isLater || hasPullEnded));
      const done = settled.filter((entry) => !isReplaced(entry));
      const deletions = done.filter((entry) => entry.name === 'delete_run');
      const isDeleted = ({ args }: OutboxEntry) => deletions.some((one) => one.args['run_id'] === args['run_id']);
      const gone = [
        ...settled.filter((entry) => isReplaced(entry) || !isRecordingUpload(entry)),
        ...[...content.receipts, ...done.filter(isRecordingUpload)].filter(isDeleted),
      ];
      const kept = tagsOf(entriesOf(content)).filter((tag) => !tagsOf(gone).includes(tag));
      expect(holdsExactly(after, kept)).toBe(true);
      expect(haveEqualJson(after.pending, content.pending)).toBe(true);
    }),
  );
});

test('[OUTBOX-6] receipts go after 30 days by the clock of the server, and nothing without it', () => {
  checkProperty(
    fc.property(anyOutboxContent, fc.integer({ min: -40, max: 40 }), (content, days) => {
      expect(dropExpiredReceipts(content, undefined)).toBe(content);
      const later = new Date(Date.parse('2026-03-01T08:00:00.000Z') + days * 24 * 60 * 60_000).toISOString();
      const after = dropExpiredReceipts(content, later);
      expect(after.receipts).toEqual(days > 30 ? [] : content.receipts);
      expect({ ...after, receipts: [] }).toEqual({ ...content, receipts: [] });
    }),
  );
});

test('[OUTBOX-2] without a hash chain no number is settled that the device never sent', () => {
  const device = { kind: 'device', client_id: '', device_id: '', last_seq: 9, token: null, epoch: null } as const;
  const client = { last_seq: 5, rejections: [] };
  const verified = { ...device, offered_seq: 3, proven_seq: 2, proven_chain: '' };
  expect(settledSeqOf(client, { ...device, offered_seq: 3 })).toBe(3);
  expect(settledSeqOf(client, { ...device, offered_seq: 7 })).toBe(5);
  expect(settledSeqOf(client, device)).toBe(0);
  expect(settledSeqOf(client, verified)).toBe(3);
  expect(settledSeqOf({ ...client, chain: '' }, verified)).toBe(5);
  expect(settledSeqOf(undefined, verified)).toBe(0);
});
