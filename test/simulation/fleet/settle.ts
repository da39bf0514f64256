/** The end of a history: all faults stop, held requests continue, and every device syncs until nothing is left. */
import { GembaError } from '../../../client/client.ts';
import type { FleetDevice } from './device.ts';
import { deliverLateRequests, pair } from './fleet-acts.ts';
import { finish, step } from './worker-acts.ts';
import type { Simulation } from './simulation.ts';

/** Every device must be idle after this many rounds of syncing. */
const roundsMax = 12;

/** Returns whether every device became idle. */
export async function settleFleet(simulation: Simulation): Promise<boolean> {
  simulation.say('all faults stop');
  for (const device of simulation.devices) {
    device.cancelCrash();
    const { network } = device;
    network.faultRate = 0;
    network.isOnline = true;
    network.release();
  }
  await deliverLateRequests(simulation, simulation.devices[0]!);
  for (const device of simulation.devices) {
    await device.untilIdle();
    if (!device.isOpen) await device.open();
    await finishUnderWay(simulation, device);
  }
  for (let round = 1; round <= roundsMax; round++) {
    for (const device of simulation.devices) await syncWithAccess(simulation, device);
    const pending = await Promise.all(simulation.devices.map(pendingCountOf));
    if (round > 1 && pending.every((count) => count === 0)) return true;
  }
  const left = await Promise.all(
    simulation.devices.map(
      async (device) => `${device.name} ${JSON.stringify(await device.show(({ status$ }) => status$))}`,
    ),
  );
  simulation.fail('not quiet', `after ${roundsMax} rounds: ${left.join(', ')}`);
  return false;
}

/** A device whose token was revoked gets a new one, as a person would arrange. */
export async function syncWithAccess(simulation: Simulation, device: FleetDevice): Promise<void> {
  await device.sync();
  const status = await device.show(({ status$ }) => status$);
  if (status?.phase !== 'blocked') return;
  if (simulation.setting.isPaired) await pair(simulation, device);
  else {
    await device.close();
    device.token = simulation.apiKey;
    await device.open();
  }
  await device.sync();
}

const pendingCountOf = async (device: FleetDevice): Promise<number | undefined> =>
  (await device.show(({ status$ }) => status$))?.pending;

async function finishUnderWay(simulation: Simulation, device: FleetDevice): Promise<void> {
  try {
    const recording = await device.recording();
    if (!recording) return;
    if (recording.steps.length === 0) await step(simulation, device);
    await finish(simulation, device);
  } catch (error) {
    if (!(error instanceof GembaError)) throw error;
    simulation.say(`   refused: ${error.code}`);
  }
}
