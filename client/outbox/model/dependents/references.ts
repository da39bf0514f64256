/** Finds the records that a mutation creates and the existing records that it refers to. Pure. */
import type { MutationName } from '../../../../shared/schema/mutation.ts';
import { isMutationName } from '../../../core/validate.ts';
import { newMutation, type NewMutation } from '../mutation.ts';

/** Identifies a map, a stage or a run. Stage ids are random, so the reference to a stage needs no map id. */
export type RecordReference = `${'map' | 'stage' | 'run'}|${string | number}`;

interface AnyMutation {
  name: MutationName;
  args: object;
}

interface IdFields {
  map_id?: string;
  stage_id?: number;
  stage_ids?: number[];
  run_id?: number;
}

export function recordsCreatedBy(mutation: AnyMutation): RecordReference[] {
  return referencesOf(mutation).filter((reference) => createsRecord(mutation.name, reference));
}

export function recordsReferencedBy(mutation: AnyMutation): RecordReference[] {
  const keptStages = listedStagesOf(mutation).flatMap((stage) =>
    typeof stage?.id === 'number' ? [`stage|${stage.id}` as const] : [],
  );
  return [...referencesOf(mutation).filter((reference) => !createsRecord(mutation.name, reference)), ...keptStages];
}

/**
 * Compares two mutations that create the same records under different ids. Returns the id of each record in `after`, by
 * the record's reference in `before`. Unchanged ids are left out.
 */
export function changedIdsBetween(
  before: AnyMutation,
  after: AnyMutation,
): ReadonlyMap<RecordReference, string | number> {
  const made = recordsCreatedBy(after);
  const changedIds = new Map<RecordReference, string | number>();
  const madeBefore = recordsCreatedBy(before);
  for (const kind of ['map', 'stage', 'run'] as const) {
    const ofKind = (references: RecordReference[]) =>
      references.filter((reference) => reference.startsWith(`${kind}|`));
    const successors = ofKind(made);
    for (const [index, old] of ofKind(madeBefore).entries()) {
      const successor = successors[index];
      if (successor !== undefined && successor !== old) changedIds.set(old, idOfReference(successor));
    }
  }
  return changedIds;
}

export function withChangedIds(
  mutation: AnyMutation,
  changedIds: ReadonlyMap<RecordReference, string | number>,
): NewMutation {
  const { map_id, stage_id, stage_ids, run_id } = idsIn(mutation);
  const listed = listedStagesOf(mutation);
  const current = <Id extends string | number>(kind: 'map' | 'stage' | 'run', id: Id): Id =>
    (changedIds.get(`${kind}|${id}`) as Id | undefined) ?? id;
  const args = {
    ...mutation.args,
    ...(map_id === undefined ? {} : { map_id: current('map', map_id) }),
    ...(stage_id === undefined ? {} : { stage_id: current('stage', stage_id) }),
    ...(stage_ids === undefined ? {} : { stage_ids: stage_ids.map((id) => current('stage', id)) }),
    ...(run_id === undefined ? {} : { run_id: current('run', run_id) }),
    ...(listed.length === 0 ? {} : { stages: listed.map((stage) => withChangedStageId(stage, current)) }),
  };
  return newMutation({ name: mutation.name, args });
}

interface ListedStage {
  id?: unknown;
}

/**
 * Returns the stages in the args of `replace_stages`. A stage with an id is kept, so the mutation refers to that stage.
 */
function listedStagesOf({ name, args }: AnyMutation): ListedStage[] {
  if (name !== 'replace_stages' || !('stages' in args) || !Array.isArray(args.stages)) return [];
  return args.stages;
}

const withChangedStageId = (stage: ListedStage, current: (kind: 'stage', id: number) => number): ListedStage =>
  typeof stage?.id === 'number' ? { ...stage, id: current('stage', stage.id) } : stage;

function referencesOf(mutation: AnyMutation): RecordReference[] {
  const { map_id, stage_id, stage_ids = [], run_id } = idsIn(mutation);
  return [
    ...(map_id === undefined ? [] : [`map|${map_id}` as const]),
    ...[...(stage_id === undefined ? [] : [stage_id]), ...stage_ids].map((id) => `stage|${id}` as const),
    ...(run_id === undefined ? [] : [`run|${run_id}` as const]),
  ];
}

/** Reads the ids in the args. Ignores values of a wrong type, since a refused mutation may have invalid args. */
function idsIn({ args }: AnyMutation): IdFields {
  const { map_id, stage_id, stage_ids, run_id } = args as Record<string, unknown>;
  return {
    ...(typeof map_id === 'string' ? { map_id } : {}),
    ...(typeof stage_id === 'number' ? { stage_id } : {}),
    ...(Array.isArray(stage_ids) ? { stage_ids: stage_ids.filter((id) => typeof id === 'number') } : {}),
    ...(typeof run_id === 'number' ? { run_id } : {}),
  };
}

const recordKindsCreatedBy: Record<MutationName, readonly string[]> = {
  create_map: ['map'],
  update_map: [],
  delete_map: [],
  restore_map: [],
  add_stage: ['stage'],
  update_stage: [],
  delete_stage: [],
  reorder_stages: [],
  replace_stages: ['stage'],
  upload_recording: ['run', 'stage'],
  record_new_map: ['map', 'run', 'stage'],
  update_run: [],
  correct_run: [],
  delete_run: [],
};

const kindOfReference = (reference: RecordReference): string => reference.slice(0, reference.indexOf('|'));

/** A mutation that only a newer version of the app knows counts as creating no records. */
const createsRecord = (name: MutationName, reference: RecordReference): boolean =>
  isMutationName(name) && recordKindsCreatedBy[name].includes(kindOfReference(reference));

function idOfReference(reference: RecordReference): string | number {
  const id = reference.slice(reference.indexOf('|') + 1);
  return kindOfReference(reference) === 'map' ? id : Number(id);
}
