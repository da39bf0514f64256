import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contents } from '../../../../test/device/outbox-content.ts';
import { checkProperty } from '../../../../test/domain/check-property.ts';
import { randomIds } from '../../../core/ids.ts';
import { withNewIds } from '../../attention/remedied.ts';
import { entriesOf } from '../content.ts';
import { mutationOf } from '../mutation.ts';
import { madeBy, namedBy, renamed, renamesOf } from './references.ts';

test('[ATTENTION-9] a reference is made or named, never both, and no rename changes nothing', () => {
  checkProperty(
    fc.property(contents, (content) => {
      for (const entry of entriesOf(content)) {
        const named = new Set(namedBy(entry));
        expect(madeBy(entry).filter((reference) => named.has(reference))).toEqual([]);
        expect(renamed(entry, new Map())).toEqual({ name: entry.name, args: entry.args });
      }
    }),
  );
});

test('[ATTENTION-9] mutations that name a record follow its new id, and all else in them stays', () => {
  checkProperty(
    fc.property(contents, (content) => {
      const entries = entriesOf(content);
      for (const maker of entries.filter((entry) => madeBy(entry).length > 0)) {
        const successor = withNewIds(mutationOf(maker), randomIds);
        const renames = renamesOf(maker, successor);
        expect(renames.size).toBe(new Set(madeBy(maker)).size);
        const made = new Set(madeBy(maker));
        for (const entry of entries) {
          const again = renamed(entry, renames);
          expect([...madeBy(again), ...namedBy(again)].filter((reference) => made.has(reference))).toEqual([]);
          const names = [...madeBy(entry), ...namedBy(entry)].some((reference) => made.has(reference));
          if (!names) expect(again.args).toEqual(entry.args);
        }
      }
    }),
  );
});
