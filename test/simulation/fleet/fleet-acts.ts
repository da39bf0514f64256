/** Acts on the devices of a fleet and on the server, apart from the work itself. */
import { GembaError } from '../../../client/client.ts';
import type { PairingCode } from '../../../shared/schema/auth.ts';
import { pickOne, randomBelow } from '../../random.ts';
import { weighted } from './weighted.ts';
import type { FleetDevice } from './device.ts';
import type { Backup } from './known-work.ts';
import { isExactly, matchesWork, type Work } from './works.ts';
import type { Simulation } from './simulation.ts';

type Act = (simulation: Simulation, device: FleetDevice) => Promise<void>;

const faultPointsPerLifeMax = 80;

/** Opens the device if it is closed, perhaps with a crash to come. */
export async function ensureOpen(simulation: Simulation, device: FleetDevice): Promise<void> {
  if (device.isOpen) return;
  const dies = simulation.random() < simulation.setting.crashRate;
  const dieAt = dies ? 1 + randomBelow(simulation.random, faultPointsPerLifeMax) : undefined;
  simulation.say(`${device.name} opens${dies ? `, to die at point ${dieAt}` : ''}`);
  await device.open(dieAt);
}

export async function actOnFleet(simulation: Simulation, device: FleetDevice): Promise<void> {
  await pickOne(simulation.random, simulation.setting.hasServerFaults ? [...deviceActs, ...serverActs] : deviceActs)(
    simulation,
    device,
  );
}

/** Replaces the storage of this device by a copy of another's. */
const copy: Act = async (simulation, device) => {
  const others = simulation.devices.filter((one) => one !== device);
  if (others.length > 0) restore(simulation, pickOne(simulation.random, others), { ...device.backup, of: device.name });
};

const saveState: Act = async (simulation, device) => {
  simulation.say(`${device.name} is backed up`);
  device.memory = { ...device.memory, saved: [...device.memory.saved, simulation.savedStates.length] };
  simulation.savedStates.push({ ...device.backup, of: device.name });
};

/** Restores a saved state of this device or of another. */
const restoreSavedState: Act = async (simulation, device) => {
  if (simulation.savedStates.length > 0)
    restore(simulation, device, pickOne(simulation.random, simulation.savedStates));
};

/** Rolls back the database alone: the journal still has what the server has not. */
const rollBackDatabase: Act = async (simulation, device) => {
  const { image, memory } = device.backup;
  const isEarlier = (one: Backup) => one.memory.made.every((work) => memory.made.includes(work));
  // The state of a disk that the device has no more is another branch, and its journal is not of this database.
  const earlier = simulation.savedStates.findLast(
    (one, number) => one.of === device.name && memory.saved.includes(number) && isEarlier(one),
  );
  if (!earlier || !image.log) return;
  simulation.meet('database went back');
  simulation.say(`the database of ${device.name} goes back`);
  const isKept = (work: Work) =>
    earlier.memory.made.includes(work) || !simulation.log.entries.some(({ mutation }) => matchesWork(work, mutation));
  const imported = [...earlier.memory.imported, ...memory.imported.filter(isKept)];
  device.restore({
    image: { rows: earlier.image.rows, log: image.log },
    memory: {
      ...memory,
      made: memory.made.filter(isKept),
      imported: [...new Set(imported)],
      shown: earlier.memory.shown,
    },
  });
};

function restore(simulation: Simulation, device: FleetDevice, backup: Simulation['savedStates'][number]): void {
  simulation.meet(device.name === backup.of ? 'went back' : 'copied');
  simulation.say(`${device.name} becomes ${backup.of} as it ${device.name === backup.of ? 'was' : 'is'} backed up`);
  device.restore(backup);
}

const kill: Act = async (simulation, device) => {
  simulation.meet('killed');
  simulation.say(`${device.name} is killed`);
  device.kill();
};

const closeDevice: Act = async (simulation, device) => {
  simulation.say(`${device.name} is closed`);
  await device.close();
};

const goOffline: Act = async (simulation, device) => {
  simulation.say(`${device.name} goes offline`);
  device.network.isOnline = false;
  device.network.cut();
};

const comeOnline: Act = async (simulation, device) => {
  simulation.say(`${device.name} comes online`);
  device.network.isOnline = true;
  await device.sync();
};

/** Lets the timers fire, so that waits end and held requests time out. */
const passMinute: Act = async (simulation, device) => {
  simulation.say(`${device.name} waits a minute`);
  await simulation.pass(61_000);
};

