/**
 * Simulates one seed: a device works, its storage is copied to others, all go on at random, and the outcome is judged.
 */
import type { RunScopeBounds } from '../../../client/client.ts';
import { randomOf, pickOne, randomBelow } from '../../random.ts';
import { ensureOpen, actOnFleet, pair } from './fleet-acts.ts';
import type { FleetServer } from './server.ts';
import { settleFleet } from './settle.ts';
import type { FleetTime } from './time.ts';
import { judgeFleet } from './verdict.ts';
import { workOn } from './worker-acts.ts';
import { Simulation, type SeedFailure, type SimulationSetting } from './simulation.ts';

export interface SimulateOptions {
  seed: number;
  server: FleetServer;
  time: FleetTime;
  /** Replaces parts of the drawn setting. */
  setting?: Partial<SimulationSetting>;
  /** Acts to leave out, to find those that cause a failure. */
  skipped?: ReadonlySet<number>;
}

export interface SeedOutcome {
  seed: number;
  setting: SimulationSetting;
  recordings: number;
  edits: number;
  crashes: number;
  faults: number;
  restores: number;
  foreignAnswers: number;
  failures: SeedFailure[];
  history: string[];
}

/** Acts on the first device before the others become its copies. */
const actsBeforeCopies = 15;

export async function simulate({ seed, server, time, setting: given, skipped }: SimulateOptions): Promise<SeedOutcome> {
  const setting = { ...settingOf(seed), ...given };
  const apiKey = await server.newAccount(setting.plan);
  const simulation = new Simulation({ setting, server, time, apiKey });
  const onUnhandled = (error: unknown) => simulation.fail('thrown', `unhandled: ${textOf(error)}`);
  process.on('unhandledRejection', onUnhandled);
  const guard = guardAgainstHanging();
  try {
    await Promise.race([runActs(simulation, seed, skipped), guard.hung]);
  } catch (error) {
    simulation.fail('thrown', textOf(error));
  } finally {
    guard.end();
    for (const device of simulation.devices) device.kill();
    process.off('unhandledRejection', onUnhandled);
  }
  return outcomeOf(simulation, seed);
}

async function runActs(simulation: Simulation, seed: number, skipped?: ReadonlySet<number>): Promise<void> {
  await openFirstDevice(simulation);
  for (let act = 0; act < simulation.setting.acts; act++) if (!skipped?.has(act)) await runAct(simulation, seed, act);
  await judgeFleet(simulation, { isQuiet: await settleFleet(simulation) });
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

async function openFirstDevice(simulation: Simulation): Promise<void> {
  const [first] = simulation.devices;
  if (!first) return;
  const { isPaired } = simulation.setting;
  for (const device of simulation.devices) device.token = isPaired ? undefined : simulation.apiKey;
  await first.open();
  if (isPaired) await pair(simulation, first);
  await first.untilIdle();
}

async function runAct(simulation: Simulation, seed: number, act: number): Promise<void> {
  const random = randomOf(seed * 100_003 + act);
  simulation.random = random;
  const { faultRate } = simulation.setting;
  for (const [index, { network }] of simulation.devices.entries()) {
    network.random = randomOf(seed * 100_003 + act + 1_000_003 * (index + 1));
    network.faultRate = faultRate;
  }
  const [first] = simulation.devices;
  if (!first) return;
  if (act === actsBeforeCopies) return makeCopies(simulation);
  const device = act < actsBeforeCopies ? first : pickOne(random, simulation.devices);
  simulation.time.advance(1_000 * (1 + randomBelow(random, 60)));
  await ensureOpen(simulation, device);
  if (act >= actsBeforeCopies && random() < 0.35) await actOnFleet(simulation, device);
  else await workOn(simulation, device);
  for (const one of simulation.devices) await one.untilIdle();
}

/** Makes each of the others a copy of the first device, or of a copy. */
async function makeCopies(simulation: Simulation): Promise<void> {
  const made = simulation.devices.slice(0, 1);
  for (const device of simulation.devices.slice(1)) {
    const of = pickOne(simulation.random, made);
    simulation.say(`${device.name} is made a copy of ${of.name}`);
    device.restore(of.backup);
    made.push(device);
  }
}

/** Scopes so small that each device loads and drops, narrower and wider from life to life. */
export const smallScopes: readonly RunScopeBounds[] = [
  { runsMax: 2 },
  { runsMax: 3, runsPerMap: 1 },
  { runsMax: 1 },
  {},
];

export function settingOf(seed: number): SimulationSetting {
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
    scopes: [],
    acts: 60 + randomBelow(random, 80),
  };
}

function outcomeOf(simulation: Simulation, seed: number): SeedOutcome {
  const { setting, works, failures, history, faults, restores, log } = simulation;
  const recordings = works.filter(({ identity }) => identity.kind === 'recording').length;
  const crashes = simulation.devices.reduce((sum, device) => sum + device.crashes, 0);
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
