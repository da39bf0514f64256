/**
 * The push and pull protocol as a machine: what a few devices, the network and one server may do next, and the faults that a
 * bound allows. A crash of the server is a lost request (before its commit) or a lost answer (after it), since the server
 * keeps nothing outside of its store. The relay will be one more kind of exchange, between two devices.
 */
import type { Machine, Step } from './explore.ts';
import { copyOf, dispatch, fail, restart, tap } from './device.ts';
import { openDevice, unpushed, type Device, type MutationKind } from './device-state.ts';
import { undrained, violated } from './invariants.ts';
import { receive, writePull } from './receive.ts';
import { cursorOf, newServer, restored, servePull, servePush } from './server.ts';
import type { Bound, Faults, ModelState } from './state.ts';
import type { Variant } from './variant.ts';

export function protocol({ devices, mutations, ...left }: Bound, variant: Variant = 'as built'): Machine<ModelState> {
  return {
    initial: {
      devices: Array.from({ length: devices }, (_, index) => openDevice(nameOf(index), variant)),
      server: newServer(),
      past: {},
      late: [],
      made: 0,
      left,
    },
    keyOf,
    stepsFrom: async (state) => [
      ...(await stepsOfDevices(state, mutations)),
      ...(await faults(state)),
      ...stepsOfBackups(state),
    ],
    violated,
    fairStep,
    undrained,
  };
}

const nameOf = (index: number): string => String.fromCharCode(65 + index);

async function stepsOfDevices(state: ModelState, mutations: readonly MutationKind[]): Promise<Step<ModelState>[]> {
  const steps: Step<ModelState>[] = [];
  const kind = mutations[state.made];
  for (const device of state.devices) {
    if (kind) {
      const after = await tap(device, kind, state.made + 1);
      const made = `${device.name} makes ${after.made.at(-1) ?? ''}`;
      steps.push({ name: made, to: { ...withDevice(state, after), made: state.made + 1 } });
    }
    const step = await stepOf(state, device);
    if (step) steps.push(step);
  }
  return steps;
}

/** Returns what the device does next without a tap and without a fault. */
async function stepOf(state: ModelState, device: Device): Promise<Step<ModelState> | undefined> {
  const { exchange, name } = device;
  if (exchange && !exchange.answer) return serve(state, device);
  if (exchange) return { name: `${name} takes the answer`, to: withDevice(state, await receive(device)) };
  const isNews = device.base.cursor?.cursor !== cursorOf(state.server);
  if (device.sync.phase === 'idle' && !isNews && unpushed(device).length === 0) return undefined;
  return { name: `${name} begins a round`, to: withDevice(state, await dispatch(device, { type: 'timer' })) };
}

async function serve(state: ModelState, device: Device): Promise<Step<ModelState> | undefined> {
  const { exchange, name, variant } = device;
  if (!exchange) return undefined;
  if (exchange.kind === 'pull') {
    const answered = { ...device, exchange: { ...exchange, answer: servePull(state.server, exchange.request) } };
    return { name: `the server answers the pull of ${name}`, to: withDevice(state, answered) };
  }
  const { server, answer } = await servePush(state.server, exchange.request, variant);
  const answered = { ...device, exchange: { ...exchange, answer } };
  const what = exchange.kind === 'push' ? exchange.entries.map(({ seq }) => seq).join(', ') : 'an empty push';
  const outcome = answer.ok ? 'takes' : answer.error.code;
  return { name: `the server ${outcome} ${what} of ${name}`, to: { ...withDevice(state, answered), server } };
}

async function faults(state: ModelState): Promise<Step<ModelState>[]> {
  const { devices, left, late } = state;
  const steps: Step<ModelState>[] = [];
  const add = (name: string, to: ModelState, fault?: keyof Faults) =>
    steps.push({ name, to: fault ? { ...to, left: { ...to.left, [fault]: to.left[fault] - 1 } } : to });
  for (const device of devices) {
    const { exchange, name } = device;
    const isUnserved = exchange?.kind === 'push' && !exchange.answer;
    if (exchange && left.losses > 0) {
      const failed = await fail(device, { kind: 'unreachable', detail: '', timedOut: true });
      add(`${name} waits in vain`, withDevice(state, failed), 'losses');
      if (isUnserved && left.late > 0)
        add(`${name} gives up too early`, withLate(withDevice(state, failed), device), 'losses');
    }
    if (left.crashes > 0) {
      const restarted = await restart(device);
      add(`${name} crashes`, withDevice(state, restarted), 'crashes');
      if (isUnserved && left.late > 0)
        add(`${name} crashes after sending`, withLate(withDevice(state, restarted), device), 'crashes');
      const halfWritten = await afterHalfAPull(device);
      if (halfWritten) add(`${name} crashes after writing the pull`, withDevice(state, halfWritten), 'crashes');
    }
    if (left.copies > 0) {
      const copy = await copyOf(device, nameOf(devices.length));
      add(`${name} is copied`, { ...state, devices: [...devices, copy] }, 'copies');
    }
  }
  for (const [index, sender] of late.entries()) {
    const served = await serve(state, sender);
    if (served) add(`late: ${served.name}`, { ...state, server: served.to.server, late: late.toSpliced(index, 1) });
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
  const written = await writePull({ ...device, exchange: undefined }, exchange).catch(() => undefined);
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

function keyOf({ devices, server, backup, past, late, made, left }: ModelState): string {
  const requests = late.map(({ exchange }) => textOf(exchange?.request ?? {}));
  const parts = [...devices.map(textOf), textOf(server), backup ? textOf(backup) : '', ...requests];
  return [...parts, JSON.stringify([past, made, left])].join('\n');
}
