/**
 * The device-made stage ids that are in use: the ids that one transaction has read, and the ids that its mutations add.
 */
import { assert } from '../../../shared/domain/assert.ts';
import type { CompleteArgs, Mutation, MutationName } from '../../../shared/schema/mutation.ts';
import type { StageKey } from '../../store/transaction.ts';

export class StageIdSet {
  readonly #read = new StageKeySet();
  readonly #used = new StageKeySet();
  readonly #added: StageKey[] = [];

  constructor(used: StageKey[], read: StageKey[]) {
    for (const key of read) this.#read.add(key);
    for (const key of used) this.#used.add(key);
  }

  /** Returns true if the map has, or ever had, a stage with this device-made id. */
  has(key: StageKey): boolean {
    if (this.#used.has(key)) return true;
    assert(this.#read.has(key), 'the stage id is in the read set');
    return false;
  }

  add(key: StageKey): void {
    this.#used.add(key);
    this.#added.push(key);
  }

  addedKeys(): StageKey[] {
    return this.#added;
  }
}

/** Returns the device-made ids that the mutation has for new stages. The mutation may use only some of these ids. */
export function deviceMadeStageIdsOf<Name extends MutationName>({ name, args }: Mutation<Name>): StageKey[] {
  return deviceMadeStageIdsByName[name](args);
}

const deviceMadeStageIdsByName: { [Name in MutationName]: (args: CompleteArgs[Name]) => StageKey[] } = {
  create_map: noStageIds,
  update_map: noStageIds,
  delete_map: noStageIds,
  restore_map: noStageIds,
  add_stage: ({ map_id, stage_id }) => (stage_id === undefined ? [] : [{ map_id, id: stage_id }]),
  update_stage: noStageIds,
  delete_stage: noStageIds,
  reorder_stages: noStageIds,
  replace_stages: sentStageIds,
  upload_recording: sentStageIds,
  record_new_map: sentStageIds,
  update_run: noStageIds,
  correct_run: noStageIds,
  delete_run: noStageIds,
};

function noStageIds(): StageKey[] {
  return [];
}

function sentStageIds({ map_id, stage_ids = [] }: { map_id: string; stage_ids?: number[] }): StageKey[] {
  return stage_ids.map((id) => ({ map_id, id }));
}

/**
 * A set of stage keys, with one set of ids for each map. A push has thousands of keys. One set of all keys would need a
 * text for each key, and would cost more.
 */
class StageKeySet {
  readonly #idsByMap = new Map<string, Set<number>>();

  has({ map_id, id }: StageKey): boolean {
    return this.#idsByMap.get(map_id)?.has(id) ?? false;
  }

  add({ map_id, id }: StageKey): void {
    const ids = this.#idsByMap.get(map_id);
    if (ids) ids.add(id);
    else this.#idsByMap.set(map_id, new Set([id]));
  }
}
