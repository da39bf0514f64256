/** A carrier of the simulation: the real station on rows in memory, which survive its crashes. */
import { isDeepStrictEqual } from 'node:util';
import { Subject } from 'rxjs';
import { CarriedMessages } from '../../../client/relay/carried-messages.ts';
import type { CarriedRows } from '../../../client/relay/carried-index.ts';
import { CarrierStation } from '../../../client/relay/carrier-station.ts';
import type { Carrying, CodeReader, ReadCode } from '../../../client/relay/carrier-verbs.ts';
import { codeReader } from '../../../client/relay/code-reader.ts';
import type { CarriedBody } from '../../../client/storage/rows.ts';
import { fromBase64url } from '../../../shared/relay/base64url.ts';
import { serverNameOf } from '../../../shared/relay/frames.ts';
import { fleetUrl } from '../platform/device/engine-options.ts';
import { responseOf, type AppAnswer } from '../platform/in-process.ts';
import type { FleetServer } from '../platform/fleet-server.ts';
import type { TimerGroup, VirtualTime } from '../platform/virtual-time.ts';
import type { Activity } from './activity.ts';

export const deliveryFaults = ['lost', 'unanswered', 'doubled', 'declined', 'changed answer', 'portal'] as const;
export type DeliveryFault = (typeof deliveryFaults)[number];

interface SimCarrierOptions {
  name: string;
  token: string;
  server: FleetServer;
  time: VirtualTime;
  activity: Activity;
  /** Draws the fault of a delivery. */
  drawFault: () => DeliveryFault | undefined;
  onFailure: (detail: string) => void;
}

export class SimCarrier {
  isOnline = false;
  readonly name: string;
  readonly #options: SimCarrierOptions;
  readonly #disk = new Map<string, CarriedBody>();
  #timers: TimerGroup;
  #station!: CarrierStation;
  #messages!: CarriedMessages;
  #life = { isDead: false };

  private constructor(options: SimCarrierOptions) {
    this.#options = options;
    this.name = options.name;
    this.#timers = options.time.timers();
  }

  static async open(options: SimCarrierOptions): Promise<SimCarrier> {
    const carrier = new SimCarrier(options);
    await carrier.start();
    return carrier;
  }

  get station(): CarrierStation {
    return this.#station;
  }

