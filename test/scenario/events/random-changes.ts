/** Random changes of a few maps and their runs, with ids that devices make. Some are refused, since callers collide. */
import { randomUUID } from 'node:crypto';
import { deviceMadeIdMin } from '../../../shared/schema/limits.ts';
import { steps } from '../../contract/fixture.ts';
import { pickOne, randomBelow, type Random } from '../../random.ts';

export interface RandomChange {
  name: string;
  args: Record<string, unknown>;
}

const mapsMax = 40;
const idsApart = 1_000_000;

/** The callers of one account share the maps and runs, so that they change the same ones. */
export interface SharedRecords {
  mapIds: string[];
  runIds: number[];
  stageIds: number[];
}

export class RandomChanges {
  readonly #random: Random;
  readonly #shared: SharedRecords;
  #nextId: number;

  constructor(random: Random, shared: SharedRecords, caller: number) {
    this.#random = random;
    this.#shared = shared;
    this.#nextId = deviceMadeIdMin + caller * idsApart;
  }

  next(): RandomChange {
    const { mapIds, runIds, stageIds } = this.#shared;
    if (mapIds.length === 0 || (mapIds.length < mapsMax && randomBelow(this.#random, 20) === 0)) {
      const map_id = randomUUID();
      mapIds.push(map_id);
      return { name: 'create_map', args: { map_id, name: this.#name() } };
    }
    const map_id = pickOne(this.#random, mapIds);
    switch (randomBelow(this.#random, 12)) {
      case 0:
        return { name: 'update_map', args: { map_id, name: this.#name() } };
      case 1:
        return { name: 'delete_map', args: { map_id } };
      case 2:
      case 3:
        return { name: 'restore_map', args: { map_id } };
      case 4:
        return { name: 'add_stage', args: { map_id, stage_id: this.#newId(stageIds), stage: this.#name() } };
      case 5:
        if (stageIds.length === 0) break;
        return { name: 'delete_stage', args: { map_id, stage_id: pickOne(this.#random, stageIds) } };
      case 6:
        if (runIds.length === 0) break;
        return { name: 'delete_run', args: { run_id: pickOne(this.#random, runIds) } };
      case 7:
        if (runIds.length === 0) break;
        return { name: 'update_run', args: { run_id: pickOne(this.#random, runIds), tags: [this.#name()] } };
    }
    const recording_session_id = randomUUID();
    const names = ['Cut', 'Sew', 'Pack'].slice(randomBelow(this.#random, 3));
    const run_id = this.#newId(runIds);
    return {
      name: 'upload_recording',
      args: { map_id, recording_session_id, run_id, stages: 'merge', steps: steps(...names) },
    };
  }

  #newId(ids: number[]): number {
    ids.push(this.#nextId);
    return this.#nextId++;
  }

  #name(): string {
    return `Name ${randomBelow(this.#random, 5)}`;
  }
}
