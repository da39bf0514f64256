/**
 * The push and pull protocol as a machine: what a few devices, the network and one server may do next, and the faults that a
 * bound allows. A crash of the server is a lost request (before its commit) or a lost answer (after it), since the server
 * keeps nothing outside of its store. The relay will be one more kind of exchange, between two devices.
 */
import type { Machine, Step } from './explore.ts';
import { actsOf, type Acts } from './acts.ts';
import { openDevice, unpushed, type Device } from './device-state.ts';
import { undrained, violated } from './invariants.ts';
import { cursorOf, newServer, type ServerState } from './server.ts';
import type { Bound, Faults, ModelState } from './state.ts';
import { keyWithoutNames } from './symmetry.ts';
import type { Variant } from './variant.ts';

interface Options {
  variant?: Variant;
  /** True explores orders of acts that lead to no other state of rest, too. */
  takesAllOrders?: boolean;
}

export function protocol(
  { devices, mutations, pageMax, ...left }: Bound,
  { variant = 'as built', takesAllOrders = false }: Options = {},
): Machine<ModelState> {
  const acts = actsOf({ mutations, ...(pageMax === undefined ? {} : { pageMax }) });
  const { parts } = acts;
  return {
    initial: waysToMake(mutations.length, devices).map((toMake) => ({
      devices: toMake.map((numbers, index) => parts.one(openDevice(nameOf(index), numbers, variant))),
      server: parts.one(newServer()),
      past: parts.one({}),
      late: [],
      left: parts.one(left),
    })),
    keyOf: (state) => keyOf(acts, state),
    async stepsFrom(state) {
      const first = takesAllOrders ? undefined : await firstToAct(acts, state);
      const steps = first ? [] : [...(await lateRequests(acts, state)), ...restores(acts, state)];
      for (const device of first ? [first] : state.devices) {
        steps.push(...(await tapsOf(acts, state, device)));
        steps.push(...(await stepsOf(acts, state, device)), ...(await faultsOf(acts, state, device)));
      }
      return steps;
    },
    violated,
    async fairStep(state) {
      for (const device of state.devices) {
        const [step] = await stepsOf(acts, state, device);
        if (step) return step;
      }
      return undefined;
    },
    undrained,
  };
}

/** Returns each way to share the mutations among the devices, up to how these are called. */
function waysToMake(mutations: number, devices: number): number[][][] {
  let ways: number[][][] = [Array.from({ length: devices }, () => [])];
  for (let number = 1; number <= mutations; number++) {
    ways = ways.flatMap((way) => {
      const used = way.filter((numbers) => numbers.length > 0).length;
      const makers = [...way.keys()].filter((index) => index <= used);
      return makers.map((maker) => way.map((numbers, index) => (index === maker ? [...numbers, number] : numbers)));
    });
  }
  return ways;
}

const nameOf = (index: number): string => String.fromCharCode(65 + index);

/**
 * A device with an answer, or that begins a round with a request, goes first: other orders lead to the same states of rest,
 * since what others do meanwhile changes nothing of what it does. Its request then waits for the server like all others.
 */
async function firstToAct(acts: Acts, state: ModelState): Promise<Device | undefined> {
  for (const device of state.devices) {
    if (device.exchange?.answer) return device;
    if (!device.exchange && !isAtRest(state, device) && (await acts.beginRound(device)).exchange) return device;
  }
  return undefined;
}

async function tapsOf(acts: Acts, state: ModelState, device: Device): Promise<Step<ModelState>[]> {
  const after = await acts.tap(device);
  return after ? [{ name: `${device.name} makes ${after.made.at(-1) ?? ''}`, to: withDevice(state, after) }] : [];
}

/** Returns what the device does next without a tap and without a fault; what the server does may follow a backup. */
async function stepsOf(acts: Acts, state: ModelState, device: Device): Promise<Step<ModelState>[]> {
  const { exchange, name } = device;
  if (exchange?.answer)
    return [{ name: `${name} takes the answer`, to: withDevice(state, await acts.receive(device)) }];
  if (exchange) {
    const served = await acts.serve(state.server, device);
    return served ? servedSteps(acts, withDevice(state, served.device), served) : [];
  }
  if (isAtRest(state, device)) return [];
  return [{ name: `${name} begins a round`, to: withDevice(state, await acts.beginRound(device)) }];
}

