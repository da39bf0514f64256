import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stageKey } from '../../shared/domain/stages/stage-key.ts';
import { presentNames } from '../../shared/domain/stages/stage-names.ts';
import type { MapDoc } from '../../shared/schema/map.ts';
import type { Mutation } from '../../shared/schema/mutation.ts';
import type { Stage } from '../../shared/schema/stage.ts';
import { applyEvents } from './apply-events.ts';
import { checkProperty } from './check-property.ts';
import { anyEvents } from './mutations.ts';
import { AccountModel } from './account-model.ts';

test('[RECORDING-1] the runs of a map are numbered 1, 2, 3... and no number is ever given twice', () => {
  checkProperty(
    fc.property(anyEvents({}, { lengthMax: 60 }), (events) => {
      const given = new Map<string, number>();
      const model = applyEvents(new AccountModel(), events, ({ outcome }) => {
        const run = outcome.ok ? outcome.changes.newRun : undefined;
        if (!run) return;
        expect(run.number).toBe((given.get(run.map_id) ?? 0) + 1);
        given.set(run.map_id, run.number);
      });
      for (const map of model.maps.values()) expect(map.last_run_number).toBe(given.get(map.id) ?? 0);
    }),
  );
});

test('[RECORDING-2] stage_count, run_count and last_run_at are right after every mutation', () => {
  checkProperty(
    fc.property(anyEvents({}, { lengthMax: 60 }), (events) => {
      const model = new AccountModel();
      applyEvents(model, events, () => {
        for (const map of model.maps.values()) {
          const existing = [...model.runs.values()].filter(({ map_id, doc }) => doc !== null && map_id === map.id);
          // The model holds runs in the order in which they were made, whatever the clocks said.
          expect(map.stage_count).toBe(map.stages.length);
          expect(map.run_count).toBe(existing.length);
          expect(map.last_run_at).toBe(existing.at(-1)?.created_at ?? null);
        }
      });
    }),
  );
});

test('[RECORDING-3] a recording that comes again changes nothing and names its first run, whatever happened since', () => {
  const replayed = { seen: 0 };
  checkProperty(
    fc.property(anyEvents(), fc.nat(), anyEvents(), (before, nth, since) => {
      const model = new AccountModel();
      const recorded: { mutation: Mutation; runId: number | undefined }[] = [];
      applyEvents(model, [...before, ...since], ({ mutation, outcome }) => {
        if (outcome.ok && outcome.changes.newRun) recorded.push({ mutation, runId: outcome.affectedIds.runId });
      });
      fc.pre(recorded.length > 0);
      const { mutation, runId } = recorded[nth % recorded.length]!;
      const held = model.snapshot();
      const again = model.commit(mutation, { now: '2031-01-01T00:00:00.000Z' });
      expect(again).toMatchObject({ ok: true, idsTaken: 0, affectedIds: { runId, isRepeatedUpload: true } });
      expect(again).toHaveProperty('changes', {});
      expect(model.snapshot()).toBe(held);
      replayed.seen += 1;
    }),
  );
  expect(replayed.seen).toBeGreaterThan(0);
});

test('[RECORDING-4] a recording session becomes at most one run', () => {
  checkProperty(
    fc.property(anyEvents({}, { lengthMax: 60 }), (events) => {
      const model = applyEvents(new AccountModel(), events);
      const sessions = [...model.runs.values()].map(({ session }) => session);
      expect(new Set(sessions).size).toBe(sessions.length);
    }),
  );
});

test('[RECORDING-5] each step becomes, in the order of `order`, one stage and one step of the run', () => {
  checkProperty(
    fc.property(anyEvents(), (events) => {
      applyEvents(new AccountModel(), events, ({ mutation, outcome }) => {
        if (!outcome.ok || !outcome.changes.newRun || !('steps' in mutation.args)) return;
        if ('stages' in mutation.args && mutation.args.stages !== undefined && mutation.args.stages !== 'replace')
          return;
        const { map, newRun: run } = outcome.changes;
        const sorted = mutation.args.steps.toSorted((a, b) => a.order - b.order);
        if (sorted.some(({ interruption }) => interruption)) return;
        expect(map!.stages.map(({ stage }) => stage)).toStrictEqual(sorted.map(({ stage_name }) => stage_name.trim()));
        expect(map!.stages.map((stage) => stage.cycle_time_hrs)).toStrictEqual(
          sorted.map((s) => s.duration_secs / 3600),
        );
        expect(map!.stages.every(({ wait_time_hrs }) => wait_time_hrs === 0)).toBe(true);
        expect(run.steps.map(({ stage_name }) => stage_name)).toStrictEqual(map!.stages.map(({ stage }) => stage));
        expect(run.steps.map(({ duration_secs }) => duration_secs)).toStrictEqual(sorted.map((s) => s.duration_secs));
        expect(run.steps.map(({ work_type }) => work_type)).toStrictEqual(
          map!.stages.map(({ work_type }) => work_type),
        );
        expect(run.steps.map(({ order }) => order)).toStrictEqual(sorted.map((_, index) => index + 1));
      });
    }),
  );
});

test('[RECORDING-13] [RECORDING-16] a recording that keeps or merges loses no stage and no waiting time', () => {
  checkProperty(
    fc.property(anyEvents({}, { lengthMax: 40 }), (events) => {
      const model = new AccountModel();
      let before = new Map<string, MapDoc>();
      applyEvents(model, events, ({ mutation, outcome }) => {
        const earlier = before;
        before = new Map(model.maps);
        if (!outcome.ok || !outcome.changes.newRun || !outcome.changes.map || !('steps' in mutation.args)) return;
        const { map } = outcome.changes;
        if (mutation.name !== 'upload_recording' && mutation.name !== 'record_new_map') return;
        const { stages: mode = 'replace', steps } = mutation.args;
        const stages = earlier.get(map.id)?.stages ?? [];
        if (mode === 'keep') expect(map.stages).toStrictEqual(stages);
        if (mode !== 'merge') return;
        const known = (list: Stage[]) => list.filter(({ id }) => stages.some((stage) => stage.id === id));
        const unchanging = ({ id, stage, wait_time_hrs, work_type }: Stage) => ({
          id,
          stage,
          wait_time_hrs,
          work_type,
        });
        expect(known(map.stages).map(unchanging)).toStrictEqual(stages.map(unchanging));
        const presentName = presentNames(stages);
        const observed = steps.filter(({ interruption }) => !interruption);
        const recorded = new Set(observed.map(({ stage_name }) => presentName(stage_name).key));
        for (const stage of known(map.stages)) {
          const was = stages.find(({ id }) => id === stage.id);
          if (!recorded.has(stageKey(stage.stage))) expect(stage.cycle_time_hrs).toBe(was?.cycle_time_hrs);
        }
        const names = new Set(map.stages.map(({ stage }) => stageKey(stage)));
        expect([...recorded].filter((name) => !names.has(name))).toEqual([]);
      });
    }),
  );
});
