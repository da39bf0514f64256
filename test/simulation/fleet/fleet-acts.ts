/** Acts on the devices of a fleet and on the server, apart from the work itself. */
import { GembaError } from '../../../client/client.ts';
import type { PairingCode } from '../../../shared/schema/auth.ts';
import { pickOne, randomBelow } from '../../random.ts';
import { weighted } from './weighted.ts';
import type { FleetDevice } from './device.ts';
import type { Backup } from './memory.ts';
import { isOf, type Work } from './works.ts';
import type { World } from './world.ts';

type Act = (world: World, device: FleetDevice) => Promise<void>;

const pointsPerLifeMax = 80;

/** Opens the device if it is closed, perhaps with a crash to come. */
export async function ensureOpen(world: World, device: FleetDevice): Promise<void> {
  if (device.isOpen) return;
  const dies = world.random() < world.setting.crashRate;
  const dieAt = dies ? 1 + randomBelow(world.random, pointsPerLifeMax) : undefined;
  world.say(`${device.name} opens${dies ? `, to die at point ${dieAt}` : ''}`);
  await device.open(dieAt);
}

export async function happenTo(world: World, device: FleetDevice): Promise<void> {
  await pickOne(world.random, world.setting.hasServerFaults ? [...happenings, ...serverHappenings] : happenings)(
    world,
    device,
  );
}

/** Replaces the storage of this device by a copy of another's. */
const copy: Act = async (world, device) => {
  const others = world.devices.filter((one) => one !== device);
  if (others.length > 0) become(world, pickOne(world.random, others), { ...device.backup, of: device.name });
};

const shelve: Act = async (world, device) => {
  world.say(`${device.name} is backed up`);
  world.shelf.push({ ...device.backup, of: device.name });
};

/** Restores a saved state of this device or of another. */
const takeFromShelf: Act = async (world, device) => {
  if (world.shelf.length > 0) become(world, device, pickOne(world.random, world.shelf));
};

/** Rolls back the database alone: the journal still has what the server has not. */
const goBack: Act = async (world, device) => {
  const { image, memory } = device.backup;
  const isEarlier = (one: Backup) => one.memory.made.every((work) => memory.made.includes(work));
  const earlier = world.shelf.findLast((one) => one.of === device.name && isEarlier(one));
  if (!earlier || !image.log) return;
  world.say(`the database of ${device.name} goes back`);
  const isKept = (work: Work) =>
    earlier.memory.made.includes(work) || !world.log.entries.some(({ mutation }) => isOf(work, mutation));
  const imported = [...earlier.memory.imported, ...memory.imported.filter(isKept)];
  device.become({
    image: { rows: earlier.image.rows, log: image.log },
    memory: { ...memory, made: memory.made.filter(isKept), imported: [...new Set(imported)] },
  });
};

function become(world: World, device: FleetDevice, backup: World['shelf'][number]): void {
  world.say(`${device.name} becomes ${backup.of} as it ${device.name === backup.of ? 'was' : 'is'} backed up`);
  device.become(backup);
}

const kill: Act = async (world, device) => {
  world.say(`${device.name} is killed`);
  device.kill();
};

const reopen: Act = async (world, device) => {
  world.say(`${device.name} is closed`);
  await device.close();
};

const goOffline: Act = async (world, device) => {
  world.say(`${device.name} goes offline`);
  device.line.isOnline = false;
  device.line.cut();
};

const comeOnline: Act = async (world, device) => {
  world.say(`${device.name} comes online`);
  device.line.isOnline = true;
  await device.sync();
};

/** Lets the timers fire, so that waits end and held requests time out. */
const wait: Act = async (world, device) => {
  world.say(`${device.name} waits a minute`);
  world.time.pass(61_000);
  await device.waits(61_000);
};

const letGo: Act = async (world, device) => {
  if (!device.line.holds) return;
  world.say(`${device.name}: what is held goes on`);
  device.line.letGo();
  await device.rests();
};

export const deliverMail: Act = async (world) => {
  const late = world.mail.splice(0);
  if (late.length > 0) world.say(`${late.length} late requests arrive`);
  for (const deliver of late) await deliver();
};

/** Moves unsent work from one device to another. */
const handOver: Act = async (world, device) => {
  const others = world.devices.filter((one) => one !== device && one.isOpen);
  if (others.length === 0) return;
  const other = pickOne(world.random, others);
  world.say(`${device.name} exports, ${other.name} imports`);
  try {
    const file = await device.does((gemba) => gemba.exportUnsent());
    if (!file) return;
    const taken = await other.does((gemba) => gemba.importUnsent(file));
    if (!taken) return;
    const { mutations } = file;
    other.took(device.works.filter((work) => mutations.some((mutation) => isOf(work, mutation))));
    await other.adopt();
  } catch (error) {
    if (!(error instanceof GembaError)) throw error;
    world.say(`   refused: ${error.code}`);
  }
};

/** Gives the device a new token: by pairing, or another API key where the fleet uses keys. */
export const renewAccess: Act = async (world, device) => {
  world.say(`${device.name} gets a new token`);
  if (!world.setting.isPaired) {
    await device.close();
    device.token = (await world.rest<{ api_key: string }>('POST', '/keys', {})).api_key;
    return;
  }
  await pair(world, device);
};

export async function pair(world: World, device: FleetDevice): Promise<void> {
  const device_kind = world.setting.kind;
  const { code } = await world.rest<PairingCode>('POST', '/auth/pairing-code', { device_kind });
  try {
    await device.does((gemba) => gemba.pair(code, `Tablet ${device.name}`));
  } catch (error) {
    if (!(error instanceof GembaError)) throw error;
    world.say(`   refused: ${error.code}`);
  }
}

const restartServer: Act = async (world) => {
  world.say('the server is killed and started again');
  for (const { line } of world.devices) line.cut();
  await world.server.restart();
};

const backUpServer: Act = async (world) => {
  world.say('the server is backed up');
  const backup = await world.server.backUp();
  const putBack = world.log.keep();
  world.restoreServer = async () => {
    await world.server.restore(backup);
    putBack();
  };
};

const restoreServer: Act = async (world) => {
  if (!world.restoreServer) return backUpServer(world, world.devices[0]!);
  world.say('the server is restored from its backup');
  world.restores++;
  for (const { line } of world.devices) line.cut();
  await world.restoreServer();
};

const happenings: Act[] = weighted([
  [3, copy],
  [1, shelve],
  [1, takeFromShelf],
  [1, goBack],
  [1, kill],
  [1, reopen],
  [3, goOffline],
  [4, comeOnline],
  [2, wait],
  [2, letGo],
  [1, deliverMail],
  [1, handOver],
  [1, renewAccess],
]);
const serverHappenings: Act[] = [restartServer, backUpServer, restoreServer];
