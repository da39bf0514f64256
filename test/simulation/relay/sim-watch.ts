/** A watch of the simulation: the real engine on a disk that survives its crashes, with no network but for pairing. */
import { firstValueFrom } from 'rxjs';
import { createHandOver, openGemba, type Gemba, type HandOver } from '../../../client/client.ts';
import { randomOf } from '../../random.ts';
import { Faults } from '../faults.ts';
import { Disk, createEmptyImage } from '../platform/device/disk.ts';
import { fleetUrl } from '../platform/device/engine-options.ts';
import { responseOf } from '../platform/in-process.ts';
import type { FleetServer } from '../platform/fleet-server.ts';
import { idsFrom } from '../platform/seeded.ts';
import type { TimerGroup, VirtualTime } from '../platform/virtual-time.ts';
import type { Activity } from './activity.ts';

export interface Recorded {
  session: string;
  /** The wall time around its start. */
  from: number;
  to: number;
}

interface SimWatchOptions {
  name: string;
  seed: number;
  server: FleetServer;
  time: VirtualTime;
  activity: Activity;
}

export class SimWatch {
  readonly name: string;
  readonly recorded: Recorded[] = [];
  /** The sessions that an emission called safe since the last check: by their custody, a proven carrier or a receipt. */
  readonly calledSafe = new Set<string>();
  /** Whether its sequence may have begun anew, since it was paired again or the server went back. */
  mayRenumber = false;
  /** The problems that an emission told though the server had no reason to refuse anything. */
  readonly wrongProblems: string[] = [];
  mapId = '';
  /** Lets one sync through, when the watch is paired for the first time. */
  hasNetwork = false;
  readonly #options: SimWatchOptions;
  #disk = new Disk(createEmptyImage(false));
  #faults = new Faults(() => false);
  #timers: TimerGroup;
  #gemba!: Gemba;
  #handOver!: HandOver;
  #lives = 0;

  constructor(options: SimWatchOptions) {
    this.#options = options;
    this.name = options.name;
    this.#timers = options.time.timers();
  }

  get gemba(): Gemba {
    return this.#gemba;
  }

  get handOver(): HandOver {
    return this.#handOver;
  }

  get isDead(): boolean {
    return this.#faults.dead;
  }

  async open(): Promise<void> {
    const { time, seed, activity, name } = this.#options;
    const life = ++this.#lives;
    const random = randomOf(seed + life * 7_919);
    const faults = new Faults(() => {
      activity.note();
      return false;
    });
    this.#faults = faults;
    this.#timers = time.timers();
    this.#handOver = createHandOver();
    this.#gemba = await openGemba({
      name,
      url: fleetUrl,
      kind: 'wearable',
      storage: this.#disk.storageFor({ faults, whenAwake: () => undefined }),
      fetch: (input, init) => activity.during(this.#fetch(String(input), init)),
      packedPages: false,
      pushEffects: life % 2 === 1,
      clock: { wallMs: time.now, monotonicMs: time.now, bootId: `${name}${life}`, schedule: this.#timers.schedule },
      random,
      ids: idsFrom(random, time.now),
      handOver: this.#handOver,
    });
    for (const { session } of this.recorded) this.#watch(session);
    this.#handOver.handOverProblem$.subscribe((problem) => {
      if (problem && !this.mayRenumber) this.wrongProblems.push(problem.code);
    });
  }

  /** Resolves to undefined if the verb refuses, or if the watch dies meanwhile. */
  async attempt<Result>(verb: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await verb();
    } catch (error) {
      if (this.isDead || typeof (error as { code?: unknown }).code === 'string') return undefined;
      throw error;
    }
  }

  /** Ends the process at once, and starts another one on what was written. */
  async crash(): Promise<void> {
    const { image } = this.#disk;
    this.#faults.dead = true;
    this.#timers.end();
    void this.#gemba.close().catch(() => undefined);
    this.#disk = new Disk(image);
    await this.open();
  }

  async pair(code: string): Promise<void> {
    await this.#gemba.pair(code, this.name);
  }

  async record(note: string): Promise<void> {
    const { time } = this.#options;
    const from = time.now();
    const recording = await this.#gemba.startRecording({ mapId: this.mapId });
    const to = time.now();
    for (const stage_name of [`Secret ${note}`, 'Secret weld']) await recording.step({ stage_name });
    const { recording_session_id: session } = await recording.finish();
    this.recorded.push({ session, from, to });
    this.#watch(session);
  }

  #watch(session: string): void {
    this.#gemba.custody$(session).subscribe((custody) => {
      if (custody === 'server') this.calledSafe.add(session);
    });
    this.#handOver.carriers$(session).subscribe((carriers) => {
      if (carriers.some(({ proven }) => proven)) this.calledSafe.add(session);
    });
    this.#handOver.receipt$(session).subscribe((outcome) => {
      if (outcome === 'arrived') this.calledSafe.add(session);
    });
  }

  custodyOf(session: string): Promise<string> {
    return firstValueFrom(this.#gemba.custody$(session));
  }

  async carriersOf(session: string): Promise<number> {
    return (await firstValueFrom(this.#handOver.carriers$(session))).length;
  }

  async close(): Promise<void> {
    this.#timers.end();
    await this.#gemba.close();
  }

  async #fetch(address: string, init: RequestInit | undefined): Promise<Response> {
    const { pathname, search } = new URL(address);
    const isOpen = this.hasNetwork || pathname.endsWith('/auth/pair');
    if (!isOpen || this.isDead || pathname.endsWith('/events')) throw new TypeError('no network');
    const headers = Object.fromEntries(new Headers(init?.headers));
    const body = typeof init?.body === 'string' ? init.body : '';
    return responseOf(
      await this.#options.server.ask({ method: init?.method ?? 'GET', target: pathname + search, headers, body }),
    );
  }
}
