/** Acts of the worker of one device. The device may refuse an act, which is no failure. */
import { firstValueFrom } from 'rxjs';
import { GembaError, type Gemba } from '../../../client/client.ts';
import type { MutationName } from '../../../shared/schema/mutation.ts';
import { pickOne, randomBelow } from '../../random.ts';
import type { FleetDevice } from './device.ts';
import { loadRunsOf } from '../scope-acts.ts';
import { pickDeletedMap, pickMap, readStageIds } from './pick-map.ts';
import { weighted } from './weighted.ts';
import { finish, note, startRecording, step, undo } from './recording-acts.ts';
import { matchesWork, recordingKey } from './works.ts';
import type { Simulation } from './simulation.ts';

type Act = (simulation: Simulation, device: FleetDevice) => Promise<void>;

export async function workOn(simulation: Simulation, device: FleetDevice): Promise<void> {
  const isRecording = (await device.recording()) !== undefined;
  const idleActs = simulation.setting.scopes.length > 0 ? actsWithScope : actsWithoutRecording;
  const drawn = pickOne(simulation.random, isRecording ? actsWhileRecording : idleActs);
  // A tab that did not hear of the last tap of a dead one reads it with its own next tap.
  const act = isRecording && device.underWay?.isUnsure ? step : drawn;
  try {
    await act(simulation, device);
  } catch (error) {
    if (!(error instanceof GembaError)) throw error;
    simulation.say(`   refused: ${error.code}`);
    if (error.code.startsWith('storage_')) await device.adoptRecording();
  }
}

/** Makes a change that carries a unique name. */
function namedChangeAct(name: MutationName, field: 'name' | 'stage', change: NamedChange): Act {
  return async (simulation, device) => {
    const tag = simulation.tag('n');
    const map = await pickMap(simulation, device);
    simulation.say(`${device.name} ${name} ${map?.name ?? ''} "${tag}"`);
    if (await change(simulation, device, { tag, mapId: map?.id }))
      simulation.work(device, { kind: 'named', name, field, tag });
  };
}

type NamedChange = (
  simulation: Simulation,
  device: FleetDevice,
  given: { tag: string; mapId: string | undefined },
) => Promise<boolean | undefined>;

const createMap = namedChangeAct('create_map', 'name', (_world, device, { tag }) =>
  device.attempt((gemba) => gemba.createMap({ name: tag }).then(() => true)),
);

const renameMap = namedChangeAct('update_map', 'name', (_world, device, { tag, mapId }) =>
  device.attempt(async (gemba) => {
    if (mapId === undefined) return false;
    await gemba.updateMap(mapId, { name: tag });
    return true;
  }),
);

const addStage = namedChangeAct('add_stage', 'stage', (simulation, device, { tag, mapId }) =>
  device.attempt(async (gemba) => {
    if (mapId === undefined) return false;
    await gemba.addStage(mapId, { stage: tag, order: 1 + randomBelow(simulation.random, 3) });
    return true;
  }),
);

const renameStage = namedChangeAct('update_stage', 'stage', (simulation, device, { tag, mapId }) =>
  device.attempt(async (gemba) => {
    const stages = await readStageIds(gemba, mapId);
    if (mapId === undefined || stages.length === 0) return false;
    await gemba.updateStage(mapId, pickOne(simulation.random, stages), { stage: tag });
    return true;
  }),
);

/** Makes a change that only its time identifies. */
function timedChangeAct(name: MutationName, change: TimedChange): Act {
  return async (simulation, device) => {
    const map = await (name === 'restore_map' ? pickDeletedMap(simulation, device) : pickMap(simulation, device));
    if (!map) return;
    simulation.say(`${device.name} ${name} ${map.name}`);
    const fromMs = device.clock.wallMs();
    const args = await device.attempt((gemba) => change(gemba, map.id, simulation));
    if (args)
      simulation.work(device, {
        kind: 'timed',
        name,
        args,
        fromMs,
        toMs: device.clock.wallMs(),
        isUnsure: !device.clock.isRight,
      });
  };
}

/** Returns the args of the mutation that it made; undefined when there was nothing to change. */
type TimedChange = (
  gemba: Gemba,
  map_id: string,
  simulation: Simulation,
) => Promise<Record<string, unknown> | undefined>;

const reorderStages = timedChangeAct('reorder_stages', async (gemba, map_id) => {
  const stage_ids = (await readStageIds(gemba, map_id)).toReversed();
  if (stage_ids.length < 2) return undefined;
  await gemba.reorderStages(map_id, stage_ids);
  return { map_id, stage_ids };
});

const deleteStage = timedChangeAct('delete_stage', async (gemba, map_id, simulation) => {
  const stages = await readStageIds(gemba, map_id);
  if (stages.length === 0) return undefined;
  const stage_id = pickOne(simulation.random, stages);
  await gemba.deleteStage(map_id, stage_id);
  return { map_id, stage_id };
});

const deleteMap = timedChangeAct('delete_map', async (gemba, map_id) => {
  await gemba.deleteMap(map_id);
  return { map_id };
});

const restoreMap = timedChangeAct('restore_map', async (gemba, map_id) => {
  await gemba.restoreMap(map_id);
  return { map_id };
});

const deleteRun = timedChangeAct('delete_run', async (gemba, map_id, simulation) => {
  const runs = await firstValueFrom(gemba.runs$(map_id));
  if (runs.length === 0) return undefined;
  const { id } = pickOne(simulation.random, runs);
  const run = await firstValueFrom(gemba.run$(id));
  if (!run) return undefined;
  const key = recordingKey(run.recording_session_id, run.steps);
  simulation.deletedRecordings.add(key);
  simulation.facts.deletedSessions.add(run.recording_session_id);
  for (const work of simulation.works) {
    const { identity } = work;
    if (identity.kind === 'recording' && recordingKey(identity.session, identity.steps) === key) work.isGivenUp = true;
  }
  await gemba.deleteRun(id);
  return { run_id: id };
});

/** Applies one of the remedies of a refused mutation; a change may be given up, a recording not. */
const resolve: Act = async (simulation, device) => {
  const attention = (await device.show(({ attention$ }) => attention$)) ?? [];
  if (attention.length === 0) return;
  const refused = pickOne(simulation.random, attention);
  const isRecording = refused.args['recording_session_id'] !== undefined;
  // Two copies that each give one recording a new session end up with two runs, as intended, so that remedy is left
  // out.
  const unfit = new Set(isRecording ? ['edit', 'discard', 'new_id'] : ['edit']);
  const remedies = refused.remedies.filter((remedy) => !unfit.has(remedy));
  if (remedies.length === 0) return;
  const remedy = pickOne(simulation.random, remedies);
  simulation.say(`${device.name} resolves ${refused.name} (${refused.error.code}) by ${remedy}`);
  for (const work of simulation.works.filter((one) => matchesWork(one, refused))) {
    if (remedy === 'discard') work.isGivenUp = true;
    else work.isRemade = true;
  }
  await device.attempt((gemba) => gemba.resolve(refused.seq, remedy));
};

const sync: Act = async (simulation, device) => {
  simulation.say(`${device.name} syncs`);
  await device.sync();
};

const actsWhileRecording = weighted<Act>([
  [4, step],
  [1, note],
  [1, undo],
  [3, finish],
  [1, renameMap],
  [1, addStage],
  [1, sync],
]);

const actsWithoutRecording = weighted<Act>([
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
const actsWithScope = [...actsWithoutRecording, ...weighted<Act>([[4, loadRunsOf(pickMap)]])];
