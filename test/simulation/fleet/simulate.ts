/**
 * Simulates one seed: a device works, its storage is copied to others, all go on at random, and the outcome is judged.
 * One seed is one history: time, ids, faults and the order of events follow from it.
 */
import { randomOf, pickOne, randomBelow } from '../../random.ts';
import { actMischief } from '../mischief/mischief.ts';
import { FleetServer } from '../platform/fleet-server.ts';
import { loadLateModules } from '../platform/late-modules.ts';
import { useOneTurn } from '../platform/one-turn.ts';
import { bytesFrom } from '../platform/seeded.ts';
import { Trace } from '../platform/trace.ts';
import { VirtualTime } from '../platform/virtual-time.ts';
import { ensureOpen, actOnFleet, pair } from './fleet-acts.ts';
import { settingOf, type SimulationSetting } from './setting.ts';
import { settleFleet } from './settle.ts';
import { judgeFleet } from './verdict.ts';
import { workOn } from './worker-acts.ts';
import type { SeedFailure } from './failure.ts';
import { Simulation } from './simulation.ts';

export interface SimulateOptions {
  seed: number;
  /** Replaces parts of the drawn setting. */
  setting?: Partial<SimulationSetting> | undefined;
  /** Acts to leave out, to find those that cause a failure. */
  skipped?: ReadonlySet<number> | undefined;
  /** A PostgreSQL, in which the seed gets a database of its own; the embedded database if absent. */
  postgresUrl?: string | undefined;
}

export interface SeedOutcome {
  seed: number;
  setting: SimulationSetting;
  recordings: number;
  edits: number;
  crashes: number;
  restores: number;
  foreignAnswers: number;
  faultsMet: { act: number; fault: string }[];
  /** The states that devices showed. */
  states: string[];
  failures: SeedFailure[];
  trace: string[];
}

/** Acts on the first device before the others become its copies. */
const actsBeforeCopies = 8;
const seedOfServer = 7_368_787;

export async function simulate({ seed, setting: given, skipped, postgresUrl }: SimulateOptions): Promise<SeedOutcome> {
  await loadLateModules();
  const endOneTurn = useOneTurn();
  const setting = { ...settingOf(seed), ...given };
  const time = new VirtualTime();
  const trace = new Trace(time);
  const randomBytes = bytesFrom(randomOf(seed + seedOfServer));
  const onDeath = (point: string) => trace.add('server', `dies ${point}`);
  const server = await FleetServer.open({ time, randomBytes, postgresUrl, processes: setting.servers, onDeath });
  const apiKey = await server.newAccount(setting.plan);
  const simulation = new Simulation({ seed, setting, server, time, trace, apiKey });
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
    await server.remove();
    process.off('unhandledRejection', onUnhandled);
    endOneTurn();
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

const secsPerActMax = 20;
const shareOnFleet = 0.3;
const shareOfMischief = 0.12;

async function runAct(simulation: Simulation, seed: number, act: number): Promise<void> {
  const random = randomOf(seed * 100_003 + act);
  simulation.random = random;
  simulation.act = act;
  simulation.server.random = randomOf(seed * 100_003 + act + 500_009);
  const { faultRate } = simulation.setting;
  for (const [index, { network }] of simulation.devices.entries()) {
    network.random = randomOf(seed * 100_003 + act + 1_000_003 * (index + 1));
    network.faultRate = faultRate;
  }
  const [first] = simulation.devices;
  if (!first) return;
  if (act === actsBeforeCopies) return makeCopies(simulation);
  const device = act < actsBeforeCopies ? first : pickOne(random, simulation.devices);
  await simulation.ensureServer();
  await simulation.pass(1_000 * (1 + randomBelow(random, secsPerActMax)));
  await ensureOpen(simulation, device);
  device.tabs.change(random);
  const drawn = random();
  if (act >= actsBeforeCopies && drawn < shareOnFleet) await actOnFleet(simulation, device);
  else if (drawn > 1 - shareOfMischief) await actMischief(simulation, device);
  else await workOn(simulation, device);
  await simulation.untilIdle();
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

function outcomeOf(simulation: Simulation, seed: number): SeedOutcome {
  const { setting, works, failures, trace, faultsMet, restores, log } = simulation;
  const recordings = works.filter(({ identity }) => identity.kind === 'recording').length;
  return {
    seed,
    setting,
    recordings,
    edits: works.length - recordings,
    crashes: simulation.devices.reduce((sum, device) => sum + device.crashes, 0),
    restores,
    foreignAnswers: log.foreignAnswers.length,
    faultsMet,
    states: [...simulation.states],
    failures,
    trace: trace.lines,
  };
}

const textOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));
