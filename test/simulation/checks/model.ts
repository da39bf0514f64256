/**
 * The simplest account that could be right: the server's content as it follows from the mutations that it took, one
 * after the other, without versions, transactions or sync. It shares no code with the product.
 */
import type { PushedMutation } from '../../../shared/protocol/push.ts';

interface ModelMap {
  name: string;
  isDeleted: boolean;
  stages: { id: unknown; name: unknown }[];
  /** The names of the steps by recording session. */
  runs: Map<string, string>;
}

type Args = Record<string, unknown>;

export class AccountModel {
  readonly maps = new Map<string, ModelMap>();
  readonly #sessions = new Set<string>();
  /** The map and the session of each run. */
  readonly #runs = new Map<unknown, { map: ModelMap; session: string }>();

  take({ name, args }: Pick<PushedMutation, 'name' | 'args'>): void {
    const given = args as Args;
    const map = this.maps.get(String(given['map_id']));
    switch (name) {
      case 'create_map':
        return void this.#newMap(given);
      case 'update_map':
        if (map && typeof given['name'] === 'string') map.name = given['name'].trim();
        return;
      case 'delete_map':
        if (map) map.isDeleted = true;
        return;
      case 'restore_map':
        if (map) map.isDeleted = false;
        return;
      case 'delete_run':
        return this.#deleteRun(given['run_id']);
      case 'record_new_map':
        return this.#record(given, () => this.#newMap(given));
      case 'upload_recording':
        return this.#record(given, () => map);
      default:
        if (map) changeStages(map, name, given);
    }
  }

  #newMap(args: Args): ModelMap {
    const map: ModelMap = { name: String(args['name']).trim(), isDeleted: false, stages: [], runs: new Map() };
    this.maps.set(String(args['map_id']), map);
    return map;
  }

  #record(args: Args, mapOf: () => ModelMap | undefined): void {
    const session = String(args['recording_session_id']);
    const map = this.#sessions.has(session) ? undefined : mapOf();
    if (!map) return;
    this.#sessions.add(session);
    const names = (args['steps'] as { stage_name: string }[]).map(({ stage_name }) => stage_name);
    map.runs.set(session, names.join(' '));
    this.#runs.set(args['run_id'], { map, session });
    const ids = (args['stage_ids'] ?? []) as unknown[];
    map.stages = names.map((name, index) => ({ id: ids[index], name }));
  }

  #deleteRun(runId: unknown): void {
    const run = this.#runs.get(runId);
    run?.map.runs.delete(run.session);
  }
}

function changeStages(map: ModelMap, name: unknown, args: Args): void {
  const { stages } = map;
  const at = stages.findIndex(({ id }) => id === args['stage_id']);
  const found = stages[at];
  if (name === 'add_stage') insert(stages, { id: args['stage_id'], name: args['stage'] }, args['order']);
  if (name === 'delete_stage' && found) stages.splice(at, 1);
  if (name === 'update_stage' && found && args['stage'] !== undefined) found.name = args['stage'];
  if (name === 'reorder_stages') {
    const order = args['stage_ids'] as unknown[];
    stages.sort((one, other) => order.indexOf(one.id) - order.indexOf(other.id));
  }
}

function insert<Thing>(list: Thing[], thing: Thing, order: unknown): void {
  list.splice(typeof order === 'number' ? Math.min(order - 1, list.length) : list.length, 0, thing);
}
