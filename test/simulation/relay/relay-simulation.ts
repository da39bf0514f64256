/** The state of one seed of the relay: watches that never have a network, carriers, and their server. */
import { setTimeout as delay } from 'node:timers/promises';
import { pickOne, randomBelow, randomOf, type Random } from '../../random.ts';
import { FleetServer } from '../platform/fleet-server.ts';
import { isSuccess } from '../platform/in-process.ts';
import { bytesFrom } from '../platform/seeded.ts';
import { Trace } from '../platform/trace.ts';
import { VirtualTime } from '../platform/virtual-time.ts';
import { Activity } from './activity.ts';
import { deliveryFaults, SimCarrier, type DeliveryFault } from './sim-carrier.ts';
import { SimWatch } from './sim-watch.ts';
import { frameFaults, Wire, type WirePlan } from './wire.ts';

export interface RelayRun {
  recording_session_id: string;
  started_at: string;
}

const seedOfServer = 7_368_787;
/** A frame of a meeting that meets its fault, from 1. */
const faultyFrameMax = 14;
/** A channel that lost a frame ends after 30 s of silence. */
const passMs = 5_000;
const passesMax = 60;
const turnsOfLoadingMax = 300;

export class RelaySimulation {
  readonly time = new VirtualTime();
  readonly trace = new Trace(this.time);
  readonly activity = new Activity();
  readonly watches: SimWatch[] = [];
  readonly carriers: SimCarrier[] = [];
  readonly failures: string[] = [];
  readonly faultsMet: string[] = [];
  random: Random;
  faultRate = 0.35;
  restores = 0;
  crashes = 0;
  server!: FleetServer;
  #key = '';

  readonly seed: number;

  constructor(seed: number) {
    this.seed = seed;
    this.random = randomOf(seed);
  }

  async open(): Promise<void> {
    const randomBytes = bytesFrom(randomOf(this.seed + seedOfServer));
    const onDeath = (point: string) => this.say(`the server dies ${point}`);
    this.server = await FleetServer.open({ time: this.time, randomBytes, onDeath });
    this.#key = await this.server.newAccount('team');
    const drawFault = (): DeliveryFault | undefined => {
      if (this.random() >= this.faultRate) return undefined;
      return this.#meet(pickOne(this.random, deliveryFaults));
    };
    const { server, time, activity, seed } = this;
    const onFailure = (detail: string) => this.fail(detail);
    for (const name of ['c1', 'c2', 'c3'].slice(0, 2 + randomBelow(this.random, 2))) {
      const token = await server.newAccount('team');
      this.carriers.push(await SimCarrier.open({ name, token, server, time, activity, drawFault, onFailure }));
    }
    for (const name of ['w1', 'w2'].slice(0, 1 + randomBelow(this.random, 2))) {
      const watch = new SimWatch({ name, seed: seed * 31 + name.charCodeAt(1), server, time, activity });
      this.watches.push(watch);
      watch.mapId = (await this.rest<{ id: string }>('POST', '/maps', { name: `Secret map ${name}` })).id;
      await watch.open();
      watch.hasNetwork = true;
      await this.pair(watch);
      await watch.gemba.sync();
      watch.hasNetwork = false;
    }
  }

  async close(): Promise<void> {
    for (const carrier of this.carriers) carrier.station.stop();
    for (const watch of this.watches) await watch.close().catch(() => undefined);
    await this.server.remove();
  }

  async pair(watch: SimWatch): Promise<void> {
    const { code } = await this.rest<{ code: string }>('POST', '/auth/pairing-code', { device_kind: 'wearable' });
    await watch.pair(code);
  }

  say(line: string): void {
    this.trace.add('', line);
  }

  fail(line: string): void {
    this.failures.push(line);
    this.say(`!! ${line}`);
  }

  /** Lets a watch and a carrier meet, with a fault in one frame or none. */
  async meet(watch: SimWatch, carrier: SimCarrier, { live = false } = {}): Promise<void> {
    let death: (() => Promise<void>) | undefined;
    const wire = new Wire({
      plan: this.#drawPlan(),
      onFault: (fault) => {
        this.#meet(fault);
        if (fault === 'watch dies') death = () => watch.crash();
        if (fault === 'carrier dies') death = () => carrier.crash();
      },
      onActivity: this.activity.note,
    });
    const meeting = { isOver: false };
    const handing = watch.handOver.handOver(wire.watch, { live }).then(
      ({ given, answered, ended }) => `gave ${given}, ${answered} answered, ${ended}`,
      (error: unknown) => {
        if (!watch.isDead && !(error as { code?: string }).code) this.fail(`thrown: ${String((error as Error).stack)}`);
        return `throws ${(error as { code?: string }).code}`;
      },
    );
    const both = Promise.all([handing, carrier.station.carry(wire.carrier)]).finally(() => (meeting.isOver = true));
    for (let passes = 0; !meeting.isOver; passes++) {
      await this.activity.settle();
      if (death) break;
      if (live && passes === 3) wire.cut();
      if (passes > passesMax + turnsOfLoadingMax) {
        this.fail(`${watch.name} and ${carrier.name} do not end`);
        break;
      }
      // A module that loads takes no time of the simulation.
      if (passes > passesMax) await delay(10);
      else if (!meeting.isOver) await this.time.pass(passMs, this.activity.settle);
    }
    wire.cut();
    if (death) this.crashes++;
    await death?.();
    if (!death) this.say(`${watch.name} meets ${carrier.name}: ${(await both)[0]}`);
    else this.say(`${watch.name} meets ${carrier.name}: one dies`);
    await this.activity.settle();
    await this.server.ensureAlive();
  }

  async die(device: SimWatch | SimCarrier): Promise<void> {
    this.say(`${device.name} dies`);
    this.crashes++;
    await device.crash();
  }

  async deliver(carrier: SimCarrier): Promise<void> {
    carrier.isOnline = true;
    carrier.station.deliver();
    await this.activity.settle();
    await this.server.ensureAlive();
  }

  async rest<Body>(method: string, path: string, body?: unknown): Promise<Body> {
    const headers = { authorization: `Bearer ${this.#key}`, 'gemba-protocol': '1', 'content-type': 'application/json' };
    const text = body === undefined ? '' : JSON.stringify(body);
    const answer = await this.server.ask({ method, target: `/api/v1${path}`, headers, body: text });
    if (!isSuccess(answer)) throw new Error(`${method} ${path}: ${answer.status} ${answer.body.toString()}`);
    return JSON.parse(answer.body.toString()) as Body;
  }

  /** The recordings of the watch on the server, oldest first. */
  async runsOf({ mapId }: SimWatch): Promise<RelayRun[]> {
    return (await this.rest<{ data: RelayRun[] }>('GET', `/maps/${mapId}/runs?limit=200`)).data.toReversed();
  }

  #drawPlan(): WirePlan | undefined {
    if (this.random() >= this.faultRate) return undefined;
    const fault = pickOne(this.random, frameFaults);
    const atFrame = 1 + randomBelow(this.random, faultyFrameMax);
    return { fault, atFrame, bit: randomBelow(this.random, 2 ** 30) };
  }

  #meet<Fault extends string>(fault: Fault): Fault {
    this.faultsMet.push(fault);
    this.say(fault);
    return fault;
  }
}
