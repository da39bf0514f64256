/** Simulates one seed of the relay: acts at random, checks after each, and then brings all work home. */
import { firstValueFrom } from 'rxjs';
import { pickOne, randomBelow, randomOf } from '../../random.ts';
import { weighted } from '../fleet/weighted.ts';
import { loadLateModules } from '../platform/late-modules.ts';
import { readScreen, typeReceipt } from './code-acts.ts';
import { RelaySimulation } from './relay-simulation.ts';
import type { SimWatch } from './sim-watch.ts';

export interface RelayOutcome {
  seed: number;
  failures: string[];
  recordings: number;
  crashes: number;
  restores: number;
  faultsMet: string[];
  trace: string[];
}

const actsMax = 24;
const hourMs = 3_600_000;
const meetingsHomeMax = 16;

type Act = (simulation: RelaySimulation) => Promise<void>;

const acts = weighted<Act>([
  [12, async (simulation) => drawWatch(simulation).record(`note ${simulation.random()}`)],
  [16, async (simulation) => simulation.meet(drawWatch(simulation), pickOne(simulation.random, simulation.carriers))],
  [4, meetLive],
  [6, async (simulation) => simulation.deliver(pickOne(simulation.random, simulation.carriers))],
  [4, async ({ random, carriers }) => void (pickOne(random, carriers).isOnline = false)],
  [4, waitLong],
  [2, (simulation) => drawWatch(simulation).crash()],
  [2, ({ random, carriers }) => pickOne(random, carriers).crash()],
  [1, loseDisk],
  [1, renameMap],
  [1, goBack],
  [1, pairAgain],
  [2, dieAtWork],
  [4, readScreen],
  [4, typeReceipt],
]);
/** They happen while the server is what it will go back to. */
const lostActs: readonly Act[] = acts.slice(0, 12 + 16 + 4 + 6);

export async function simulateRelay(seed: number): Promise<RelayOutcome> {
  const simulation = new RelaySimulation(seed);
  const endCounting = simulation.activity.countCryptography();
  const onUnhandled = (error: unknown) => simulation.fail(`unhandled: ${String((error as Error).stack)}`);
  process.on('unhandledRejection', onUnhandled);
  try {
    await loadLateModules();
    await simulation.open();
    for (let act = 0; act < actsMax; act++) {
      simulation.random = randomOf(seed * 1_009 + act);
      await pickOne(simulation.random, acts)(simulation);
      await simulation.activity.settle();
      await simulation.server.ensureAlive();
      await check(simulation);
    }
    await bringHome(simulation);
    await judge(simulation);
  } catch (error) {
    simulation.fail(`thrown: ${String((error as Error).stack)}`);
  } finally {
    await simulation.close();
    process.off('unhandledRejection', onUnhandled);
    endCounting();
  }
  const { failures, crashes, restores, faultsMet, trace, watches } = simulation;
  const recordings = watches.reduce((sum, { recorded }) => sum + recorded.length, 0);
  return { seed, failures, recordings, crashes, restores, faultsMet, trace: trace.lines };
}

const drawWatch = ({ random, watches }: RelaySimulation): SimWatch => pickOne(random, watches);

async function meetLive(simulation: RelaySimulation): Promise<void> {
  const carrier = pickOne(simulation.random, simulation.carriers);
  carrier.isOnline = simulation.random() < 0.8;
  await simulation.meet(drawWatch(simulation), carrier, { live: true });
}

async function waitLong({ random, time, activity }: RelaySimulation): Promise<void> {
  time.jump(randomBelow(random, 72 * hourMs));
  await time.pass(70_000, activity.settle);
}

async function loseDisk({ random, carriers }: RelaySimulation): Promise<void> {
  const carrier = pickOne(random, carriers);
  carrier.loseDisk();
  await carrier.crash();
}

/** Lets the server die between two calls of its store, while it answers what a carrier delivers. */
async function dieAtWork(simulation: RelaySimulation): Promise<void> {
  const { server, random, carriers } = simulation;
  server.dieAt(1 + randomBelow(random, 12));
  await simulation.deliver(pickOne(random, carriers));
  server.cancelDeath();
}

async function renameMap(simulation: RelaySimulation): Promise<void> {
  const { mapId } = drawWatch(simulation);
  await simulation.rest('PATCH', `/maps/${mapId}`, { name: `Secret map ${simulation.random()}` });
}

