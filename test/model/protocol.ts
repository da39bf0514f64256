/**
 * The push and pull protocol as a machine: what a few devices, the network and one server may do next, and the faults that a
 * bound allows. A crash of the server is a lost request (before its commit) or a lost answer (after it), since the server
 * keeps nothing outside of its store. The relay will be one more kind of exchange, between two devices.
 */
import type { Machine, Step } from './explore.ts';
import { beginRound, copyOf, fail, restart, tap } from './device.ts';
import { openDevice, unpushed, type Device, type MutationKind } from './device-state.ts';
import { undrained, violated } from './invariants.ts';
import { receive, takePage } from './receive.ts';
import { cursorOf, newServer, restored, servePull, servePush } from './server.ts';
import type { Bound, Faults, ModelState } from './state.ts';
import { textWithoutNames } from './symmetry.ts';
import type { Variant } from './variant.ts';

export function protocol(
  { devices, mutations, pageMax = Infinity, ...left }: Bound,
  variant: Variant = 'as built',
): Machine<ModelState> {
  return {
    initial: {
      devices: Array.from({ length: devices }, (_, index) => openDevice(nameOf(index), variant)),
      server: newServer(),
      past: {},
      late: [],
      made: 0,
      pageMax,
      left,
    },
    keyOf,
    async stepsFrom(state) {
      const first = firstToAct(state, mutations);
      if (first) return [...(await stepsOf(state, first)), ...(await faultsOf(state, first))];
      const steps = [...(await taps(state, mutations)), ...(await lateRequests(state)), ...stepsOfBackups(state)];
      for (const device of state.devices) {
        steps.push(...(await stepsOf(state, device)), ...(await faultsOf(state, device)));
      }
      return steps;
    },
    violated,
    fairStep,
    undrained,
  };
}

const nameOf = (index: number): string => String.fromCharCode(65 + index);

/**
 * Once all mutations are made, a device with an answer goes first: what others do meanwhile neither changes what it does
 * nor depends on it, so that each other order leads to the same states.
 */
const firstToAct = ({ devices, made }: ModelState, mutations: readonly MutationKind[]): Device | undefined =>
  made === mutations.length ? devices.find(({ exchange }) => exchange?.answer) : undefined;

async function taps(state: ModelState, mutations: readonly MutationKind[]): Promise<Step<ModelState>[]> {
  const kind = mutations[state.made];
  if (!kind) return [];
  return Promise.all(
    state.devices.map(async (device) => {
      const after = await tap(device, kind, state.made + 1);
      const name = `${device.name} makes ${after.made.at(-1) ?? ''}`;
      return { name, to: { ...withDevice(state, after), made: state.made + 1 } };
    }),
  );
}

async function stepsOf(state: ModelState, device: Device): Promise<Step<ModelState>[]> {
  const step = await stepOf(state, device);
  return step ? [step] : [];
}

/** Returns what the device does next without a tap and without a fault. */
async function stepOf(state: ModelState, device: Device): Promise<Step<ModelState> | undefined> {
  const { exchange, name } = device;
  if (exchange && !exchange.answer) return serve(state, device);
  if (exchange) return { name: `${name} takes the answer`, to: withDevice(state, await receive(device)) };
  const isNews = device.base.cursor?.cursor !== cursorOf(state.server);
  const isAtRest = device.sync.phase === 'idle' && !isNews && unpushed(device).length === 0;
  if (isAtRest && !device.isStarting) return undefined;
  return { name: `${name} begins a round`, to: withDevice(state, await beginRound(device)) };
}

async function serve(state: ModelState, device: Device): Promise<Step<ModelState> | undefined> {
  const { exchange, name, variant } = device;
  if (!exchange) return undefined;
  if (exchange.kind === 'pull') {
    const answered = {
      ...device,
      exchange: { ...exchange, answer: servePull(state.server, exchange.request, state.pageMax) },
    };
    return { name: `the server answers the pull of ${name}`, to: withDevice(state, answered) };
  }
  const { server, answer } = await servePush(state.server, exchange.request, variant);
  const answered = { ...device, exchange: { ...exchange, answer } };
  const what = exchange.kind === 'push' ? exchange.entries.map(({ seq }) => seq).join(', ') : 'an empty push';
  const outcome = answer.ok ? 'takes' : answer.error.code;
  return { name: `the server ${outcome} ${what} of ${name}`, to: { ...withDevice(state, answered), server } };
}

