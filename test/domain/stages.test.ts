import fc from 'fast-check';
import { expect, test } from 'vitest';
import { insertStage, newStage, reorderStages, updateStage } from '../../shared/domain/stages/stages.ts';
import type { Stage } from '../../shared/schema/stage.ts';
import { anyName, withOptionalFields, someStageFields } from './fields.ts';
import { applyEvents } from './apply-events.ts';
import { checkProperty } from './check-property.ts';
import { anyEvents } from './mutations.ts';
import { AccountModel, deepFreeze } from './account-model.ts';

const anyStages: fc.Arbitrary<Stage[]> = fc.array(fc.tuple(anyName, someStageFields), { maxLength: 9 }).map((drawn) =>
  deepFreeze(
    drawn.map(([stage, fields], index) => ({
      ...newStage({ id: 100 + index, mapId: 'map' }, { stage, ...fields }),
      order: index + 1,
    })),
  ),
);
const anyOrder = fc.oneof(fc.integer({ min: 1, max: 12 }), fc.constant(Number.MAX_SAFE_INTEGER));
const idsOf = (stages: Stage[]) => stages.map(({ id }) => id);
const integersUpTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

test('[STAGE-1] positions are 1..n without gaps after every mutation', () => {
  checkProperty(
    fc.property(anyEvents({}, { lengthMax: 60 }), (events) => {
      const model = new AccountModel();
      applyEvents(model, events, () => {
        for (const { stages } of model.maps.values()) {
          expect(stages.map(({ order }) => order)).toStrictEqual(integersUpTo(stages.length));
        }
      });
    }),
  );
});

test('[STAGE-2] reorder takes every permutation of the stages, and refuses everything else', () => {
  const anyShuffled = anyStages.chain((stages) =>
    fc.record({
      stages: fc.constant(stages),
      permutation: fc.shuffledSubarray(idsOf(stages), { minLength: stages.length }),
      other: fc.array(fc.constantFrom(...idsOf(stages), 99, 98), { maxLength: 10 }),
    }),
  );
  checkProperty(
    fc.property(anyShuffled, ({ stages, permutation, other }) => {
      const reordered = reorderStages(stages, permutation)!;
      expect(idsOf(reordered)).toStrictEqual(permutation);
      expect(stagesById(reordered)).toStrictEqual(stagesById(stages));
      const isPermutation = other.toSorted().join() === idsOf(stages).toSorted().join();
      expect(reorderStages(stages, other) !== undefined).toBe(isPermutation);
    }),
  );
});

test('[STAGE-3] [STAGE-8] a stage goes in at its order and shifts the rest; without one or beyond the end it comes last', () => {
  checkProperty(
    fc.property(anyStages, fc.option(anyOrder, { nil: undefined }), (stages, order) => {
      const stage = newStage({ id: 7, mapId: 'map' }, { stage: 'New' });
      const before = idsOf(stages);
      const place = order === undefined || order > before.length ? before.length : order - 1;
      const after = idsOf(insertStage(stages, stage, order));
      expect(after).toStrictEqual([...before.slice(0, place), 7, ...before.slice(place)]);
    }),
  );
});

test('[STAGE-4] a change keeps the fields that it leaves out, and moves the stage only when it names an order', () => {
  const anyPatch = fc
    .tuple(someStageFields, withOptionalFields({ stage: anyName, order: anyOrder }))
    .map(([fields, more]) => ({ ...fields, ...more }));
  checkProperty(
    fc.property(anyStages, fc.nat(8), anyPatch, (stages, nth, patch) => {
      const before = stages[nth];
      fc.pre(before !== undefined);
      const changed = updateStage(stages, before.id, patch);
      const after = changed.find(({ id }) => id === before.id)!;
      expect(after.order).toBe(Math.min(patch.order ?? before.order, stages.length));
      expect(after.stage).toBe(patch.stage === undefined ? before.stage : patch.stage.trim());
      expect(after.cycle_time_hrs).toBe(patch.cycle_time_hrs ?? before.cycle_time_hrs);
      expect(after.wait_time_hrs).toBe(patch.wait_time_hrs ?? before.wait_time_hrs);
      if (patch.work_type === undefined && patch.value_add === undefined)
        expect(after.work_type).toBe(before.work_type);
      const others = (list: Stage[]) =>
        list.filter(({ id }) => id !== before.id).map((stage) => ({ ...stage, order: 0 }));
      expect(others(changed)).toStrictEqual(others(stages));
    }),
  );
});

test('[STAGE-5] work_type and value_add of a stage always agree', () => {
  checkProperty(
    fc.property(anyEvents(), (events) => {
      const model = applyEvents(new AccountModel(), events);
      for (const { stages } of model.maps.values()) {
        for (const { work_type, value_add } of stages) expect(value_add).toBe(work_type === 'valuable');
      }
    }),
  );
});

function stagesById(stages: Stage[]): unknown {
  return Object.fromEntries(stages.map(({ order: _order, ...stage }) => [stage.id, stage]));
}
