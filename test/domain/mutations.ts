/**
 * Arbitrary sequences of mutations. Maps, ids and sessions come from small pools, so that mutations collide. A mutation is
 * drawn before its stages and runs exist, so it has an index in place of an id. `resolveIds` replaces each index by an id.
 */
import fc from 'fast-check';
import { deviceMadeIdMin } from '../../shared/schema/limits.ts';
import type { Mutation, MutationName } from '../../shared/schema/mutation.ts';
import { anyInstant, anyName, anySteps, withOptionalFields, someStageFields } from './fields.ts';
import type { AccountModel } from './account-model.ts';

export interface MutationEvent {
  mutation: Mutation;
  now: string;
}

interface DrawOptions {
  /** The number of the pool. Devices with different pools never change the same records. */
  device?: number;
  /** `client`: the device makes the ids of all new records. `mixed`: the server makes some of them. */
  ids?: 'client' | 'mixed';
}

/** Draws events whose `now` jumps back as often as forward, since no clock can be trusted. */
export function anyEvents(pools: DrawOptions = {}, { lengthMax = 40 } = {}): fc.Arbitrary<MutationEvent[]> {
  return fc.array(fc.record({ mutation: anyMutation(pools), now: anyInstant }), {
    maxLength: lengthMax,
    // The default size draws mostly short sequences, in which few mutations collide.
    size: 'max',
  });
}

export const mapIdOf = (index: number): string => `00000000-0000-7000-8000-${String(index).padStart(12, '0')}`;

export function anyMutation({ device = 0, ids = 'mixed' }: DrawOptions = {}): fc.Arbitrary<Mutation> {
  const map_id = fc.nat(2).map((index) => mapIdOf(device * 10 + index));
  const clientId = fc.nat(60).map((id) => deviceMadeIdMin + device * 1_000 + id);
  const index = fc.nat(12);
  const made = <Fields>(fields: { [Name in keyof Fields]: fc.Arbitrary<Fields[Name]> }) =>
    (ids === 'client' ? fc.record(fields) : withOptionalFields(fields)) as fc.Arbitrary<Partial<Fields>>;
  const recording_session_id = fc.nat(30).map((id) => `session-${device}-${id}`);
  const mapFields = withOptionalFields({
    industry: fc.constantFrom('', 'steel'),
    description: anyName,
    state: anyState,
  });
  const mapPatch = withOptionalFields({
    name: anyName,
    industry: fc.constantFrom('', 'steel'),
    state: anyState,
    archived: fc.boolean(),
  });
  const order = withOptionalFields({ order: fc.integer({ min: 1, max: 12 }) });

  const recording = fc
    .tuple(
      fc.record({ recording_session_id, steps: anySteps }),
      made({ run_id: clientId, stage_ids: clientId }),
      withOptionalFields({ started_at: anyInstant, stages: fc.constantFrom('replace', 'keep', 'merge') }),
    )
    .map(([required, { run_id, stage_ids }, started]) => ({
      ...required,
      ...started,
      ...(run_id === undefined ? {} : { run_id }),
      ...(stage_ids === undefined ? {} : { stage_ids: idsOfSteps(required.steps, stage_ids) }),
    }));

  const args = {
    create_map: mergedRecords(fc.record({ map_id, name: anyName }), mapFields),
    update_map: mergedRecords(fc.record({ map_id }), mapPatch),
    delete_map: fc.record({ map_id }),
    restore_map: fc.record({ map_id }),
    add_stage: mergedRecords(
      mergedRecords(fc.record({ map_id, stage: anyName }), made({ stage_id: clientId })),
      mergedRecords(someStageFields, order),
    ),
    update_stage: mergedRecords(
      fc.record({ map_id, stage_id: index }),
      mergedRecords(mergedRecords(someStageFields, order), withOptionalFields({ stage: anyName })),
    ),
    delete_stage: fc.record({ map_id, stage_id: index }),
    reorder_stages: fc.record({ map_id, stage_ids: fc.array(index, { minLength: 8, maxLength: 8 }) }),
    replace_stages: fc
      .tuple(map_id, anyReplacements(index), made({ stage_ids: clientId }))
      .map(([id, stages, { stage_ids }]) => ({
        map_id: id,
        stages,
        ...(stage_ids === undefined ? {} : { stage_ids: idsOfSteps(stages, stage_ids) }),
      })),
    upload_recording: mergedRecords(fc.record({ map_id }), recording),
    record_new_map: mergedRecords(fc.record({ map_id, name: anyName }), recording),
    update_run: mergedRecords(
      fc.record({ run_id: index }),
      withOptionalFields({
        name: anyName,
        tags: fc.uniqueArray(fc.constantFrom('shift A', 'baseline'), { maxLength: 2 }),
        note: anyName,
        excluded: fc.constantFrom(null, { reason: 'power cut' }),
      }),
    ),
    correct_run: fc.record({ run_id: index, steps: anySteps }),
    delete_run: fc.record({ run_id: index }),
  } satisfies { [Name in MutationName]: fc.Arbitrary<Extract<Mutation, { name: Name }>['args']> };

  const drawn = (Object.keys(args) as MutationName[]).map((name) => ({
    arbitrary: (args[name] as fc.Arbitrary<unknown>).map((drawnArgs) => ({ name, args: drawnArgs }) as Mutation),
    weight: weights[name],
  }));
  return fc.oneof(...drawn);
}

