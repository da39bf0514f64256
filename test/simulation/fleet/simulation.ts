/** The state of one simulated seed: the server, the fleet, the work and the failures. */
import { pullLimitMax } from '../../../shared/schema/limits.ts';
import { randomOf, type Random } from '../../random.ts';
import { FleetDevice } from './device.ts';
import type { FailureKind, SeedFailure } from './failure.ts';
import type { Backup } from './known-work.ts';
import { Facts } from '../checks/facts.ts';
import { lineOf, stateOf } from '../checks/status-words.ts';
import { createEmptyImage } from '../platform/device/disk.ts';
import { FaultyNetwork, type DelayedRequests } from '../platform/faulty-network.ts';
import { isSuccess } from '../platform/in-process.ts';
import type { FleetServer } from '../platform/fleet-server.ts';
import { ServerLog } from '../platform/server-log.ts';
import { fewTurns } from '../platform/turns.ts';
import type { Trace } from '../platform/trace.ts';
import type { VirtualTime } from '../platform/virtual-time.ts';
import { holdsAllRuns, type SimulationSetting } from './setting.ts';
import { recordingKey, type WorkIdentity, type Work } from './works.ts';

export interface SimulationParts {
  seed: number;
  setting: SimulationSetting;
  server: FleetServer;
  time: VirtualTime;
  trace: Trace;
  /** The account's first key, which is never revoked. */
  apiKey: string;
}

export class Simulation {
  readonly setting: SimulationSetting;
  readonly server: FleetServer;
  readonly time: VirtualTime;
  /** The account's first key, which is never revoked. */
  readonly apiKey: string;
  readonly log: ServerLog;
  readonly facts = new Facts();
  readonly delayed: DelayedRequests = { late: [], overtaken: [] };
  readonly devices: FleetDevice[];
  readonly works: Work[] = [];
  /** Saved states of devices, each with the name of its device. */
  readonly savedStates: (Backup & { of: string })[] = [];
  readonly trace: Trace;
  /** The faults that happened, by act. */
  readonly faultsMet: { act: number; fault: string }[] = [];
  readonly failures: SeedFailure[] = [];
  /** The number of the act under way. */
  act = 0;
  /** The states that devices showed. */
  readonly states = new Set<string>();
  /** Recordings whose run a person deleted; a copy of the device may finish such a recording later. */
  readonly deletedRecordings = new Set<string>();
  restores = 0;
  /** Restores the server's last backup. */
  restoreServer: (() => Promise<void>) | undefined;
  random: Random = randomOf(0);
  #tags = 0;

  constructor({ seed, setting, server, time, trace, apiKey }: SimulationParts) {
    this.setting = setting;
    this.server = server;
    this.time = time;
    this.log = new ServerLog(time);
    this.trace = trace;
    this.apiKey = apiKey;
    this.devices = Array.from({ length: setting.devices }, (_, index) =>
      this.#newDevice('ABCDEFGH'.charAt(index), seed * 1_009 + index * 100_003),
    );
  }

  /** A unique name. */
  tag(prefix: string): string {
    return `${prefix}${++this.#tags}`;
  }

  /** The number that the next tag will have. */
  get nextTag(): number {
    return this.#tags + 1;
  }

  say(line: string): void {
    this.trace.add('', line);
  }

  /** Counts a fault, for what the search has seen. */
  meet(fault: string): void {
    this.faultsMet.push({ act: this.act, fault });
  }

  /** Whether something on the way made up an answer, or a cut line looked like one. */
  get hasForged(): boolean {
    return this.faultsMet.length > 0;
  }

  /** Starts the server again if it died. */
  async ensureServer(): Promise<void> {
    await this.server.ensureAlive();
    await this.log.readUnanswered(this.server.store);
    this.explain();
  }

  /** Holds what the tabs showed against what the account had until now. */
  explain(): void {
    for (const { tabs } of this.devices) for (const { oracle } of tabs.all) oracle?.explain();
  }

