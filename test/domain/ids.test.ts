import fc from 'fast-check';
import { expect, test } from 'vitest';
import { deviceMadeIdMin } from '../../shared/schema/limits.ts';
import type { Mutation } from '../../shared/schema/mutation.ts';
import { applyEvents } from './apply-events.ts';
import { checkProperty } from './check-property.ts';
import { anyEvents, mapIdOf } from './mutations.ts';
import { AccountModel } from './account-model.ts';

const now = '2026-04-01T09:30:00.000Z';
const map_id = mapIdOf(1);

test('[DOMAIN-7] [DOMAIN-14] no id of a run or of a stage of a map is ever given twice, and what a client picked is kept', () => {
  checkProperty(
    fc.property(anyEvents(), (events) => {
      const runIds = new Set<number>();
      const stageIds = new Set<string>();
      applyEvents(new AccountModel(), events, ({ mutation, outcome }) => {
        if (!outcome.ok || outcome.affectedIds.isRepeatedUpload) return;
        const { runId, mapId, stageId, stageIdsOfSteps: recorded } = outcome.affectedIds;
        if (outcome.changes.newRun) expect(addIfNew(runIds, runId!)).toBe(true);
        if (mutation.name === 'add_stage') expect(addIfNew(stageIds, `${mapId}|${stageId}`)).toBe(true);
        for (const id of recorded ?? []) expect(addIfNew(stageIds, `${mapId}|${id}`)).toBe(true);
        const { args } = mutation;
        if ('run_id' in args && outcome.changes.newRun) expect(runId).toBe(args.run_id);
        if (mutation.name === 'add_stage' && mutation.args.stage_id) expect(stageId).toBe(mutation.args.stage_id);
        if (recorded && 'stage_ids' in args && 'steps' in args && args.stage_ids) {
          const sentIds = args.stage_ids;
          const ofSteps = args.steps.map(({ order }, index) => ({ order, id: sentIds[index] ?? 0 }));
          expect(recorded).toStrictEqual(ofSteps.toSorted((a, b) => a.order - b.order).map(({ id }) => id));
        }
      });
    }),
  );
});

test('[DOMAIN-8] ids that the server makes count up from the first free one and never reach 2^31', () => {
  checkProperty(
    fc.property(anyEvents(), fc.integer({ min: 1, max: deviceMadeIdMin - 2_000 }), (events, nextId) => {
      const model = new AccountModel({ nextId });
      const seen = new Set<string>();
      applyEvents(model, events, ({ outcome }) => {
        if (!outcome.ok) return;
        const { changes, idsTaken } = outcome;
        const runIds = changes.newRun ? [changes.newRun.id] : [];
        const newStages = (changes.map?.stages ?? []).filter((stage) => !seen.has(`${stage.map_id} ${stage.id}`));
        for (const stage of newStages) seen.add(`${stage.map_id} ${stage.id}`);
        const stageIds = newStages.map(({ id }) => id);
        const made = [...runIds, ...stageIds].filter((id) => id < deviceMadeIdMin).toSorted((a, b) => a - b);
        const firstFree = model.nextId - idsTaken;
        expect(made).toStrictEqual(Array.from({ length: idsTaken }, (_, index) => firstFree + index));
      });
    }),
  );

  const full = new AccountModel({ nextId: deviceMadeIdMin - 2 });
  expect(full.commit({ name: 'create_map', args: { map_id, name: 'Press' } }, { now }).ok).toBe(true);
  const steps = [
    { stage_name: 'Open', order: 1, duration_secs: 1 },
    { stage_name: 'Close', order: 2, duration_secs: 1 },
  ];
  const upload: Mutation = { name: 'upload_recording', args: { map_id, recording_session_id: 'full', steps } };
  expect(() => full.commit(upload, { now })).toThrow('ids');
  expect(full.commit({ name: 'add_stage', args: { map_id, stage: 'Open' } }, { now })).toMatchObject({
    ok: true,
    affectedIds: { stageId: deviceMadeIdMin - 2 },
  });
  expect(full.commit({ name: 'add_stage', args: { map_id, stage: 'Shut' } }, { now })).toMatchObject({
    ok: true,
    affectedIds: { stageId: deviceMadeIdMin - 1 },
  });
  const oneMore: Mutation = { name: 'add_stage', args: { map_id, stage: 'Lock' } };
  expect(() => full.commit(oneMore, { now })).toThrow('the account has no server-made ids left');
  expect(full.commit({ name: 'update_map', args: { map_id, name: 'Old press' } }, { now }).ok).toBe(true);
});

test('[DOMAIN-9] an id below 2^31 that a client made is refused', () => {
  checkProperty(
    fc.property(fc.integer({ min: 1, max: deviceMadeIdMin - 1 }), (id) => {
      const model = new AccountModel();
      model.commit({ name: 'create_map', args: { map_id, name: 'Press' } }, { now });
      const steps = [{ stage_name: 'Open', order: 1, duration_secs: 1 }];
      const recording = { map_id, recording_session_id: 'low', steps };
      const lows: { mutation: Mutation; path: string }[] = [
        { mutation: { name: 'add_stage', args: { map_id, stage: 'Open', stage_id: id } }, path: '/stage_id' },
        { mutation: { name: 'upload_recording', args: { ...recording, run_id: id } }, path: '/run_id' },
        { mutation: { name: 'upload_recording', args: { ...recording, stage_ids: [id] } }, path: '/stage_ids/0' },
      ];
      for (const { mutation, path } of lows) {
        const outcome = model.commit(mutation, { now });
        expect(outcome).toMatchObject({ ok: false, error: { code: 'validation_failed', errors: [{ path }] } });
      }
      const atTheEdge = { ...recording, run_id: deviceMadeIdMin, stage_ids: [deviceMadeIdMin] };
      expect(model.commit({ name: 'upload_recording', args: atTheEdge }, { now }).ok).toBe(true);
    }),
  );
});

function addIfNew<Thing>(seen: Set<Thing>, thing: Thing): boolean {
  const before = seen.size;
  return seen.add(thing).size > before;
}
