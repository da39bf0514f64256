/** All simulated devices with what they share: connections, event streams, retries and problems. */
import type { Random } from '../../random.ts';
import { watchesEvents, type PlannedAct } from '../day-plan.ts';
import { EventWatch } from './event-watch.ts';
import type { HttpClient } from './http-client.ts';
import { LoadDevice, type LoadWorld } from './load-device.ts';
import type { Meter } from '../measure/meter.ts';
import { addressHeader, type PairedDevice } from './pair-devices.ts';

interface GroupOptions {
  paired: readonly PairedDevice[];
  clients: readonly HttpClient[];
  meter: Meter;
  run: string;
  random: Random;
  /** The share of pushes whose answer the network loses. */
  lostAnswersShare: number;
}

const reopenMs = 1_000;
const drainMsMax = 600_000;
const drainPollMs = 50;

export const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export class DeviceGroup {
  readonly devices: readonly LoadDevice[];
  readonly problems: string[] = [];
  readonly #options: GroupOptions;
  readonly #watches = new Map<number, EventWatch>();
  readonly #retries = new Set<NodeJS.Timeout>();
  #losesAnswers = true;

  constructor(options: GroupOptions) {
    this.#options = options;
    const { run, meter, random, lostAnswersShare, clients } = options;
    const world: LoadWorld = {
      run,
      send: (device, request) => {
        const headers = { ...request.headers, ...addressHeader(device) };
        return clientOf(clients, device).send({ ...request, headers });
      },
      tally: () => meter.tally,
      losesAnswer: () => this.#losesAnswers && random() < lostAnswersShare,
      retry: (device, afterMs) => this.#later(afterMs, () => void device.sync(performance.now())),
      problem: (text) => this.problems.push(text),
    };
    this.devices = options.paired.map((paired) => new LoadDevice({ ...paired, clientId: crypto.randomUUID(), world }));
  }

  /** Does what the plan says. `dueAt` is when it was due, since a late driver is a wait for the device, too. */
  act({ device: number, act }: PlannedAct, dueAt: number): void {
    const device = this.devices[number]!;
    if (act === 'record') device.record();
    else if (act === 'disconnect') this.#disconnect(device);
    else if (act !== 'poll') this.connect(device);
    if (act === 'disconnect' || !device.isOnline) return;
    const synced = device.sync(dueAt);
    if (act === 'end') void synced.then(() => this.#closeWatch(device));
  }

  connect(device: LoadDevice): void {
    device.isOnline = true;
    if (watchesEvents(device.number) && !this.#watches.has(device.number)) this.#openWatch(device);
  }

  /** Resolves when every recording of every device is proven. */
  async drain(): Promise<void> {
    this.#losesAnswers = false;
    for (const device of this.devices) {
      if (!device.isOnline) this.connect(device);
      if (device.unproven > 0 && !device.isBusy) void device.sync(performance.now());
    }
    const endsAt = performance.now() + drainMsMax;
    const isUnderWay = (device: LoadDevice) => device.unproven > 0 || device.isBusy;
    while (this.devices.some(isUnderWay) && performance.now() < endsAt) await wait(drainPollMs);
    const left = this.devices.filter(({ unproven }) => unproven > 0).length;
    if (left > 0) this.problems.push(`${left} devices still hold unproven recordings after ${drainMsMax / 1000} s`);
    this.#losesAnswers = true;
  }

  close(): void {
    for (const timer of this.#retries) clearTimeout(timer);
    for (const watch of this.#watches.values()) watch.close();
    this.#watches.clear();
  }

  #disconnect(device: LoadDevice): void {
    device.isOnline = false;
    this.#closeWatch(device);
  }

  #openWatch(device: LoadDevice): void {
    const { meter, clients } = this.#options;
    const { number } = device;
    const watch = new EventWatch({
      url: clientOf(clients, number).url,
      headers: { ...device.headers, ...addressHeader(number) },
      onCursor: (cursor, isFirst) => {
        const arrivedAt = performance.now();
        if (!isFirst) device.account.eventArrived(cursor, arrivedAt, meter.tally);
        if (cursor !== device.cursor) void device.sync(arrivedAt);
      },
      onEnd: (code) => {
        meter.tally.error(code);
        this.#watches.delete(number);
        this.#later(reopenMs, () => {
          if (device.isOnline && !this.#watches.has(number)) this.#openWatch(device);
        });
      },
    });
    this.#watches.set(number, watch);
  }

  #closeWatch({ number }: LoadDevice): void {
    this.#watches.get(number)?.close();
    this.#watches.delete(number);
  }

  #later(ms: number, run: () => void): void {
    const timer = setTimeout(() => {
      this.#retries.delete(timer);
      run();
    }, ms);
    this.#retries.add(timer);
  }
}

/** Neighbours use different processes, so that each account has devices on both. */
export const clientOf = (clients: readonly HttpClient[], device: number): HttpClient =>
  clients[device % clients.length]!;