  /** Ends all faults of the network, the storage and the server; wrong clocks stay wrong. */
  async stopFaults(): Promise<void> {
    this.server.cancelDeath();
    await this.ensureServer();
    for (const overtaken of this.delayed.overtaken.splice(0)) overtaken();
    for (const device of this.devices) {
      device.cancelCrash();
      device.tabs.thaw();
      device.storageFault = undefined;
      device.network.faultRate = 0;
      device.network.isOnline = true;
      device.network.forbiddenWord = undefined;
      device.network.release();
    }
  }

  /** Lets time pass. What a timer begins ends before the next fires. */
  async pass(ms: number): Promise<void> {
    await this.untilIdle();
    await this.time.pass(ms, () => this.untilIdle());
    await this.untilIdle();
  }

  /** Resolves when no device syncs, but for requests that are held. */
  async untilIdle(): Promise<void> {
    await fewTurns();
    for (const device of this.devices) await device.untilIdle();
    await fewTurns();
  }

  fail(kind: FailureKind, detail: string): void {
    if (this.failures.some((failure) => failure.kind === kind && failure.detail === detail)) return;
    this.failures.push({ kind, detail });
    this.say(`!! ${kind}: ${detail}`);
  }

  work(device: FleetDevice, identity: WorkIdentity): Work {
    const isGivenUp =
      identity.kind === 'recording' && this.deletedRecordings.has(recordingKey(identity.session, identity.steps));
    const work: Work = { id: this.works.length, device: device.name, identity, isGivenUp, isRemade: false };
    this.works.push(work);
    device.made(work);
    return work;
  }

  /** Sends a request as an integration would, which takes any answer. */
  async tryRest<Body>(method: string, path: string, body?: unknown, key?: string): Promise<Body | undefined> {
    try {
      return await this.rest<Body>(method, path, body, key);
    } catch (error) {
      this.trace.add('other', (error as Error).message);
      return undefined;
    }
  }

  /** Sends a request as an integration would. */
  async rest<Body>(method: string, path: string, body?: unknown, key?: string): Promise<Body> {
    const headers = {
      authorization: `Bearer ${this.apiKey}`,
      'gemba-protocol': '1',
      'content-type': 'application/json',
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    };
    const text = body === undefined ? '' : JSON.stringify(body);
    const answer = await this.server.ask({ method, target: `/api/v1${path}`, headers, body: text });
    const told = answer.body.toString();
    if (!isSuccess(answer)) throw new Error(`${method} ${path}: ${answer.status} ${told}`);
    return JSON.parse(told) as Body;
  }

  #newDevice(name: string, seed: number): FleetDevice {
    const { server, log, facts, delayed, time, setting } = this;
    const { letsStreamsOpen } = setting;
    const onFault = (fault: string, path: string) => {
      this.meet(fault);
      this.trace.add(name, `${path}: ${fault}`);
    };
    const onExchange = (line: string) => this.trace.add(name, line);
    return new FleetDevice({
      name,
      kind: setting.kind,
      time,
      seed,
      network: new FaultyNetwork({
        server,
        log,
        delayed,
        faults: setting.networkFaults,
        letsStreamsOpen,
        pageChangesMax: setting.pageChangesMax,
        firstPageChangesMax: holdsAllRuns(setting) ? pullLimitMax : setting.pageChangesMax,
        onFault,
        onExchange,
      }),
      isServerBusy: () => server.isBusy,
      image: createEmptyImage(setting.hasMirror),
      log,
      facts,
      hasOtherWriters: setting.mischief.includes('integrator'),
      hasRestored: () => this.restores > 0,
      scopes: setting.scopes,
      hasPackedForms: setting.hasPackedForms,
      hasTabs: setting.mischief.includes('tabs') && setting.scopes.length === 0,
      onFailure: (kind, detail) => this.fail(kind, detail),
      onStatus: (status, shown) => {
        this.states.add(stateOf(status));
        this.trace.add(shown, lineOf(status));
      },
    });
  }
}
