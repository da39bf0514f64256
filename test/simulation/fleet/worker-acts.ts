/** Acts of the worker of one device. The device may refuse an act, which is no failure. */
import { firstValueFrom } from 'rxjs';
import { GembaError, type Gemba } from '../../../client/client.ts';
import type { MutationName } from '../../../shared/schema/mutation.ts';
import { pickOne, randomBelow } from '../../random.ts';
import type { FleetDevice } from './device.ts';
import { weighted } from './weighted.ts';
import { isOf } from './works.ts';
import type { World } from './world.ts';

type Act = (world: World, device: FleetDevice) => Promise<void>;

export async function workOn(world: World, device: FleetDevice): Promise<void> {
  const isRecording = (await device.recording()) !== undefined;
  const act = pickOne(world.random, isRecording ? whileRecording : otherwise);
  try {
    await act(world, device);
  } catch (error) {
    if (!(error instanceof GembaError)) throw error;
    world.say(`   refused: ${error.code}`);
  }
}

export const startRecording: Act = async (world, device) => {
  const map = await someMap(world, device);
  const isNew = map === undefined || world.random() < 0.25;
  const target = isNew ? { newMap: { name: world.tag('m') } } : { mapId: map.id };
  world.say(`${device.name} starts recording ${map && !isNew ? map.name : 'a new map'}`);
  const recording = await device.does((gemba) => gemba.startRecording(target));
  if (recording) device.underWay = { session: recording.recording_session_id, steps: [], isUnsure: false };
};

export const step: Act = async (world, device) => {
  const recording = await device.recording();
  const stage_name = world.tag('t');
  world.say(`${device.name} taps ${stage_name}`);
  const isTaken = await device.does(() => recording?.step({ stage_name }).then(() => true) ?? Promise.resolve(false));
  const { underWay } = device;
  if (isTaken && underWay) device.underWay = { ...underWay, steps: [...underWay.steps, { stage_name, notes: '' }] };
};

const note: Act = async (world, device) => {
  const recording = await device.recording();
  world.say(`${device.name} notes`);
  const isTaken = await device.does(() => recording?.note('seen').then(() => true) ?? Promise.resolve(false));
  const last = device.underWay?.steps.at(-1);
  if (!isTaken || !last || !device.underWay) return;
  const noted = { ...last, notes: last.notes === '' ? 'seen' : `${last.notes}\nseen` };
  device.underWay = { ...device.underWay, steps: device.underWay.steps.with(device.underWay.steps.length - 1, noted) };
};

const undo: Act = async (world, device) => {
  const recording = await device.recording();
  world.say(`${device.name} undoes`);
  const isTaken = await device.does(() => recording?.undo().then(() => true) ?? Promise.resolve(false));
  const { underWay } = device;
  const last = underWay?.steps.at(-1);
  if (!isTaken || !underWay || !last) return;
  const earlier = underWay.steps.slice(0, -1);
  const unnoted = { ...last, notes: last.notes.split('\n').slice(0, -1).join('\n') };
  device.underWay = { ...underWay, steps: last.notes === '' ? earlier : [...earlier, unnoted] };
};

export const finish: Act = async (world, device) => {
  const recording = await device.recording();
  const { underWay } = device;
  if (!recording || !underWay) return;
  world.say(`${device.name} finishes ${underWay.steps.map(({ stage_name }) => stage_name).join(' ')}`);
  const finished = await device.does(() => recording.finish());
  if (!finished) return;
  device.underWay = undefined;
  world.work(device, { kind: 'recording', session: underWay.session, steps: underWay.steps });
};

/** Makes a change that carries a unique name. */
function named(name: MutationName, field: 'name' | 'stage', change: NamedChange): Act {
  return async (world, device) => {
    const tag = world.tag('n');
    const map = await someMap(world, device);
    world.say(`${device.name} ${name} ${map?.name ?? ''} "${tag}"`);
    if (await change(world, device, { tag, mapId: map?.id })) world.work(device, { kind: 'named', name, field, tag });
  };
}

type NamedChange = (
  world: World,
  device: FleetDevice,
  given: { tag: string; mapId: string | undefined },
) => Promise<boolean | undefined>;

const createMap = named('create_map', 'name', (_world, device, { tag }) =>
  device.does((gemba) => gemba.createMap({ name: tag }).then(() => true)),
);

const renameMap = named('update_map', 'name', (_world, device, { tag, mapId }) =>
  device.does(async (gemba) => {
    if (mapId === undefined) return false;
    await gemba.updateMap(mapId, { name: tag });
    return true;
  }),
);

const addStage = named('add_stage', 'stage', (world, device, { tag, mapId }) =>
  device.does(async (gemba) => {
    if (mapId === undefined) return false;
    await gemba.addStage(mapId, { stage: tag, order: 1 + randomBelow(world.random, 3) });
    return true;
  }),
);

