import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyOutboxContent } from '../../../../test/device/outbox-content.ts';
import { assert } from '../../../../shared/domain/assert.ts';
import { checkProperty } from '../../../../test/domain/check-property.ts';
import type { MutationName } from '../../../../shared/schema/mutation.ts';
import { randomIds } from '../../../core/ids.ts';
import { withNewIds } from './new-ids.ts';
import { entriesOf } from '../content.ts';
import { newMutation } from '../mutation.ts';
import {
  recordsCreatedBy,
  recordsReferencedBy,
  withChangedIds,
  changedIdsBetween,
  type RecordReference,
} from './references.ts';

test('[ATTENTION-9] a reference is made or named, never both, and no rename changes nothing', () => {
  checkProperty(
    fc.property(anyOutboxContent, (content) => {
      for (const entry of entriesOf(content)) {
        const named = new Set(recordsReferencedBy(entry));
        expect(recordsCreatedBy(entry).filter((reference) => named.has(reference))).toEqual([]);
        expect(withChangedIds(entry, new Map())).toEqual({ name: entry.name, args: entry.args });
      }
    }),
  );
});

test('[ATTENTION-9] mutations that name a record follow its new id, and all else in them stays', () => {
  checkProperty(
    fc.property(anyOutboxContent, (content) => {
      const entries = entriesOf(content);
      for (const maker of entries.filter((entry) => recordsCreatedBy(entry).length > 0)) {
        const successor = withNewIds(newMutation(maker), randomIds);
        assert(successor, 'a mutation that makes a record can have new ids');
        const renames = changedIdsBetween(maker, successor);
        expect(renames.size).toBe(new Set(recordsCreatedBy(maker)).size);
        const made = new Set(recordsCreatedBy(maker));
        for (const entry of entries) {
          const again = withChangedIds(entry, renames);
          expect(
            [...recordsCreatedBy(again), ...recordsReferencedBy(again)].filter((reference) => made.has(reference)),
          ).toEqual([]);
          const names = [...recordsCreatedBy(entry), ...recordsReferencedBy(entry)].some((reference) =>
            made.has(reference),
          );
          if (!names) expect(again.args).toEqual(entry.args);
        }
      }
    }),
  );
});

const ids = { map_id: 'm', stage_id: 1, stage_ids: [2, 3], run_id: 4 };

test.each<[MutationName, RecordReference[]]>([
  ['create_map', ['map|m']],
  ['update_map', []],
  ['add_stage', ['stage|1', 'stage|2', 'stage|3']],
  ['reorder_stages', []],
  ['replace_stages', ['stage|1', 'stage|2', 'stage|3']],
  ['upload_recording', ['stage|1', 'stage|2', 'stage|3', 'run|4']],
  ['record_new_map', ['map|m', 'stage|1', 'stage|2', 'stage|3', 'run|4']],
  ['delete_run', []],
])('[ATTENTION-9] a %s makes the records %j', (name, made) => {
  expect(recordsCreatedBy({ name, args: ids })).toEqual(made);
});

test('[ATTENTION-9] a replacement of stages whose id is taken gets new ids for its stages', () => {
  const stages = [{ id: 1, stage: 'Load' }, { stage: 'Cut' }];
  const mutation = newMutation({ name: 'replace_stages', args: { map_id: 'm', stages, stage_ids: [2, 3] } });
  const args = withNewIds(mutation, randomIds)?.args;
  expect(args).toMatchObject({ map_id: 'm', stages, stage_ids: [expect.any(Number), expect.any(Number)] });
  expect(args).not.toMatchObject({ stage_ids: [2, 3] });
});

test('[ATTENTION-9] a replacement of stages follows the new id of a stage that it keeps', () => {
  const stages = [{ id: 1, stage: 'Load' }, { stage: 'Cut' }, { id: 5, stage: 'Pack' }];
  const args = { map_id: 'm', stages, stage_ids: [2, 3, 4] };
  const mutation = newMutation({ name: 'replace_stages', args });
  expect(recordsReferencedBy(mutation)).toEqual(['map|m', 'stage|1', 'stage|5']);
  expect(recordsCreatedBy(mutation)).toEqual(['stage|2', 'stage|3', 'stage|4']);
  const changed = withChangedIds(mutation, new Map([['stage|1', 7]]));
  expect(changed.args).toEqual({ ...args, stages: [{ id: 7, stage: 'Load' }, stages[1], stages[2]] });
  const broken = JSON.parse('{ "stages": [null, 3, { "id": "x" }] }');
  expect(withChangedIds({ name: 'replace_stages', args: broken }, new Map()).args).toEqual(broken);
});

test('[ATTENTION-9] [VERSION-6] a mutation that only a newer app knows makes no records', () => {
  const newer = JSON.parse('{ "name": "merge_maps", "args": { "map_id": "m" } }');
  expect(recordsCreatedBy(newer)).toEqual([]);
  expect(recordsReferencedBy(newer)).toEqual(['map|m']);
});