function isAtRest({ server }: ModelState, device: Device): boolean {
  const isNews = device.base.cursor?.cursor !== cursorOf(server);
  return device.sync.phase === 'idle' && !isNews && unpushed(device).length === 0 && !device.isStarting;
}

/** A backup matters from the next change of the server on, so that one is made just before a change. */
function servedSteps(
  { parts }: Acts,
  state: ModelState,
  { server, what }: { server: ServerState; what: string },
): Step<ModelState>[] {
  const after = { ...state, server };
  const steps = [{ name: what, to: after }];
  if (state.left.restores > 0 && !state.backup && server !== state.server) {
    steps.push({ name: `after a backup, ${what}`, to: { ...after, backup: parts.one(state.server) } });
  }
  return steps;
}

async function faultsOf(acts: Acts, state: ModelState, device: Device): Promise<Step<ModelState>[]> {
  const { devices, left } = state;
  const { exchange, name } = device;
  const steps: Step<ModelState>[] = [];
  const add = (step: string, to: ModelState, fault: keyof Faults) =>
    steps.push({ name: step, to: { ...to, left: acts.parts.one({ ...to.left, [fault]: to.left[fault] - 1 }) } });
  const isUnserved = exchange?.kind === 'push' && !exchange.answer;
  if (exchange && left.losses > 0) {
    const failed = withDevice(state, await acts.waitInVain(device));
    add(`${name} waits in vain`, failed, 'losses');
    if (isUnserved && left.late > 0) add(`${name} gives up too early`, withLate(acts, failed, device), 'losses');
  }
  if (left.crashes > 0) {
    const restarted = await acts.restart(device);
    // A device that a crash changes nothing of has one crash less before it, and no other future.
    if (restarted !== device) add(`${name} crashes`, withDevice(state, restarted), 'crashes');
    if (isUnserved && left.late > 0)
      add(`${name} crashes after sending`, withLate(acts, withDevice(state, restarted), device), 'crashes');
    const halfWritten = await acts.afterHalfAPull(device);
    if (halfWritten) add(`${name} crashes after writing the pull`, withDevice(state, halfWritten), 'crashes');
  }
  if (left.copies > 0) {
    for (const { original, copyAs } of acts.copies(device)) {
      const after = withDevice(state, original);
      const copy = copyAs(nameOf(devices.length));
      add(`${name} is copied`, { ...after, devices: [...after.devices, copy] }, 'copies');
    }
  }
  return steps;
}

/** A late request is one that reaches the server after its device has given up on it. */
async function lateRequests(acts: Acts, state: ModelState): Promise<Step<ModelState>[]> {
  const steps: Step<ModelState>[] = [];
  for (const [index, sender] of state.late.entries()) {
    const served = await acts.serve(state.server, sender);
    if (!served) continue;
    const to = { ...state, late: state.late.toSpliced(index, 1) };
    steps.push(...servedSteps(acts, to, { ...served, what: `late: ${served.what}` }));
  }
  return steps;
}

/** Without a backup before, the present state comes back. */
function restores({ parts, restore }: Acts, state: ModelState): Step<ModelState>[] {
  const { server, backup, left, past } = state;
  if (left.restores === 0) return [];
  const to = {
    ...state,
    server: restore(backup ?? server, server),
    past: parts.one({ ...past, [server.epoch]: server.applied }),
    left: parts.one({ ...left, restores: left.restores - 1 }),
  };
  return [{ name: 'the backup is restored', to }];
}

const withDevice = (state: ModelState, device: Device): ModelState => ({
  ...state,
  devices: state.devices.map((one) => (one.name === device.name ? device : one)),
});

const withLate = ({ parts }: Acts, state: ModelState, sender: Device): ModelState => ({
  ...state,
  late: [...state.late, sender],
  left: parts.one({ ...state.left, late: state.left.late - 1 }),
});

function keyOf({ parts }: Acts, { devices, server, backup, past, late, left }: ModelState): string {
  const named = devices.map((device) => ({ name: device.name, shape: parts.shapeOf(device) }));
  const requests = late.map(({ exchange }) => exchange?.request ?? {});
  const rest = [server, ...(backup ? [backup] : []), past, left, ...requests];
  return keyWithoutNames(
    named,
    rest.map((part) => parts.shapeOf(part)),
  );
}