/** Deletions are rarer than the mutations that make what they delete. */
const weights: Record<MutationName, number> = {
  create_map: 3,
  update_map: 1,
  delete_map: 1,
  restore_map: 1,
  add_stage: 4,
  update_stage: 4,
  delete_stage: 2,
  reorder_stages: 3,
  replace_stages: 3,
  upload_recording: 4,
  record_new_map: 2,
  update_run: 2,
  correct_run: 2,
  delete_run: 2,
};

const anyReplacements = (index: fc.Arbitrary<number>) =>
  fc.array(
    mergedRecords(
      fc.record({ stage: anyName }),
      mergedRecords(someStageFields, withOptionalFields({ id: index, aliases: fc.array(anyName, { maxLength: 3 }) })),
    ),
    { maxLength: 8 },
  );

const anyState = fc.constantFrom('current' as const, 'future' as const);

/** Replaces each index by a real id; index 0 stays an id that no stage and no run has. */
export function resolveIds(model: AccountModel, mutation: Mutation, { device = 0 }: DrawOptions = {}): Mutation {
  switch (mutation.name) {
    case 'update_stage':
    case 'delete_stage': {
      const { map_id, stage_id: index } = mutation.args;
      const stage_id = itemAt(model.map(map_id)?.stages ?? [], index)?.id ?? unusedId;
      return { ...mutation, args: { ...mutation.args, stage_id } } as Mutation;
    }
    case 'reorder_stages': {
      const { map_id, stage_ids: keys } = mutation.args;
      return { ...mutation, args: { map_id, stage_ids: shuffledIds(model.map(map_id)?.stages ?? [], keys) } };
    }
    case 'replace_stages': {
      const { map_id, stages } = mutation.args;
      const known = model.map(map_id)?.stages ?? [];
      const listed = new Set<number>();
      const resolved = stages.map(({ id: place = 0, ...fields }) => {
        const id = itemAt(known, place)?.id ?? unusedId;
        if (listed.has(id)) return fields;
        listed.add(id);
        return { ...fields, id };
      });
      return { ...mutation, args: { ...mutation.args, stages: resolved } };
    }
    case 'update_run':
    case 'correct_run':
    case 'delete_run': {
      const own = [...model.runs.values()].filter(
        ({ doc, session }) => doc && session.startsWith(`session-${device}-`),
      );
      const run_id = itemAt(own, mutation.args.run_id)?.id ?? unusedId;
      return { ...mutation, args: { ...mutation.args, run_id } } as Mutation;
    }
    default:
      return mutation;
  }
}

/** Orders the stages by the keys. One stage is left out if the first key is 0, which makes the mutation invalid. */
function shuffledIds(stages: readonly { id: number }[], keys: number[]): number[] {
  const ids = stages.map(({ id }, place) => ({ id, key: keys[place % keys.length]! }));
  const shuffled = ids.toSorted((a, b) => a.key - b.key).map(({ id }) => id);
  return keys[0] === 0 ? shuffled.slice(1) : shuffled;
}

const unusedId = 2 ** 52;

function itemAt<Thing>(things: Thing[], index: number): Thing | undefined {
  return index === 0 ? undefined : things[index % things.length];
}

function idsOfSteps(steps: readonly unknown[], first: number): number[] {
  return steps.map((_, index) => first + index);
}

function mergedRecords<A extends object, B extends object>(
  a: fc.Arbitrary<A>,
  b: fc.Arbitrary<B>,
): fc.Arbitrary<A & B> {
  return fc.tuple(a, b).map(([first, second]) => ({ ...first, ...second }));
}
