import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  anyOutboxContent,
  holdsExactly,
  haveEqualJson,
  problem,
  tagOf,
  tagsOf,
} from '../../../test/device/outbox-content.ts';
import { randomIds } from '../../core/ids.ts';
import { checkProperty } from '../../../test/domain/check-property.ts';
import { entriesOf, type OutboxContent } from './content.ts';
import { newDevice } from './device.ts';
import { discard, discardedMax, byLatestDiscard, restoreDiscarded } from './discarding.ts';
import type { DiscardedEntry, RefusedEntry } from './entry.ts';
import { rowIdOf } from './parse-entry.ts';

const now = '2026-03-01T09:00:00.000Z';

test('[OUTBOX-37] what is discarded and restored again is neither lost nor doubled, even as a copy of the entry', () => {
  checkProperty(
    fc.property(anyOutboxContent, fc.nat(), (content, draw) => {
      const [refused] = content.refused.slice(draw % Math.max(1, content.refused.length));
      if (!refused) return;
      const tags = tagsOf(entriesOf(content));
      const discarded = discard(content, structuredClone(refused), now);
      expect(holdsExactly(discarded, tags)).toBe(true);
      const [last] = discarded.discarded;
      expect(last && tagOf(last)).toBe(tagOf(refused));
      if (!last) return;
      const restored = restoreDiscarded(discarded, structuredClone(last));
      expect(holdsExactly(restored, tags)).toBe(true);
      expect(restored.refused.find((entry) => rowIdOf(entry) === rowIdOf(refused))).toEqual(refused);
    }),
  );
});

test('[ATTENTION-6] [ATTENTION-13] the last 20 stay in the order of their discarding, whatever the clock says', () => {
  checkProperty(
    fc.property(
      anyOutboxContent,
      fc.array(fc.integer({ min: -5_000, max: 5_000 }), { minLength: 30, maxLength: 30 }),
      (content, ms) => {
        const [sample] = content.refused;
        if (!sample) return;
        // The numbers descend while the times of the discards ascend, so only the times can give this order.
        const all = ms.map((_, index) => ({ ...sample, number: { kind: 'numbered' as const, seq: 30 - index } }));
        let current: OutboxContent = { ...content, refused: all, discarded: [] };
        for (const [index, entry] of all.entries()) {
          current = discard(current, entry, new Date(Date.parse(now) + (ms[index] ?? 0)).toISOString());
        }
        expect(haveEqualJson(tagsOf(current.discarded), tagsOf(all.toReversed().slice(0, discardedMax)))).toBe(true);
        expect(current.refused).toEqual([]);
      },
    ),
  );
});

const refused = (client_id: string, seq: number): RefusedEntry => ({
  client_id,
  name: 'update_map',
  args: { map_id: 'map' },
  recorded_at: now,
  state: 'refused',
  number: { kind: 'numbered', seq },
  error: problem('map_deleted'),
  proven_at: null,
});
const discardedAt = (seq: number, discarded_at?: string): DiscardedEntry => ({
  ...refused('mine', seq),
  state: 'discarded',
  ...(discarded_at === undefined ? {} : { discarded_at }),
});

test('[ATTENTION-13] a discard, and its undoing, take the entry of that client id and number alone', () => {
  const content: OutboxContent = {
    device: newDevice(randomIds),
    pending: [],
    forwarded: [],
    refused: [refused('mine', 1), refused('mine', 2), refused('theirs', 1)],
    receipts: [],
    discarded: [discardedAt(8)],
  };
  const after = discard(content, refused('mine', 1), now);
  expect(after.refused).toEqual([refused('mine', 2), refused('theirs', 1)]);
  expect(after.discarded).toStrictEqual([discardedAt(1, now), discardedAt(8)]);
  const restored = restoreDiscarded(after, discardedAt(1, now));
  expect(restored.refused).toStrictEqual([refused('mine', 2), refused('theirs', 1), refused('mine', 1)]);
  expect(restored.discarded).toEqual([discardedAt(8)]);
});

test('[ATTENTION-13] discards without a time are the oldest, and the higher number is the later of two', () => {
  const sorted = [discardedAt(1), discardedAt(3), discardedAt(2, now), discardedAt(4, 'no time'), discardedAt(5, now)];
  expect(sorted.toSorted(byLatestDiscard).map(({ number }) => number)).toMatchObject(
    [5, 2, 4, 3, 1].map((seq) => ({ seq })),
  );
});
