/** Another system, which uses the REST API with the account's key and retries wrongly. */
import { pickOne, randomBelow } from '../../random.ts';
import type { Simulation } from '../fleet/simulation.ts';

interface Listed {
  data: { id: string; name: string; stages?: { id: number }[] }[];
}

/** Does one thing, perhaps twice, with a key of its own, with the key of another request, or without a key. */
export async function integrate(simulation: Simulation): Promise<void> {
  const { random } = simulation;
  const maps = (await simulation.tryRest<Listed>('GET', '/maps?limit=50'))?.data ?? [];
  const map = maps.length > 0 ? pickOne(random, maps) : undefined;
  const [method, path, body] = requestFor(simulation, map?.id);
  const key = pickOne(random, [undefined, `key-${simulation.nextTag}`, 'the key of everything']);
  const times = 1 + randomBelow(random, 3);
  simulation.say(`an integrator sends ${method} ${path.replace(map?.id ?? ' ', '…')} ${times} times`);
  for (let time = 0; time < times; time++) await simulation.tryRest(method, path, body, key);
}

function requestFor(simulation: Simulation, mapId: string | undefined): [method: string, path: string, body?: object] {
  const { random } = simulation;
  const name = simulation.tag('i');
  if (mapId === undefined) return ['POST', '/maps', { name }];
  return pickOne<[string, string, object?]>(random, [
    ['POST', '/maps', { name }],
    ['PATCH', `/maps/${mapId}`, { name }],
    ['POST', `/maps/${mapId}/stages`, { stage: name, order: 1 }],
    ['POST', `/maps/${mapId}/delete`],
    ['POST', `/maps/${mapId}/restore`],
    ['POST', `/maps/${mapId}/stages/reorder`, { stage_ids: [] }],
  ]);
}

/** Revokes a device of the account, as an admin does with one that is lost. */
export async function revokeDevice(simulation: Simulation): Promise<void> {
  const listed = await simulation.tryRest<{ data: { id: string; revoked_at: string | null }[] }>('GET', '/devices');
  const active = listed?.data.filter(({ revoked_at }) => revoked_at === null) ?? [];
  if (active.length === 0) return;
  simulation.say('an admin revokes a device');
  await simulation.tryRest('POST', `/devices/${pickOne(simulation.random, active).id}/revoke`);
}
