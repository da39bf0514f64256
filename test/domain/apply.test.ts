import { Ajv2020 } from 'ajv/dist/2020.js';
import { customKeywords } from '../../shared/schema/field-errors.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { apply } from '../../shared/domain/apply.ts';
import type { ChangedRecords } from '../../shared/domain/state.ts';
import { isInstant } from '../../shared/schema/instant.ts';
import { MapDoc } from '../../shared/schema/map.ts';
import { mutationArgs, mutationNames } from '../../shared/schema/mutation.ts';
import { RunDoc } from '../../shared/schema/run.ts';
import { applyEvents } from './apply-events.ts';
import { checkProperty } from './check-property.ts';
import { resolveIds, anyEvents, anyMutation, type MutationEvent } from './mutations.ts';
import { AccountModel, fingerprintOf } from './account-model.ts';

const ajv = new Ajv2020({ allErrors: true, keywords: customKeywords, formats: { instant: isInstant } });

test('[DOMAIN-1] apply is deterministic and leaves its inputs alone', () => {
  checkProperty(
    fc.property(anyEvents(), anyMutation(), (events, drawn) => {
      const model = applyEvents(new AccountModel(), events);
      const before = model.snapshot();
      const mutation = resolveIds(model, drawn);
      const context = {
        now: '2026-04-01T09:30:00.000Z',
        deviceId: null,
        firstFreeId: model.nextId,
        fingerprint: fingerprintOf(mutation),
      };
      const first = apply(model, mutation, context);
      const second = apply(model, structuredClone(mutation), { ...context });
      expect(second).toStrictEqual(first);
      expect(model.snapshot()).toBe(before);
    }),
  );
});

test('[DOMAIN-2] a refused mutation changes nothing', () => {
  checkProperty(
    fc.property(anyEvents(), (events) => {
      const model = new AccountModel({ plan: 'free' });
      let before = model.snapshot();
      applyEvents(model, events, ({ outcome }) => {
        if (!outcome.ok) {
          expect(Object.keys(outcome)).toStrictEqual(['ok', 'error']);
          expect(model.snapshot()).toBe(before);
        }
        before = model.snapshot();
      });
    }),
  );
});

test('[DOMAIN-3] every record that a mutation writes fits its schema', () => {
  const fitsMap = ajv.compile(MapDoc);
  const fitsRun = ajv.compile(RunDoc);
  checkProperty(
    fc.property(anyEvents(), (events) => {
      applyEvents(new AccountModel(), events, ({ outcome }) => {
        const { map, newRun: run }: ChangedRecords = outcome.ok ? outcome.changes : {};
        if (map) expect(fitsMap(map), JSON.stringify(fitsMap.errors)).toBe(true);
        if (run) expect(fitsRun(run), JSON.stringify(fitsRun.errors)).toBe(true);
      });
    }),
  );
});

test('[DOMAIN-4] a mutation writes its own map and run and nothing else', () => {
  checkProperty(
    fc.property(anyEvents(), (events) => {
      applyEvents(new AccountModel(), events, ({ mutation, outcome }) => {
        if (!outcome.ok) return;
        const { map, newRun: run, deletedRunId } = outcome.changes;
        if ('map_id' in mutation.args) {
          expect(outcome.affectedIds.mapId).toBe(mutation.args.map_id);
          expect(map?.id ?? mutation.args.map_id).toBe(mutation.args.map_id);
        }
        expect(run?.map_id).toBe(run && map?.id);
        expect(run?.id).toBe(run && outcome.affectedIds.runId);
        expect(deletedRunId).toBe(mutation.name === 'delete_run' ? mutation.args.run_id : undefined);
      });
    }),
  );
});

test('[DOMAIN-5] mutations of devices that touch different records give the same records in any order', () => {
  const eventsOf = (device: number) => anyEvents({ device, ids: 'client' }, { lengthMax: 25 });
  checkProperty(
    fc.property(eventsOf(1), eventsOf(2), fc.array(fc.boolean(), { maxLength: 50 }), (first, second, order) => {
      const oneByOne = applyAll(new AccountModel(), [...tagged(1, first), ...tagged(2, second)]);
      const mixed = applyAll(new AccountModel(), interleaved(tagged(1, first), tagged(2, second), order));
      expect(mixed.snapshot({ versions: false })).toBe(oneByOne.snapshot({ versions: false }));
    }),
  );
});

test('the laws meet all mutations, both applied and refused', () => {
  const applied = new Set<string>();
  const refused = new Set<string>();
  checkProperty(
    fc.property(anyEvents({}, { lengthMax: 60 }), (events) => {
      const fits = (name: keyof typeof mutationArgs, args: unknown) => ajv.validate(mutationArgs[name], args);
      applyEvents(new AccountModel({ plan: 'free' }), events, ({ mutation, outcome }) => {
        (outcome.ok ? applied : refused).add(mutation.name);
        expect(fits(mutation.name, mutation.args), ajv.errorsText()).toBe(true);
      });
    }),
  );
  expect([...applied].toSorted()).toStrictEqual([...mutationNames].toSorted());
  expect([...refused].toSorted()).toStrictEqual([...mutationNames].toSorted());
});

type Tagged = MutationEvent & { device: number };

const tagged = (device: number, events: MutationEvent[]): Tagged[] => events.map((event) => ({ ...event, device }));

function applyAll(model: AccountModel, events: Tagged[]): AccountModel {
  for (const { mutation, now, device } of events) model.commit(resolveIds(model, mutation, { device }), { now });
  return model;
}

/** Merges two lists and keeps the order of each. `order` says which list gives the next item; the rest follows. */
function interleaved(first: Tagged[], second: Tagged[], order: boolean[]): Tagged[] {
  const [left, right] = [[...first], [...second]];
  const turns = order.flatMap((isFirst) => (isFirst ? left : right).shift() ?? []);
  return [...turns, ...left, ...right];
}
