/** Acts of bad luck. Each may be left out without changing the others. */
import { GembaError } from '../../../client/client.ts';
import { pickOne, randomBelow } from '../../random.ts';
import type { FleetDevice } from '../fleet/device.ts';
import { noWork } from '../fleet/known-work.ts';
import type { Simulation } from '../fleet/simulation.ts';
import { workOn } from '../fleet/worker-acts.ts';
import { createEmptyImage, tornLog } from '../platform/device/disk.ts';
import { integrate, revokeDevice } from './integrator.ts';
import type { MischiefName } from './mischief-name.ts';
import { actOnTabs } from './tabs.ts';
import { changeVersions } from './versions.ts';

type Act = (simulation: Simulation, device: FleetDevice) => Promise<void>;

export async function actMischief(simulation: Simulation, device: FleetDevice): Promise<void> {
  const { mischief } = simulation.setting;
  if (mischief.length === 0) return;
  const name = pickOne(simulation.random, mischief);
  simulation.meet(name);
  await acts[name](simulation, device);
}

const dayMs = 86_400_000;
const storePointsMax = 30;

const acts: Record<MischiefName, Act> = {
  clocks: async (simulation, { clock, name }) => {
    const { random } = simulation;
    const kind = pickOne(random, ['jumps', 'drifts', 'stands still', 'is right'] as const);
    simulation.say(`the clock of ${name} ${kind}`);
    if (kind === 'jumps') clock.jump((random() - 0.5) * 4_000 * dayMs);
    if (kind === 'drifts') clock.runAt(pickOne(random, [0.5, 0.99, 1.01, 3]));
    if (kind === 'stands still') clock.runAt(0);
    if (kind === 'is right') clock.setRight();
  },
  'full storage': (simulation, device) => workOnFaultyStorage(simulation, device, 'full'),
  'refusing storage': (simulation, device) => workOnFaultyStorage(simulation, device, 'refusing'),
  'hanging storage': async (simulation, device) => {
    if (device.network.holds) return;
    simulation.say(`the storage of ${device.name} hangs while it syncs`);
    device.storageFault = 'hanging';
    const syncing = device.attempt((gemba) => Promise.race([gemba.sync(), device.network.untilHeld()]));
    await simulation.pass(hangMs);
    device.storageFault = undefined;
    await simulation.pass(hangMs);
    await syncing;
  },
  'lost database': async (simulation, device) => {
    const { image, memory } = device.backup;
    if (!image.log || (await device.show(({ status$ }) => status$))?.second_copy !== 'kept') return;
    const onServerAlone = new Set([...memory.onServerAlone, ...(await device.worksOnServer())]);
    simulation.say(`${device.name} loses its database`);
    device.restore({
      image: { ...image, rows: new Map() },
      memory: { ...memory, shown: new Set(), onServerAlone },
    });
  },
  'lost journal': async (simulation, device) => {
    const { image, memory } = device.backup;
    if (!image.log) return;
    simulation.say(`${device.name} loses its journal`);
    device.restore({ image: { ...image, log: createEmptyImage(true).log }, memory });
    await device.open();
  },
  'torn journal': async (simulation, device) => {
    const { image, memory } = device.backup;
    if (!image.log) return;
    simulation.say(`the last write of the journal of ${device.name} is torn`);
    // The torn write may be the one that took a refused tap out of the journal again.
    const underWay = memory.underWay && { ...memory.underWay, isUnsure: true };
    device.restore({
      image: { ...image, log: tornLog(image.log, simulation.random) },
      memory: { ...memory, underWay },
    });
    await device.open();
  },
  'lost device': async (simulation, device) => {
    if (simulation.devices.length < 2) return;
    simulation.say(`${device.name} is lost, and another takes its place`);
    device.restore({ image: createEmptyImage(simulation.setting.hasMirror), memory: noWork });
  },
  sleep: async (simulation) => {
    const days = 1 + randomBelow(simulation.random, 60);
    simulation.say(`everything sleeps for ${days} days`);
    simulation.time.jump(days * dayMs);
  },
  'server deaths': async (simulation) => {
    const point = 1 + randomBelow(simulation.random, storePointsMax);
    simulation.say(`the server is to die at the call ${point} of its store`);
    simulation.server.dieAt(point);
  },
  integrator: (simulation) => integrate(simulation),
  firewall: async (simulation, device) => {
    const word = `n${simulation.nextTag}`;
    simulation.say(`a firewall of ${device.name} dislikes ${word}`);
    device.network.forbiddenWord = `"${word}"`;
  },
  'revoked device': (simulation) => revokeDevice(simulation),
  tabs: actOnTabs,
  versions: changeVersions,
};

/** Longer than the engine waits for its storage, and than the watchdog of a round. */
const hangMs = 100_000;

/** Verbs may fail; what they had done before must stay. */
async function workOnFaultyStorage(
  simulation: Simulation,
  device: FleetDevice,
  fault: 'full' | 'refusing',
): Promise<void> {
  simulation.say(`the storage of ${device.name} is ${fault}`);
  device.storageFault = fault;
  try {
    await workOn(simulation, device);
  } catch (error) {
    if (error instanceof GembaError) throw error;
    simulation.say(`   fails: ${(error as Error).message}`);
  }
  await simulation.pass(1_000);
  device.storageFault = undefined;
  await device.adoptRecording();
}
