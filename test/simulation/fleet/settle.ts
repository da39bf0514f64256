/** The end of a history: all faults stop, held requests continue, and every device syncs until nothing is left. */
import { GembaError } from '../../../client/client.ts';
import type { FleetDevice } from './device.ts';
import { deliverMail, pair } from './fleet-acts.ts';
import { finish, step } from './worker-acts.ts';
import type { World } from './world.ts';

/** Every device must be idle after this many rounds of syncing. */
const roundsMax = 12;

/** Returns whether every device became idle. */
export async function settle(world: World): Promise<boolean> {
  world.say('all faults stop');
  for (const device of world.devices) {
    device.spare();
    const { line } = device;
    line.faultRate = 0;
    line.isOnline = true;
    line.letGo();
  }
  await deliverMail(world, world.devices[0]!);
  for (const device of world.devices) {
    await device.rests();
    if (!device.isOpen) await device.open();
    await finishUnderWay(world, device);
  }
  for (let round = 1; round <= roundsMax; round++) {
    for (const device of world.devices) await syncWithAccess(world, device);
    const pending = await Promise.all(world.devices.map(pendingOn));
    if (round > 1 && pending.every((count) => count === 0)) return true;
  }
  const left = await Promise.all(
    world.devices.map(
      async (device) => `${device.name} ${JSON.stringify(await device.show(({ status$ }) => status$))}`,
    ),
  );
  world.fail('not quiet', `after ${roundsMax} rounds: ${left.join(', ')}`);
  return false;
}

/** A device whose token was revoked gets a new one, as a person would arrange. */
export async function syncWithAccess(world: World, device: FleetDevice): Promise<void> {
  await device.sync();
  const status = await device.show(({ status$ }) => status$);
  if (status?.phase !== 'blocked') return;
  if (world.setting.isPaired) await pair(world, device);
  else {
    await device.close();
    device.token = world.apiKey;
    await device.open();
  }
  await device.sync();
}

const pendingOn = async (device: FleetDevice): Promise<number | undefined> =>
  (await device.show(({ status$ }) => status$))?.pending;

async function finishUnderWay(world: World, device: FleetDevice): Promise<void> {
  try {
    const recording = await device.recording();
    if (!recording) return;
    if (recording.steps.length === 0) await step(world, device);
    await finish(world, device);
  } catch (error) {
    if (!(error instanceof GembaError)) throw error;
    world.say(`   refused: ${error.code}`);
  }
}
