/** A device of the soak in Node, the person who taps on it, and what that person was shown. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Status } from '../../client/client.ts';
import { newFolder } from '../device/folder-journal.ts';
import { randomBelow, type Random } from '../random.ts';
import { ProcessEnded, startDeviceChild, type DeviceChild } from './device-child.ts';
import { isWhole, stepName, type DeviceLedger, type KnownRecording } from './ledger.ts';
import type { LossyProxy } from './lossy-proxy.ts';
import type { UnderWay } from './orders.ts';

interface NodeDeviceOptions {
  name: string;
  mapId: string;
  proxy: LossyProxy;
  token: string;
  random: Random;
}

const stepsMax = 5;
const pauseMsMax = 60;
const downMsMax = 1_000;
const frozenMsMax = 3_000;

export class NodeDevice implements DeviceLedger {
  readonly name: string;
  readonly recordings: KnownRecording[] = [];
  readonly proxy: LossyProxy;
  kills = 0;
  readonly #options: NodeDeviceOptions;
  readonly #folder = newFolder();
  #child: DeviceChild;
  /** Set from the order to start until the session is known. */
  #isStarting = false;
  #underWay: KnownRecording | undefined;

  constructor(options: NodeDeviceOptions) {
    this.#options = options;
    this.name = options.name;
    this.proxy = options.proxy;
    this.#child = this.#start();
  }

  #start(): DeviceChild {
    const { proxy, token } = this.#options;
    return startDeviceChild({ folder: this.#folder, url: proxy.url, token });
  }

  /** Taps until the end, and goes on after each kill. */
  async work(ending: AbortSignal): Promise<void> {
    while (!ending.aborted) {
      await this.#survive(() => this.#tap());
      await delay(randomBelow(this.#options.random, pauseMsMax));
    }
  }

  /** Starts the process again when it was killed in the middle of the work. */
  async #survive(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof ProcessEnded)) throw error;
      await delay(randomBelow(this.#options.random, downMsMax));
      this.#child = this.#start();
      await this.#survive(() => this.#expectAcknowledged());
    }
  }

  async #tap(): Promise<void> {
    const { mapId, random } = this.#options;
    const recording = this.#underWay;
    if (!recording) {
      this.#isStarting = true;
      const session = await this.#child.ask<string | null>({ what: 'start', mapId });
      if (session !== null) this.#begin(session);
      this.#isStarting = false;
      return;
    }
    if (recording.steps > 0 && randomBelow(random, stepsMax) === 0) return this.#finish(recording);
    await this.#child.ask({ what: 'step', name: stepName(recording.steps + 1) });
    recording.steps++;
  }

  #begin(session: string): void {
    this.#underWay = { session, steps: 0, mayBeFinished: false };
    this.recordings.push(this.#underWay);
  }

  async #finish(recording: KnownRecording): Promise<void> {
    recording.mayBeFinished = true;
    await this.#child.ask({ what: 'finish' });
    this.#underWay = undefined;
  }

  /** Compares what the device has after a start with what was acknowledged before. */
  async #expectAcknowledged(): Promise<void> {
    const found = await this.#child.ask<UnderWay | null>({ what: 'underWay' });
    const known = this.#underWay;
    if (!known) {
      if (found && !this.#isStarting) throw new Error(`${this.name} shows ${found.session} as unfinished`);
      if (found) this.#begin(found.session);
      this.#isStarting = false;
    } else if (!found) {
      if (!known.mayBeFinished) throw new Error(`${this.name} lost the recording ${known.session}`);
      this.#underWay = undefined;
    } else if (found.session === known.session && isWhole(found.steps, known.steps)) {
      known.steps = found.steps.length;
    } else {
      throw new Error(`${this.name} shows ${JSON.stringify(found)} instead of ${JSON.stringify(known)}`);
    }
  }

  readonly faults = {
    'kill -9 of a device': async () => {
      this.kills++;
      await this.#child.kill();
    },
    'a frozen device': async () => {
      const child = this.#child;
      child.signal('SIGSTOP');
      await delay(randomBelow(this.#options.random, frozenMsMax));
      child.signal('SIGCONT');
    },
    'no network': async () => {
      this.proxy.isDown = true;
      await delay(randomBelow(this.#options.random, frozenMsMax));
      this.proxy.isDown = false;
    },
  };

  async finishAll(): Promise<void> {
    await this.#survive(async () => {
      const recording = this.#underWay;
      if (recording && recording.steps > 0) await this.#finish(recording);
      else if (recording) await this.#child.ask({ what: 'discard' });
      this.#underWay = undefined;
    });
  }

  status = (): Promise<Status> => this.#child.ask({ what: 'status' });
  shown = (): Promise<Shown[]> => this.#child.ask({ what: 'shown' });

  /** Lists the recordings that the device does not count as safe. */
  async unsafe(): Promise<string[]> {
    const sessions = this.recordings.filter(({ steps }) => steps > 0).map(({ session }) => session);
    const custodies: [string, string][] = [];
    for (const session of sessions) custodies.push([session, await this.#child.ask({ what: 'custody', session })]);
    return custodies.filter(([, custody]) => custody !== 'server').map(([session]) => session);
  }
}

/** A map and its runs as a device shows them, after their way through JSON. */
export interface Shown {
  map: { id: string; pending: boolean };
  runs: { id: number; pending: boolean }[];
}
