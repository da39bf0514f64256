/** The end of a history: all faults stop, held requests continue, and every device syncs until nothing is left. */
import { GembaError } from '../../../client/client.ts';
import type { FleetDevice } from './device.ts';
import { deliverLateRequests, pair } from './fleet-acts.ts';
import { finish, step } from './recording-acts.ts';
import type { Simulation } from './simulation.ts';

/** Every device must be idle within this time, by its own timers: 12 times the pause between two polls. */
const settleMsMax = 12 * 61_000;
const stepMs = 61_000;
/** Each device polls once more after the others are idle, and so has what they pushed. */
const idleStepsMin = 2;

/** Returns whether every device became idle. */
export async function settleFleet(simulation: Simulation): Promise<boolean> {
  simulation.say('all faults stop');
  await simulation.stopFaults();
  await deliverLateRequests(simulation, simulation.devices[0]!);
  for (const device of simulation.devices) {
    await device.untilIdle();
    if (!device.isOpen) await device.open();
    await finishUnderWay(simulation, device);
  }
  let idleSteps = 0;
  for (let ms = 0; ms < settleMsMax; ms += stepMs) {
    for (const device of simulation.devices) await ensureAccess(simulation, device);
    await simulation.pass(stepMs);
    const statuses = await Promise.all(simulation.devices.map((device) => device.show(({ status$ }) => status$)));
    const isIdle = statuses.every((status) => status?.pending === 0 && status.phase !== 'syncing');
    idleSteps = isIdle ? idleSteps + 1 : 0;
    if (idleSteps === idleStepsMin) return true;
  }
  const left = await Promise.all(
    simulation.devices.map(
      async (device) => `${device.name} ${JSON.stringify(await device.show(({ status$ }) => status$))}`,
    ),
  );
  simulation.fail('not quiet', `${settleMsMax / 60_000} minutes after the last fault: ${left.join(', ')}`);
  return false;
}

/** Copies of a paired device revoke each other's token when they pair, so each gets one just before it is compared. */
export async function syncWithAccess(simulation: Simulation, device: FleetDevice): Promise<void> {
  await device.sync();
  await ensureAccess(simulation, device);
  await device.sync();
}

/** A device whose token was revoked gets a new one, as a person would arrange. */
async function ensureAccess(simulation: Simulation, device: FleetDevice): Promise<void> {
  const status = await device.show(({ status$ }) => status$);
  if (status?.phase !== 'blocked') return;
  if (simulation.setting.isPaired) await pair(simulation, device);
  else {
    await device.close();
    device.token = simulation.apiKey;
    await device.open();
  }
}

async function finishUnderWay(simulation: Simulation, device: FleetDevice): Promise<void> {
  try {
    const recording = await device.recording();
    if (!recording) return;
    if (recording.steps.length === 0 || device.underWay?.isUnsure) await step(simulation, device);
    await finish(simulation, device);
  } catch (error) {
    if (!(error instanceof GembaError)) throw error;
    simulation.say(`   refused: ${error.code}`);
  }
}