/** Puts the server back to what it was some acts ago. */
async function goBack(simulation: RelaySimulation): Promise<void> {
  const { server } = simulation;
  const backup = await server.backUp();
  for (let act = 0; act < 4; act++) await pickOne(simulation.random, lostActs)(simulation);
  await simulation.activity.settle();
  await server.restore(backup);
  simulation.restores++;
  for (const watch of simulation.watches) watch.mayRenumber = true;
  simulation.say('the server goes back');
}

async function pairAgain(simulation: RelaySimulation): Promise<void> {
  const watch = drawWatch(simulation);
  const { data } = await simulation.rest<{ data: { id: string; name: string; revoked_at?: string | null }[] }>(
    'GET',
    '/devices',
  );
  for (const { id } of data.filter(({ name }) => name === watch.name)) {
    await simulation.rest('POST', `/devices/${id}/revoke`).catch(() => undefined);
  }
  simulation.say(`${watch.name} is revoked`);
  watch.mayRenumber = true;
  if (simulation.random() < 0.5) await simulation.meet(watch, pickOne(simulation.random, simulation.carriers));
  await simulation.pair(watch);
  simulation.say(`${watch.name} is paired again`);
}

/** Checks what must hold at each moment. */
async function check(simulation: RelaySimulation): Promise<void> {
  for (const carrier of simulation.carriers) {
    const found = ['Secret', 'note ', 'upload_recording', 'Bearer'].find((word) => carrier.diskText.includes(word));
    if (found) simulation.fail(`the disk of ${carrier.name} has "${found}"`);
  }
  for (const watch of simulation.watches) {
    const onServer = new Set((await simulation.runsOf(watch)).map((run) => run.recording_session_id));
    for (const session of watch.calledSafe) {
      const lacks = !onServer.has(session) && simulation.restores === 0;
      if (lacks) simulation.fail(`custody false: ${watch.name} says that ${session} is safe`);
    }
    watch.calledSafe.clear();
    for (const code of watch.wrongProblems.splice(0)) simulation.fail(`${watch.name} has the problem ${code}`);
  }
}

/** Ends all faults and lets each watch meet carriers that are online, until all of its work is proven. */
async function bringHome(simulation: RelaySimulation): Promise<void> {
  simulation.say('all faults end');
  simulation.faultRate = 0;
  simulation.server.cancelDeath();
  await simulation.server.ensureAlive();
  for (const watch of simulation.watches) {
    for (let meetings = 0; meetings < meetingsHomeMax; meetings++) {
      const carrier = simulation.carriers[meetings % simulation.carriers.length]!;
      await simulation.deliver(carrier);
      await simulation.meet(watch, carrier);
    }
  }
}

async function judge(simulation: RelaySimulation): Promise<void> {
  for (const watch of simulation.watches) {
    const runs = await simulation.runsOf(watch);
    const sessions = runs.map((run) => run.recording_session_id);
    const made = watch.recorded.map(({ session }) => session);
    const attention = await firstValueFrom(watch.gemba.attention$);
    if (attention.length > 0) simulation.fail(`${watch.name} needs attention: ${JSON.stringify(attention)}`);
    const problem = await firstValueFrom(watch.handOver.handOverProblem$);
    if (problem) simulation.fail(`${watch.name} has a problem: ${JSON.stringify(problem)}`);
    for (const { session, from, to } of watch.recorded) {
      const found = runs.filter((run) => run.recording_session_id === session);
      if (found.length !== 1) simulation.fail(`${watch.name}: ${found.length} runs of ${session}`);
      const custody = await watch.custodyOf(session);
      if (custody !== 'server') simulation.fail(`${watch.name}: custody of ${session} is ${custody} at the end`);
      const startedAt = Date.parse(found[0]?.started_at ?? '');
      // The server keeps whole seconds.
      if (!(startedAt >= from - 1_000 && startedAt <= to))
        simulation.fail(`${watch.name}: the start of ${session} moved`);
    }
    const isInOrder = JSON.stringify(sessions) === JSON.stringify(made);
    if (!watch.mayRenumber && !isInOrder)
      simulation.fail(`${watch.name}: out of order ${sessions.join()} ${made.join()}`);
  }
}
