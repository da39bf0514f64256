import fc from 'fast-check';
import { expect, test } from 'vitest';
import { analyticsOf } from '../../shared/domain/analytics.ts';
import { toFullMap, newMap, withoutStages, withStages } from '../../shared/domain/map.ts';
import { newStage } from '../../shared/domain/stages/stages.ts';
import { mapsOfFreePlanMax } from '../../shared/schema/limits.ts';
import { applyEvents } from './apply-events.ts';
import { checkProperty } from './check-property.ts';
import { anyEvents } from './mutations.ts';
import { AccountModel } from './account-model.ts';

test('[DOMAIN-10] [DOMAIN-15] [DOMAIN-16] a free account never has more maps than its plan allows, and is told the limit; a team has no cap', () => {
  const capped = { seen: 0 };
  checkProperty(
    fc.property(anyEvents(), (events) => {
      const free = new AccountModel({ plan: 'free' });
      applyEvents(free, events, ({ outcome }) => {
        expect(free.mapUsage().liveMaps).toBeLessThanOrEqual(mapsOfFreePlanMax);
        if (outcome.ok || outcome.error.code !== 'map_cap_reached') return;
        expect(outcome.error.members).toStrictEqual({ limit: mapsOfFreePlanMax, plan: 'free' });
        expect(free.mapUsage().liveMaps).toBe(mapsOfFreePlanMax);
        capped.seen += 1;
      });
      applyEvents(new AccountModel({ plan: 'team' }), events, ({ outcome }) => {
        expect(!outcome.ok && outcome.error.code === 'map_cap_reached').toBe(false);
      });
    }),
  );
  expect(capped.seen).toBeGreaterThan(0);
});

test('[DOMAIN-11] a map in the recycle bin takes no change but restore, the deletion of a run; what it took before is answered again', () => {
  checkProperty(
    fc.property(anyEvents(), (events) => {
      const model = new AccountModel();
      const binned = new Map<string, string>();
      applyEvents(model, events, ({ mutation, outcome, now }) => {
        const mapId = 'map_id' in mutation.args ? mutation.args.map_id : undefined;
        const before = mapId === undefined ? undefined : binned.get(mapId);
        const map = mapId === undefined ? undefined : model.map(mapId);
        if (before !== undefined && mutation.name !== 'restore_map') {
          expect(JSON.stringify(map)).toBe(before);
          const harmless = mutation.name === 'delete_map' || (outcome.ok && outcome.affectedIds.isRepeatedUpload);
          if (!harmless) expect(outcome.ok).toBe(false);
        }
        if (outcome.ok && outcome.changes.map && mutation.name === 'delete_map') expect(map!.deleted_at).toBe(now);
        binned.clear();
        for (const one of model.maps.values()) {
          expect(one.deleted).toBe(one.deleted_at !== null);
          if (one.deleted) binned.set(one.id, JSON.stringify(one));
        }
      });
    }),
  );
});

test('[DOMAIN-12] deleting, restoring and changing a map, or a stage, to what it already is changes nothing', () => {
  checkProperty(
    fc.property(anyEvents(), (events) => {
      const model = new AccountModel();
      applyEvents(model, events, ({ mutation, outcome, now }) => {
        const repeatable = ['delete_map', 'restore_map', 'update_map', 'update_stage'].includes(mutation.name);
        if (!outcome.ok || !repeatable) return;
        const held = model.snapshot();
        const again = model.commit(mutation, { now });
        expect(again).toEqual({ ok: true, changes: {}, affectedIds: outcome.affectedIds, idsTaken: 0 });
        expect(model.snapshot()).toBe(held);
      });
    }),
  );
});

const empty = newMap('map', { name: 'Line 1' }, '2026-04-01T09:30:00.000Z');
const stages = [newStage({ id: 1, mapId: 'map' }, { stage: 'Load', cycle_time_hrs: 2, work_type: 'valuable' })];

test('[RECORDING-2] a map counts the stages that it gets, and lists show it without them', () => {
  const map = withStages(empty, stages);
  expect(map).toStrictEqual({ ...empty, stages, stage_count: 1 });
  const { stages: _stages, ...record } = map;
  expect(withoutStages(map)).toStrictEqual(record);
});

test('[ANALYTICS-3] a map is shown with the analytics of its stages', () => {
  const map = withStages(empty, stages);
  expect(toFullMap(map)).toStrictEqual({ ...map, analytics: analyticsOf(map) });
  expect(toFullMap(map).analytics).toMatchObject({ lead_time_hrs: 2, value_add_time_hrs: 2, pce: 1 });
});
