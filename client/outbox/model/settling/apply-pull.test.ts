import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyOutboxContent, isGapless, tagsOf } from '../../../../test/device/outbox-content.ts';
import { checkProperty } from '../../../../test/domain/check-property.ts';
import type { ClientProgress } from '../../../../shared/protocol/pull.ts';
import { randomIds } from '../../../core/ids.ts';
import { entriesOf, type OutboxContent } from '../content.ts';
import { rowIdOf } from '../parse-entry.ts';
import { applyPull, willAssignNumbers } from './apply-pull.ts';
import { settledSeqOf } from './settlement.ts';

const times = { now: '2026-03-01T09:00:00.000Z', serverNow: '2026-03-01T09:00:00.000Z' };
const pulls = fc.record({
  client: fc.record({
    last_seq: fc.nat({ max: 12 }),
    chain: fc.constant(''),
    rejections: fc.constant<ClientProgress['rejections']>([]),
  }),
  epoch: fc.constantFrom('epoch-1', 'epoch-2'),
  cursor: fc.constantFrom('cursor-0', 'cursor-1'),
  mustLeaveClientId: fc.boolean(),
  hasPullEnded: fc.boolean(),
});

/** The mutations that the pull does not settle; a settled recording is sent again before them after a restore. */
const unsettledOf = ({ device, forwarded, pending }: OutboxContent, client: ClientProgress) => [
  ...forwarded.filter(({ answer }) => !answer),
  ...pending.filter(({ seq }) => seq > settledSeqOf(client, device)),
];

test('[OUTBOX-37] [OUTBOX-38] [OUTBOX-39] a pull gives no number twice, leaves no gap and keeps the order', () => {
  checkProperty(
    fc.property(anyOutboxContent, pulls, (content, pulled) => {
      const after = applyPull(content, pulled, { ids: randomIds, ...times });
      const rowIds = entriesOf(after).map(rowIdOf);
      expect(new Set(rowIds).size).toBe(rowIds.length);
      expect(isGapless(after)).toBe(true);
      const before = tagsOf(unsettledOf(content, pulled.client));
      const now = tagsOf([...after.forwarded, ...after.pending]);
      expect(now.filter((tag) => before.includes(tag))).toEqual(before.filter((tag) => now.includes(tag)));
    }),
  );
});

test('[OUTBOX-38] a pull that was not announced to assign numbers assigns none', () => {
  const rows = ({ forwarded, pending, device: { client_id, last_seq } }: OutboxContent) => ({
    ids: [...forwarded, ...pending].map(rowIdOf),
    client_id,
    last_seq,
  });
  checkProperty(
    fc.property(anyOutboxContent, pulls, (content, pulled) => {
      fc.pre(!willAssignNumbers(content, pulled, times));
      const [before, after] = [rows(content), rows(applyPull(content, pulled, { ids: randomIds, ...times }))];
      expect(after).toEqual({ ...before, ids: before.ids.filter((id) => after.ids.includes(id)) });
    }),
  );
});

test('[OUTBOX-6] a device whose clock is a year ahead keeps its receipts', () => {
  const now = '2027-03-01T09:00:00.000Z';
  checkProperty(
    fc.property(anyOutboxContent, fc.constantFrom(undefined, times.serverNow), (content, serverNow) => {
      const pulled = { client: undefined, epoch: content.device.epoch ?? 'epoch-1', cursor: 'cursor-0' };
      const after = applyPull(content, pulled, { ids: randomIds, now, serverNow });
      expect(tagsOf(after.receipts)).toEqual(expect.arrayContaining(tagsOf(content.receipts)));
    }),
  );
});
