/** The state of one simulated seed: the server, the fleet, the work and the failures. */
import type { RunScopeBounds } from '../../../client/client.ts';
import { randomOf, type Random } from '../../random.ts';
import { createEmptyImage } from './disk.ts';
import { FleetDevice } from './device.ts';
import type { Backup } from './known-work.ts';
import { FaultyNetwork } from './faulty-network.ts';
import { ServerLog } from './server-log.ts';
import type { FleetServer } from './server.ts';
import type { FleetTime } from './time.ts';
import type { WorkIdentity, Work } from './works.ts';

export type FailureKind =
  | 'lost recording'
  | 'doubled recording'
  | 'custody false'
  | 'lost taps'
  | 'lost edit'
  | 'out of order'
  | "another's answer"
  | 'wrong reason'
  | 'unlike the server'
  | 'not quiet'
  | 'server error'
  | 'thrown';

export interface SeedFailure {
  kind: FailureKind;
  detail: string;
}

/** Drawn once for each seed. */
export interface SimulationSetting {
  devices: number;
  kind: 'phone' | 'wearable';
  plan: 'free' | 'team';
  /** Whether each device keeps a journal. */
  hasMirror: boolean;
  /** Whether each device is paired; otherwise all share one API key. */
  isPaired: boolean;
  hasServerFaults: boolean;
  /** The scopes with which the lives of each device open in turn; empty for devices that hold all runs. */
  scopes: readonly RunScopeBounds[];
  /** The share of requests that meet a fault. */
  faultRate: number;
  /** The share of lives that end in a crash. */
  crashRate: number;
  acts: number;
}

export class Simulation {
  readonly setting: SimulationSetting;
  readonly server: FleetServer;
  readonly time: FleetTime;
  /** The account's first key, which is never revoked. */
  readonly apiKey: string;
  readonly log = new ServerLog();
  readonly lateRequests: (() => Promise<void>)[] = [];
  readonly devices: FleetDevice[];
  readonly works: Work[] = [];
  /** Saved states of devices, each with the name of its device. */
  readonly savedStates: (Backup & { of: string })[] = [];
  readonly history: string[] = [];
  readonly failures: SeedFailure[] = [];
  faults = 0;
  restores = 0;
  /** Restores the server's last backup. */
  restoreServer: (() => Promise<void>) | undefined;
  random: Random = randomOf(0);
  #tags = 0;

  constructor(given: { setting: SimulationSetting; server: FleetServer; time: FleetTime; apiKey: string }) {
    const { setting, server, time, apiKey } = given;
    this.setting = setting;
    this.server = server;
    this.time = time;
    this.apiKey = apiKey;
    this.devices = Array.from({ length: setting.devices }, (_, index) => this.#newDevice('ABCDEFGH'.charAt(index)));
  }

  /** A unique name. */
  tag(prefix: string): string {
    return `${prefix}${++this.#tags}`;
  }

  say(line: string): void {
    this.history.push(line);
  }

  fail(kind: FailureKind, detail: string): void {
    if (this.failures.some((failure) => failure.kind === kind && failure.detail === detail)) return;
    this.failures.push({ kind, detail });
    this.say(`!! ${kind}: ${detail}`);
  }

  work(device: FleetDevice, identity: WorkIdentity): Work {
    const work: Work = { id: this.works.length, device: device.name, identity, isGivenUp: false, isRemade: false };
    this.works.push(work);
    device.made(work);
    return work;
  }

  /** Sends a request as an integration would. */
  async rest<Body>(method: string, path: string, body?: unknown): Promise<Body> {
    const headers = {
      authorization: `Bearer ${this.apiKey}`,
      'gemba-protocol': '1',
      'content-type': 'application/json',
    };
    const text = body === undefined ? '' : JSON.stringify(body);
    const response = await this.server.ask({ method, target: `/api/v1${path}`, headers, body: text });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Body;
  }

  #newDevice(name: string): FleetDevice {
    const { server, log, lateRequests, time, setting } = this;
    const onFault = (fault: string, path: string) => {
      this.faults++;
      this.say(`   ${name}: ${path} ${fault}`);
    };
    return new FleetDevice({
      name,
      kind: setting.kind,
      time,
      network: new FaultyNetwork({ server, log, lateRequests, onFault }),
      image: createEmptyImage(setting.hasMirror),
      log,
      scopes: setting.scopes,
      onFailure: (kind, detail) => this.fail(kind, detail),
    });
  }
}