async function faultsOf(state: ModelState, device: Device): Promise<Step<ModelState>[]> {
  const { devices, left } = state;
  const { exchange, name } = device;
  const steps: Step<ModelState>[] = [];
  const add = (step: string, to: ModelState, fault: keyof Faults) =>
    steps.push({ name: step, to: { ...to, left: { ...to.left, [fault]: to.left[fault] - 1 } } });
  const isUnserved = exchange?.kind === 'push' && !exchange.answer;
  if (exchange && left.losses > 0) {
    const failed = await fail(device, { kind: 'unreachable', detail: '', timedOut: true });
    add(`${name} waits in vain`, withDevice(state, failed), 'losses');
    if (isUnserved && left.late > 0)
      add(`${name} gives up too early`, withLate(withDevice(state, failed), device), 'losses');
  }
  if (left.crashes > 0) {
    const restarted = restart(device);
    add(`${name} crashes`, withDevice(state, restarted), 'crashes');
    if (isUnserved && left.late > 0)
      add(`${name} crashes after sending`, withLate(withDevice(state, restarted), device), 'crashes');
    const halfWritten = await afterHalfAPull(device);
    if (halfWritten) add(`${name} crashes after writing the pull`, withDevice(state, halfWritten), 'crashes');
  }
  if (left.copies > 0) {
    const copy = copyOf(device, nameOf(devices.length));
    add(`${name} is copied`, { ...state, devices: [...devices, copy] }, 'copies');
  }
  return steps;
}

/** A late request is one that reaches the server after its device has given up on it. */
async function lateRequests(state: ModelState): Promise<Step<ModelState>[]> {
  const steps: Step<ModelState>[] = [];
  for (const [index, sender] of state.late.entries()) {
    const served = await serve(state, sender);
    if (!served) continue;
    const to = { ...state, server: served.to.server, late: state.late.toSpliced(index, 1) };
    steps.push({ name: `late: ${served.name}`, to });
  }
  return steps;
}

/** The records of a pull are written before the outbox is settled, so a crash may come between the two. */
async function afterHalfAPull(device: Device): Promise<Device | undefined> {
  const { exchange, variant, base } = device;
  if (exchange?.kind !== 'pull' || !exchange.answer) return undefined;
  if (variant === 'cursor of a failed write') {
    const { cursor, epoch } = exchange.answer;
    return restart({ ...device, base: { ...base, cursor: { cursor, epoch } } });
  }
  const written = await takePage({ ...device, exchange: undefined }, exchange).catch(() => undefined);
  return written && !written.exchange ? restart(written) : undefined;
}

function stepsOfBackups(state: ModelState): Step<ModelState>[] {
  const { server, backup, left, past } = state;
  if (left.restores === 0) return [];
  if (!backup) return [{ name: 'the server is backed up', to: { ...state, backup: server } }];
  const to = {
    ...state,
    server: restored(backup, server),
    past: { ...past, [server.epoch]: server.applied },
    left: { ...left, restores: left.restores - 1 },
  };
  return [{ name: 'the backup is restored', to }];
}

async function fairStep(state: ModelState): Promise<Step<ModelState> | undefined> {
  for (const device of state.devices) {
    const step = await stepOf(state, device);
    if (step) return step;
  }
  return undefined;
}

const withDevice = (state: ModelState, device: Device): ModelState => ({
  ...state,
  devices: state.devices.map((one) => (one.name === device.name ? device : one)),
});

const withLate = (state: ModelState, sender: Device): ModelState => ({
  ...state,
  late: [...state.late, sender],
  left: { ...state.left, late: state.left.late - 1 },
});

/** The parts of a state are shared between states, so each part is written as text once. */
const texts = new WeakMap<object, string>();

function textOf(part: object): string {
  const known = texts.get(part);
  if (known !== undefined) return known;
  const text = JSON.stringify(part);
  texts.set(part, text);
  return text;
}

/** The text of a device begins with its name. */
const nameLength = '{"name":"A"'.length;

function keyOf({ devices, server, backup, past, late, made, left }: ModelState): string {
  const requests = late.map(({ exchange }) => textOf(exchange?.request ?? {}));
  const rest = [textOf(server), backup ? textOf(backup) : '', ...requests, JSON.stringify([past, made, left])];
  const named = devices.map((device) => ({ name: device.name, text: textOf(device).slice(nameLength) }));
  return textWithoutNames(named, rest.join('\n'));
}
