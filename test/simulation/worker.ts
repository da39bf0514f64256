/** Random acts of a device's worker. The device may refuse an act, which is no failure. */
import { GembaError, type Recording } from '../../client/client.ts';
import { current } from '../device/devices.ts';
import { pickOne, randomBelow, type Random } from '../random.ts';
import type { SimDevice } from './sim-device.ts';

const stageNames = ['load', 'cut', 'weld', 'paint', 'pack'];

export async function work(device: SimDevice, random: Random): Promise<void> {
  const acts = device.underWay
    ? [step, step, step, note, finish, edit, sync]
    : [start, start, edit, edit, resolve, sync];
  try {
    await pickOne(random, acts)(device, random);
  } catch (error) {
    if (!(error instanceof GembaError)) throw error;
  }
}

type Act = (device: SimDevice, random: Random) => Promise<void>;

const sync: Act = (device) => device.sync();

const start: Act = async (device, random) => {
  const map = await pickMap(device, random);
  const target =
    map === undefined || random() < 0.3 ? { newMap: { name: `new ${randomBelow(random, 100)}` } } : { mapId: map };
  const recording = await device.attempt((gemba) => gemba.startRecording(target));
  if (!recording) return;
  const session = recording.recording_session_id;
  device.underWay = { session, taps: [], unsureTap: undefined, unsureFinish: false };
};

const step: Act = (device, random) => tap(device, pickOne(random, stageNames));

async function tap(device: SimDevice, stage_name: string): Promise<void> {
  const { underWay } = device;
  if (!underWay) return;
  underWay.unsureTap = stage_name;
  if (!(await onRecording(device, (recording) => recording.step({ stage_name }).then(() => true)))) return;
  underWay.taps.push(stage_name);
  underWay.unsureTap = undefined;
}

/** Makes one recording with these taps, or continues the one that a crash interrupted. */
export async function record(device: SimDevice, taps: string[]): Promise<void> {
  if (!device.underWay) await start(device, () => 0);
  while (device.underWay && device.isOpen && device.underWay.taps.length < taps.length) {
    await tap(device, taps[device.underWay.taps.length]!);
  }
  await finish(device, () => 0);
}

const note: Act = async (device) => {
  await onRecording(device, (recording) => recording.note('seen'));
};

export const finish: Act = async (device) => {
  const { underWay } = device;
  if (!underWay || underWay.taps.length === 0) return;
  underWay.unsureFinish = true;
  const finished = await onRecording(device, (recording) => recording.finish());
  if (!finished) return;
  device.finished.set(finished.recording_session_id, underWay.taps);
  device.underWay = undefined;
};

const edit: Act = async (device, random) => {
  const map = await pickMap(device, random);
  if (map === undefined || random() < 0.2) {
    const made = await device.attempt((gemba) => gemba.createMap({ name: `map ${randomBelow(random, 100)}` }));
    if (made) device.createdMaps.add(made.map_id);
    return;
  }
  await device.attempt(async (gemba) => {
    const ids = (await current(gemba.map$(map)))?.stages.map(({ id }) => id) ?? [];
    const edits = [
      () => gemba.addStage(map, { stage: pickOne(random, stageNames), order: 1 + randomBelow(random, 3) }),
      () => gemba.updateMap(map, { name: `renamed ${randomBelow(random, 100)}` }),
      () => gemba.reorderStages(map, ids.toReversed()),
      () => (ids.length > 0 ? gemba.updateStage(map, pickOne(random, ids), { order: 1 }) : Promise.resolve()),
      () => (ids.length > 0 ? gemba.deleteStage(map, pickOne(random, ids)) : Promise.resolve()),
      () => (random() < 0.3 ? gemba.deleteMap(map) : Promise.resolve()),
    ];
    await pickOne(random, edits)();
  });
};

/** Applies one of the remedies of a refused mutation; a change may be given up, a recording not. */
const resolve: Act = async (device, random) => {
  await device.attempt(async (gemba) => {
    const attention = await current(gemba.attention$);
    if (attention.length === 0) return;
    const { seq, args, remedies } = pickOne(random, attention);
    const isRecording = args['recording_session_id'] !== undefined;
    const fitting = remedies.filter((remedy) => remedy !== 'edit' && !(remedy === 'discard' && isRecording));
    if (fitting.length > 0) await gemba.resolve(seq, pickOne(random, fitting));
  });
};

async function pickMap(device: SimDevice, random: Random): Promise<string | undefined> {
  const maps = await device.attempt((gemba) => current(gemba.maps$));
  return maps && maps.length > 0 ? pickOne(random, maps).id : undefined;
}

function onRecording<Result>(
  device: SimDevice,
  act: (recording: Recording) => Promise<Result>,
): Promise<Result | undefined> {
  return device.attempt(async (gemba) => {
    const recording = await current(gemba.recording$);
    return recording ? act(recording) : undefined;
  });
}
