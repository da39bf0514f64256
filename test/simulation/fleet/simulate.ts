/**
 * Simulates one seed: a device works, its storage is copied to others, all go on at random, and the outcome is judged.
 */
import { randomOf, pickOne, randomBelow } from '../../random.ts';
import { ensureOpen, happenTo, pair } from './fleet-acts.ts';
import type { FleetServer } from './server.ts';
import { settle } from './settle.ts';
import type { FleetTime } from './time.ts';
import { judge } from './verdict.ts';
import { workOn } from './worker-acts.ts';
import { World, type Failure, type Setting } from './world.ts';

export interface SimulateOptions {
  seed: number;
  server: FleetServer;
  time: FleetTime;
  /** Replaces parts of the drawn setting. */
  setting?: Partial<Setting>;
  /** Acts to leave out, to find those that cause a failure. */
  skipped?: ReadonlySet<number>;
}

export interface Outcome {
  seed: number;
  setting: Setting;
  recordings: number;
  edits: number;
  crashes: number;
  faults: number;
  restores: number;
  foreignAnswers: number;
  failures: Failure[];
  history: string[];
}

/** Acts on the first device before the others become its copies. */
const actsAlone = 15;

export async function simulate({ seed, server, time, setting: given, skipped }: SimulateOptions): Promise<Outcome> {
  const setting = { ...settingOf(seed), ...given };
  const apiKey = await server.newAccount(setting.plan);
  const world = new World({ setting, server, time, apiKey });
  const onUnhandled = (error: unknown) => world.fail('thrown', `unhandled: ${textOf(error)}`);
  process.on('unhandledRejection', onUnhandled);
  const guard = guardAgainstHanging();
  try {
    await Promise.race([live(world, seed, skipped), guard.hung]);
  } catch (error) {
    world.fail('thrown', textOf(error));
  } finally {
    guard.end();
    for (const device of world.devices) device.kill();
    process.off('unhandledRejection', onUnhandled);
  }
  return outcomeOf(world, seed);
}

async function live(world: World, seed: number, skipped?: ReadonlySet<number>): Promise<void> {
  await begin(world);
  for (let act = 0; act < world.setting.acts; act++) if (!skipped?.has(act)) await happen(world, seed, act);
  await judge(world, { isQuiet: await settle(world) });
}

/** Nothing in a simulation waits for real time, so a longer silence means that it hangs. */
const hungMsMax = 120_000;

function guardAgainstHanging(): { hung: Promise<never>; end: () => void } {
  let end = () => {};
  const hung = new Promise<never>((_resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('it hangs')), hungMsMax);
    end = () => clearTimeout(timer);
  });
  return { hung, end };
}

async function begin(world: World): Promise<void> {
  const [first] = world.devices;
  if (!first) return;
  const { isPaired } = world.setting;
  for (const device of world.devices) device.token = isPaired ? undefined : world.apiKey;
  await first.open();
  if (isPaired) await pair(world, first);
  await first.rests();
}

async function happen(world: World, seed: number, act: number): Promise<void> {
  const random = randomOf(seed * 100_003 + act);
  world.random = random;
  const { faultRate } = world.setting;
  for (const [index, { line }] of world.devices.entries()) {
    line.random = randomOf(seed * 100_003 + act + 1_000_003 * (index + 1));
    line.faultRate = faultRate;
  }
  const [first] = world.devices;
  if (!first) return;
  if (act === actsAlone) return provision(world);
  const device = act < actsAlone ? first : pickOne(random, world.devices);
  world.time.pass(1_000 * (1 + randomBelow(random, 60)));
  await ensureOpen(world, device);
  if (act >= actsAlone && random() < 0.35) await happenTo(world, device);
  else await workOn(world, device);
  for (const one of world.devices) await one.rests();
}

/** Makes each of the others a copy of the first device, or of a copy. */
async function provision(world: World): Promise<void> {
  const made = world.devices.slice(0, 1);
  for (const device of world.devices.slice(1)) {
    const of = pickOne(world.random, made);
    world.say(`${device.name} is made a copy of ${of.name}`);
    device.become(of.backup);
    made.push(device);
  }
}

export function settingOf(seed: number): Setting {
  const random = randomOf(seed);
  const isPaired = random() < 0.5;
  return {
    devices: 2 + randomBelow(random, 7),
    isPaired,
    // A paired watch may only record, so its copies could not differ enough.
    kind: !isPaired && random() < 0.2 ? 'wearable' : 'phone',
    plan: random() < 0.15 ? 'free' : 'team',
    hasMirror: random() < 0.5,
    hasServerFaults: random() < 0.3,
    faultRate: pickOne(random, [0, 0.05, 0.15, 0.3]),
    crashRate: pickOne(random, [0, 0.2, 0.5]),
    acts: 60 + randomBelow(random, 80),
  };
}

function outcomeOf(world: World, seed: number): Outcome {
  const { setting, works, failures, history, faults, restores, log } = world;
  const recordings = works.filter(({ deed }) => deed.kind === 'recording').length;
  const crashes = world.devices.reduce((sum, device) => sum + device.crashes, 0);
  const edits = works.length - recordings;
  const foreignAnswers = log.foreignAnswers.length;
  return {
    seed,
    setting,
    recordings,
    edits,
    crashes,
    faults,
    restores,
    foreignAnswers,
    failures,
    history,
  };
}

const textOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));
