import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyOutboxContent, isGapless, tagsOf } from '../../../../test/device/outbox-content.ts';
import { checkProperty } from '../../../../test/domain/check-property.ts';
import { randomIds } from '../../../core/ids.ts';
import { needsNewIds, giveNewIds } from './new-ids.ts';

const recorded_at = '2026-03-01T09:00:00.000Z';

test('[ATTENTION-2] [OUTBOX-37] [OUTBOX-38] each mutation whose id was taken is made again once, behind all others', () => {
  checkProperty(
    fc.property(anyOutboxContent, (content) => {
      const taken = content.refused.filter(needsNewIds);
      const after = giveNewIds(content, { ids: randomIds, recorded_at, hasRecordCreatedBy: () => false });
      expect(isGapless(after)).toBe(true);
      expect(after.refused.filter(needsNewIds)).toEqual([]);
      const marked = after.pending.filter(({ is_renewed }) => is_renewed);
      expect(marked.map(({ name }) => name)).toEqual(taken.map(({ name }) => name));
      // Each assigned number stays in the outbox, with its mutation or with a noop.
      expect(after.pending.slice(0, content.pending.length).map(({ seq }) => seq)).toEqual(
        content.pending.map(({ seq }) => seq),
      );
      const noops = (of: typeof content) => of.pending.filter(({ payload }) => payload.kind === 'noop').length;
      const madeAnew = after.pending.length - content.pending.length;
      const gone = content.refused.length - after.refused.length + (noops(after) - noops(content));
      expect(madeAnew).toBeGreaterThanOrEqual(gone);
      expect(tagsOf(after.forwarded)).toEqual(tagsOf(content.forwarded));
    }),
  );
});

test('[ATTENTION-10] a record that the server already has is not made a second time', () => {
  checkProperty(
    fc.property(anyOutboxContent, (content) => {
      const after = giveNewIds(content, { ids: randomIds, recorded_at, hasRecordCreatedBy: () => true });
      expect(after).toEqual({ ...content, refused: content.refused.filter((entry) => !needsNewIds(entry)) });
    }),
  );
});