  async start(): Promise<void> {
    const { name, token, time } = this.#options;
    const life = { isDead: false };
    this.#life = life;
    this.#timers = time.timers();
    this.#messages = new CarriedMessages(this.#rows(life), time.now);
    this.#messages.carrying$.subscribe((carrying) => this.#expectCounted(carrying));
    this.#station = new CarrierStation({
      messages: this.#messages,
      server: await serverNameOf(new URL(fleetUrl).origin),
      carrierId: Buffer.from(name.padEnd(8)).toString('hex').slice(0, 16),
      url: fleetUrl,
      fetch: (input, init) => this.#options.activity.during(this.#fetch(String(input), init, life)),
      token: () => token,
      hasOwnWork: () => false,
      clock: { schedule: this.#timers.schedule },
    });
  }

  /** Ends the process at once. What was written stays. */
  async crash(): Promise<void> {
    this.#life.isDead = true;
    this.#timers.end();
    this.#station.stop();
    await this.start();
  }

  async readCodes(): Promise<CodeReader> {
    const server = await serverNameOf(new URL(fleetUrl).origin);
    return codeReader({ server, messages: this.#messages, deliver: () => this.#station.deliver() });
  }

  get shownCodes(): ReadCode[] {
    return this.#messages.readCodes;
  }

  loseDisk(): void {
    this.#disk.clear();
  }

  /** The text has the rows, and the bytes that they encode, as a thief of the disk reads them. */
  get diskText(): string {
    const texts = [...this.#disk].map(([id, body]) => {
      const bytes = 'bytes' in body ? (fromBase64url(body.bytes) ?? new Uint8Array()) : new Uint8Array();
      return `${id}${JSON.stringify(body)}${Buffer.from(bytes).toString('latin1')}`;
    });
    return texts.join('\n');
  }

  /** Expects on the disk all that is said to be carried, and an answer to each code that is said to be delivered. */
  #expectCounted(carrying: Carrying): void {
    const { onFailure } = this.#options;
    const rows = [...this.#disk];
    const whole = rows.flatMap(([id, body]) =>
      body.kind === 'message' && (body.state === 'held' || body.state === 'answered') ? [{ id, ...body }] : [],
    );
    const bytes = whole.reduce((sum, { id }) => sum + storedBytesOf(rows, id.slice(id.indexOf('|') + 1)), 0);
    const oldest = whole.map(({ taken_at }) => taken_at).toSorted()[0] ?? null;
    const counted = { messages: whole.length, bytes, oldest_at: oldest };
    if (!isDeepStrictEqual(carrying, counted))
      onFailure(`${this.name} says ${JSON.stringify(carrying)} of ${JSON.stringify(counted)}`);
    const codes = this.#messages.readCodes;
    const answers = rows.filter(([, { kind }]) => kind === 'answer').length;
    if (codes.filter(({ delivered }) => delivered).length > answers)
      onFailure(`${this.name} says that more codes were delivered than have answers`);
    if (codes.some(({ delivered, receipt }) => receipt !== null && !delivered))
      onFailure(`${this.name} shows a receipt before the delivery`);
  }

  #rows(life: { isDead: boolean }): CarriedRows {
    const disk = this.#disk;
    const rows = new Map(disk);
    const written = new Subject<Parameters<Parameters<CarriedRows['onWrite']>[1]>[0]>();
    const { activity } = this.#options;
    return {
      get: (id) => rows.get(id),
      entries: () => rows.entries(),
      async write(put, removedIds = []) {
        activity.note();
        if (life.isDead) throw new Error('a dead process writes nothing');
        for (const { id, body } of put) for (const map of [rows, disk]) map.set(id, structuredClone(body));
        for (const id of removedIds) for (const map of [rows, disk]) map.delete(id);
        written.next([...put, ...removedIds.map((id) => ({ id, body: undefined }))]);
      },
      purge: async () => undefined,
      onWrite: (_stage, listener) => written.subscribe(listener),
    };
  }

  async #fetch(address: string, init: RequestInit | undefined, life: { isDead: boolean }): Promise<Response> {
    const { server, drawFault } = this.#options;
    if (!this.isOnline || life.isDead) throw new TypeError('no network');
    const bytes = init?.body as Uint8Array<ArrayBuffer>;
    const ask = (): Promise<AppAnswer> =>
      server.ask({
        method: 'POST',
        target: new URL(address).pathname,
        headers: Object.fromEntries(new Headers(init?.headers)),
        body: bytes.slice().buffer,
      });
    switch (drawFault()) {
      case 'lost':
        throw new TypeError('the request was lost');
      case 'unanswered':
        await ask();
        throw new TypeError('the answer was lost');
      case 'doubled':
        await ask();
        return responseOf(await ask());
      case 'declined': {
        const headers = { 'Content-Type': 'application/problem+json' };
        return new Response(JSON.stringify({ code: 'unavailable', status: 503 }), { status: 503, headers });
      }
      case 'portal':
        return new Response('<html>', { status: 200, headers: { 'Content-Type': 'text/html' } });
      case 'changed answer': {
        const answer = await ask();
        const body = Buffer.from(answer.body);
        body[body.length - 1] = body.at(-1)! ^ 1;
        return responseOf({ ...answer, body });
      }
      case undefined:
        return responseOf(await ask());
    }
  }
}

/** Returns how many bytes of a message the rows have: of its parts, or of its answer. */
const storedBytesOf = (rows: readonly (readonly [string, CarriedBody])[], message: string): number =>
  rows.reduce(
    (sum, [id, body]) =>
      'bytes' in body && id.split('|')[1] === message ? sum + (fromBase64url(body.bytes)?.length ?? 0) : sum,
    0,
  );