const releaseHeldRequests: Act = async (simulation, device) => {
  if (!device.network.holds) return;
  simulation.say(`${device.name}: what is held goes on`);
  device.network.release();
  await device.untilIdle();
};

export const deliverLateRequests: Act = async (simulation) => {
  const late = simulation.delayed.late.splice(0);
  if (late.length > 0) simulation.say(`${late.length} late requests arrive`);
  for (const deliver of late) await deliver();
};

/** Moves unsent work from one device to another. */
const transferUnsent: Act = async (simulation, device) => {
  const others = simulation.devices.filter((one) => one !== device && one.isOpen);
  if (others.length === 0) return;
  const other = pickOne(simulation.random, others);
  simulation.say(`${device.name} exports, ${other.name} imports`);
  try {
    const file = await device.attempt((gemba) => gemba.exportUnsent());
    if (!file) return;
    const taken = await other.attempt((gemba) => gemba.importUnsent(file));
    if (!taken) return;
    const { mutations } = file;
    other.addImported(device.works.filter((work) => mutations.some((mutation) => matchesWork(work, mutation))));
    await other.adoptRecording();
  } catch (error) {
    if (!(error instanceof GembaError)) throw error;
    simulation.say(`   refused: ${error.code}`);
  }
};

/** Gives the device a new token: by pairing, or another API key where the fleet uses keys. */
export const renewAccess: Act = async (simulation, device) => {
  simulation.say(`${device.name} gets a new token`);
  if (!simulation.setting.isPaired) {
    await device.close();
    const made = await simulation.tryRest<{ api_key: string }>('POST', '/keys', {});
    if (made) device.token = made.api_key;
    return;
  }
  await pair(simulation, device);
};

export async function pair(simulation: Simulation, device: FleetDevice): Promise<void> {
  // The server hashes pairing codes on a thread, and other work meanwhile would have an order of its own.
  await simulation.untilIdle();
  const device_kind = simulation.setting.kind;
  const made = await simulation.tryRest<PairingCode>('POST', '/auth/pairing-code', { device_kind });
  if (!made) return;
  try {
    await device.attempt((gemba) => gemba.pair(made.code, `Tablet ${device.name}`));
  } catch (error) {
    if (!(error instanceof GembaError)) throw error;
    simulation.say(`   refused: ${error.code}`);
  }
}

const restartServer: Act = async (simulation) => {
  simulation.say('the server is killed and started again');
  simulation.meet('server restarted');
  for (const { network } of simulation.devices) network.cut();
  await simulation.server.restart();
};

const backUpServer: Act = async (simulation) => {
  if (!simulation.server.canRestore) return;
  simulation.say('the server is backed up');
  const backup = await simulation.server.backUp();
  const putBack = simulation.log.saveState();
  simulation.restoreServer = async () => {
    await simulation.server.restore(backup);
    putBack();
    giveUpUnsendable(simulation);
  };
};

/**
 * Gives up what a restore took for good. Devices keep the receipts of recordings for 30 days, and a device that lost its
 * database has none of what the server alone had.
 */
function giveUpUnsendable({ log, works, time, devices }: Simulation): void {
  const standing = new Set(log.standing);
  for (const work of works) {
    if (work.identity.kind !== 'recording') continue;
    const last = log.entries.findLast(({ mutation, status }) => status === 'applied' && isExactly(work, mutation));
    if (!last || standing.has(last)) continue;
    const isExpired = time.elapsedMs - last.atMs > receiptAgeMsMax;
    const hasReceipt = devices.some((device) => device.works.includes(work) && !device.memory.onServerAlone.has(work));
    if (isExpired || !hasReceipt) work.isGivenUp = true;
  }
}

const receiptAgeMsMax = 30 * 86_400_000;

const restoreServer: Act = async (simulation) => {
  if (!simulation.restoreServer) return backUpServer(simulation, simulation.devices[0]!);
  simulation.say('the server is restored from its backup');
  simulation.restores++;
  simulation.meet('server restored');
  for (const { network } of simulation.devices) network.cut();
  await simulation.restoreServer();
};

const deviceActs: Act[] = weighted([
  [3, copy],
  [1, saveState],
  [1, restoreSavedState],
  [1, rollBackDatabase],
  [1, kill],
  [1, closeDevice],
  [3, goOffline],
  [4, comeOnline],
  [2, passMinute],
  [2, releaseHeldRequests],
  [1, deliverLateRequests],
  [1, transferUnsent],
  [1, renewAccess],
]);
const serverActs: Act[] = [restartServer, backUpServer, restoreServer];