const renameStage = named('update_stage', 'stage', (world, device, { tag, mapId }) =>
  device.does(async (gemba) => {
    const stages = await stagesOf(gemba, mapId);
    if (mapId === undefined || stages.length === 0) return false;
    await gemba.updateStage(mapId, pickOne(world.random, stages), { stage: tag });
    return true;
  }),
);

/** Makes a change that only its time identifies. */
function timed(name: MutationName, change: TimedChange): Act {
  return async (world, device) => {
    const map = await (name === 'restore_map' ? someDeletedMap(world, device) : someMap(world, device));
    if (!map) return;
    world.say(`${device.name} ${name} ${map.name}`);
    const fromMs = world.time.now();
    const args = await device.does((gemba) => change(gemba, map.id, world));
    if (args) world.work(device, { kind: 'timed', name, args, fromMs, toMs: world.time.now() });
  };
}

/** Returns the args of the mutation that it made; undefined when there was nothing to change. */
type TimedChange = (gemba: Gemba, map_id: string, world: World) => Promise<Record<string, unknown> | undefined>;

const reorderStages = timed('reorder_stages', async (gemba, map_id) => {
  const stage_ids = (await stagesOf(gemba, map_id)).toReversed();
  if (stage_ids.length < 2) return undefined;
  await gemba.reorderStages(map_id, stage_ids);
  return { map_id, stage_ids };
});

const deleteStage = timed('delete_stage', async (gemba, map_id, world) => {
  const stages = await stagesOf(gemba, map_id);
  if (stages.length === 0) return undefined;
  const stage_id = pickOne(world.random, stages);
  await gemba.deleteStage(map_id, stage_id);
  return { map_id, stage_id };
});

const deleteMap = timed('delete_map', async (gemba, map_id) => {
  await gemba.deleteMap(map_id);
  return { map_id };
});

const restoreMap = timed('restore_map', async (gemba, map_id) => {
  await gemba.restoreMap(map_id);
  return { map_id };
});

const deleteRun = timed('delete_run', async (gemba, map_id, world) => {
  const runs = await firstValueFrom(gemba.runs$(map_id));
  if (runs.length === 0) return undefined;
  const { id, recording_session_id } = pickOne(world.random, runs);
  for (const work of world.works) {
    if (work.deed.kind === 'recording' && work.deed.session === recording_session_id) work.isGivenUp = true;
  }
  await gemba.deleteRun(id);
  return { run_id: id };
});

/** Applies one of the remedies of a refused mutation; a change may be given up, a recording not. */
const resolve: Act = async (world, device) => {
  const attention = (await device.show(({ attention$ }) => attention$)) ?? [];
  if (attention.length === 0) return;
  const refused = pickOne(world.random, attention);
  const isRecording = refused.args['recording_session_id'] !== undefined;
  // Two copies that each give one recording a new session end up with two runs, as intended, so that remedy is left
  // out.
  const unfit = new Set(isRecording ? ['edit', 'discard', 'new_id'] : ['edit']);
  const remedies = refused.remedies.filter((remedy) => !unfit.has(remedy));
  if (remedies.length === 0) return;
  const remedy = pickOne(world.random, remedies);
  world.say(`${device.name} resolves ${refused.name} (${refused.error.code}) by ${remedy}`);
  for (const work of world.works.filter((one) => isOf(one, refused))) {
    if (remedy === 'discard') work.isGivenUp = true;
    else work.isRemade = true;
  }
  await device.does((gemba) => gemba.resolve(refused.seq, remedy));
};

const sync: Act = async (world, device) => {
  world.say(`${device.name} syncs`);
  await device.sync();
};

const whileRecording = weighted<Act>([
  [4, step],
  [1, note],
  [1, undo],
  [3, finish],
  [1, renameMap],
  [1, addStage],
  [1, sync],
]);

const otherwise = weighted<Act>([
  [4, startRecording],
  [1, createMap],
  [2, renameMap],
  [2, addStage],
  [1, renameStage],
  [1, reorderStages],
  [1, deleteStage],
  [1, deleteMap],
  [1, restoreMap],
  [1, deleteRun],
  [2, resolve],
  [3, sync],
]);

/** Picks the map by its name, since ids are random and would break the seed's history. */
async function someMap(world: World, device: FleetDevice): Promise<{ id: string; name: string } | undefined> {
  const maps = (await device.show(({ maps$ }) => maps$)) ?? [];
  return maps.length > 0 ? pickOne(world.random, byName(maps)) : undefined;
}

async function someDeletedMap(world: World, device: FleetDevice): Promise<{ id: string; name: string } | undefined> {
  const maps = (await device.show(({ deletedMaps$ }) => deletedMaps$)) ?? [];
  return maps.length > 0 ? pickOne(world.random, byName(maps)) : undefined;
}

const byName = <Named extends { name: string }>(maps: Named[]): Named[] =>
  maps.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));

async function stagesOf(gemba: Gemba, mapId: string | undefined): Promise<number[]> {
  const map = mapId === undefined ? undefined : await firstValueFrom(gemba.map$(mapId));
  return map?.stages.map(({ id }) => id) ?? [];
}
