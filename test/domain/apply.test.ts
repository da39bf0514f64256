import { Ajv2020 } from 'ajv/dist/2020.js';
import { wordKeywords } from '../../shared/schema/field-errors.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { apply } from '../../shared/domain/apply.ts';
import type { Changes } from '../../shared/domain/state.ts';
import { isInstant } from '../../shared/schema/instant.ts';
import { MapDoc } from '../../shared/schema/map.ts';
import { mutationArgs, mutationNames } from '../../shared/schema/mutation.ts';
import { RunDoc } from '../../shared/schema/run.ts';
import { happen } from './happen.ts';
import { law } from './law.ts';
import { aim, anyEvents, anyMutation, type Event } from './mutations.ts';
import { World, fingerprintOf } from './world.ts';

const ajv = new Ajv2020({ allErrors: true, keywords: wordKeywords, formats: { instant: isInstant } });

test('[DOMAIN-1] apply is deterministic and leaves its inputs alone', () => {
  law(
    fc.property(anyEvents(), anyMutation(), (events, drawn) => {
      const world = happen(new World(), events);
      const before = world.snapshot();
      const mutation = aim(world, drawn);
      const context = {
        now: '2026-04-01T09:30:00.000Z',
        deviceId: null,
        firstFreeId: world.nextId,
        fingerprint: fingerprintOf(mutation),
      };
      const first = apply(world, mutation, context);
      const second = apply(world, structuredClone(mutation), { ...context });
      expect(second).toStrictEqual(first);
      expect(world.snapshot()).toBe(before);
    }),
  );
});

test('[DOMAIN-2] a refused mutation changes nothing', () => {
  law(
    fc.property(anyEvents(), (events) => {
      const world = new World({ plan: 'free' });
      let before = world.snapshot();
      happen(world, events, ({ outcome }) => {
        if (!outcome.ok) {
          expect(Object.keys(outcome)).toStrictEqual(['ok', 'error']);
          expect(world.snapshot()).toBe(before);
        }
        before = world.snapshot();
      });
    }),
  );
});

test('[DOMAIN-3] every record that a mutation writes fits its schema', () => {
  const fitsMap = ajv.compile(MapDoc);
  const fitsRun = ajv.compile(RunDoc);
  law(
    fc.property(anyEvents(), (events) => {
      happen(new World(), events, ({ outcome }) => {
        const { map, run }: Changes = outcome.ok ? outcome.changes : {};
        if (map) expect(fitsMap(map), JSON.stringify(fitsMap.errors)).toBe(true);
        if (run) expect(fitsRun(run), JSON.stringify(fitsRun.errors)).toBe(true);
      });
    }),
  );
});

test('[DOMAIN-4] a mutation writes its own map and run and nothing else', () => {
  law(
    fc.property(anyEvents(), (events) => {
      happen(new World(), events, ({ mutation, outcome }) => {
        if (!outcome.ok) return;
        const { map, run, deletedRunId } = outcome.changes;
        if ('map_id' in mutation.args) {
          expect(outcome.subject.mapId).toBe(mutation.args.map_id);
          expect(map?.id ?? mutation.args.map_id).toBe(mutation.args.map_id);
        }
        expect(run?.map_id).toBe(run && map?.id);
        expect(run?.id).toBe(run && outcome.subject.runId);
        expect(deletedRunId).toBe(mutation.name === 'delete_run' ? mutation.args.run_id : undefined);
      });
    }),
  );
});

test('[DOMAIN-5] mutations of devices that touch different records give the same records in any order', () => {
  const eventsOf = (device: number) => anyEvents({ device, ids: 'client' }, { lengthMax: 25 });
  law(
    fc.property(eventsOf(1), eventsOf(2), fc.array(fc.boolean(), { maxLength: 50 }), (first, second, order) => {
      const oneByOne = play(new World(), [...tagged(1, first), ...tagged(2, second)]);
      const mixed = play(new World(), interleaved(tagged(1, first), tagged(2, second), order));
      expect(mixed.snapshot({ versions: false })).toBe(oneByOne.snapshot({ versions: false }));
    }),
  );
});

test('the laws meet all eleven mutations, both applied and refused', () => {
  const applied = new Set<string>();
  const refused = new Set<string>();
  law(
    fc.property(anyEvents({}, { lengthMax: 60 }), (events) => {
      const fits = (name: keyof typeof mutationArgs, args: unknown) => ajv.validate(mutationArgs[name], args);
      happen(new World({ plan: 'free' }), events, ({ mutation, outcome }) => {
        (outcome.ok ? applied : refused).add(mutation.name);
        expect(fits(mutation.name, mutation.args), ajv.errorsText()).toBe(true);
      });
    }),
  );
  expect([...applied].toSorted()).toStrictEqual([...mutationNames].toSorted());
  expect([...refused].toSorted()).toStrictEqual([...mutationNames].toSorted());
});

type Tagged = Event & { device: number };

const tagged = (device: number, events: Event[]): Tagged[] => events.map((event) => ({ ...event, device }));

function play(world: World, events: Tagged[]): World {
  for (const { mutation, now, device } of events) world.commit(aim(world, mutation, { device }), { now });
  return world;
}

/** Merges two lists and keeps the order of each; `order` says which list gives the next item, and the rest follows. */
function interleaved(first: Tagged[], second: Tagged[], order: boolean[]): Tagged[] {
  const [left, right] = [[...first], [...second]];
  const turns = order.flatMap((isFirst) => (isFirst ? left : right).shift() ?? []);
  return [...turns, ...left, ...right];
}
