import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contents } from '../../../../test/device/outbox-content.ts';
import { checkProperty } from '../../../../test/domain/check-property.ts';
import type { MutationName } from '../../../../shared/schema/mutation.ts';
import { randomIds } from '../../../core/ids.ts';
import { withNewIds } from '../../attention/remedied.ts';
import { entriesOf } from '../content.ts';
import { mutationOf } from '../mutation.ts';
import { madeBy, namedBy, renamed, renamesOf, type Reference } from './references.ts';

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

const ids = { map_id: 'm', stage_id: 1, stage_ids: [2, 3], run_id: 4 };

test.each<[MutationName, Reference[]]>([
  ['create_map', ['map|m']],
  ['update_map', []],
  ['add_stage', ['stage|1', 'stage|2', 'stage|3']],
  ['reorder_stages', []],
  ['upload_recording', ['stage|1', 'stage|2', 'stage|3', 'run|4']],
  ['record_new_map', ['map|m', 'stage|1', 'stage|2', 'stage|3', 'run|4']],
  ['delete_run', []],
])('[ATTENTION-9] a %s makes the records %j', (name, made) => {
  expect(madeBy({ name, args: ids })).toEqual(made);
});
