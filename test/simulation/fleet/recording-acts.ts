/** Acts of a worker who records: what is tapped is noted before, since a crash may take away the acknowledgement alone. */
import type { FleetDevice } from './device.ts';
import { pickMap } from './pick-map.ts';
import type { Simulation } from './simulation.ts';

type Act = (simulation: Simulation, device: FleetDevice) => Promise<void>;

export const startRecording: Act = async (simulation, device) => {
  const map = await pickMap(simulation, device);
  const isNew = map === undefined || simulation.random() < 0.25;
  const target = isNew ? { newMap: { name: simulation.tag('m') } } : { mapId: map.id };
  simulation.say(`${device.name} starts recording ${map && !isNew ? map.name : 'a new map'}`);
  const recording = await device.attempt((gemba) => gemba.startRecording(target));
  if (recording) device.underWay = { session: recording.recording_session_id, steps: [], isUnsure: false };
};

export const step: Act = async (simulation, device) => {
  const recording = await device.recording();
  const stage_name = simulation.tag('t');
  simulation.say(`${device.name} taps ${stage_name}`);
  if (recording) simulation.facts.tapped(recording.recording_session_id, stage_name);
  const isTaken = await device.attempt(
    () => recording?.step({ stage_name }).then(() => true) ?? Promise.resolve(false),
  );
  const { underWay } = device;
  if (!isTaken || !underWay) return;
  if (underWay.isUnsure) await device.adoptRecording();
  else device.underWay = { ...underWay, steps: [...underWay.steps, { stage_name, notes: '' }] };
};

export const note: Act = async (simulation, device) => {
  const recording = await device.recording();
  simulation.say(`${device.name} notes`);
  const isTaken = await device.attempt(() => recording?.note('seen').then(() => true) ?? Promise.resolve(false));
  const last = device.underWay?.steps.at(-1);
  if (!isTaken || !last || !device.underWay) return;
  const noted = { ...last, notes: last.notes === '' ? 'seen' : `${last.notes}\nseen` };
  device.underWay = { ...device.underWay, steps: device.underWay.steps.with(device.underWay.steps.length - 1, noted) };
};

export const undo: Act = async (simulation, device) => {
  const recording = await device.recording();
  simulation.say(`${device.name} undoes`);
  const isTaken = await device.attempt(() => recording?.undo().then(() => true) ?? Promise.resolve(false));
  const { underWay } = device;
  const last = underWay?.steps.at(-1);
  if (!isTaken || !underWay || !last) return;
  const earlier = underWay.steps.slice(0, -1);
  const unnoted = { ...last, notes: last.notes.split('\n').slice(0, -1).join('\n') };
  device.underWay = { ...underWay, steps: last.notes === '' ? earlier : [...earlier, unnoted] };
};

export const finish: Act = async (simulation, device) => {
  const recording = await device.recording();
  const { underWay } = device;
  if (!recording || !underWay) return;
  simulation.say(`${device.name} finishes ${underWay.steps.map(({ stage_name }) => stage_name).join(' ')}`);
  simulation.facts.finishing(underWay.session, underWay.steps, underWay);
  const finished = await device.attempt(() => recording.finish());
  if (!finished) return;
  device.underWay = undefined;
  simulation.work(device, { kind: 'recording', session: underWay.session, steps: underWay.steps });
};
