/** Connects the tabs of a device by locks, as the Web Locks API has them, and by channels. */
import type { TabLockManager, TabPlatform, TabPort } from '../../../../client/core/supports-tabs.ts';
import type { DiskUser } from './disk-rows.ts';

interface LockRequest {
  user: DiskUser;
  call: (lock: Lock | null) => unknown;
  resolve: (result: unknown) => void;
  reject: (error: unknown) => void;
}

interface Port extends EventTarget {
  name: string;
  user: DiskUser;
}

export class Browser {
  readonly #held = new Map<string, LockRequest>();
  readonly #waiting = new Map<string, LockRequest[]>();
  readonly #ports = new Set<Port>();
  readonly #ids = new Map<DiskUser, string>();

  platformFor(user: DiskUser): TabPlatform {
    this.#ids.set(user, String(this.#ids.size + 1));
    const request = (name: string, ...given: unknown[]) => this.#request(user, name, given);
    const locks = { request, query: () => Promise.resolve(this.#snapshot()) } as unknown as TabLockManager;
    return { locks, channel: (name) => this.#channel(name, user) };
  }

  /** The tab that leads the sync. */
  get leader(): DiskUser | undefined {
    return [...this.#held].find(([name]) => name.endsWith(':leader'))?.[1].user;
  }

  /** Lists the locks, requests for locks and channels that a closed tab left. */
  leftBy(user: DiskUser): string[] {
    const held = [...this.#held].flatMap(([name, one]) => (one.user === user ? [`holds ${name}`] : []));
    const waiting = [...this.#waiting].flatMap(([name, list]) =>
      list.filter((one) => one.user === user).map(() => `waits for ${name}`),
    );
    const open = [...this.#ports].flatMap((port) => (port.user === user ? [`listens to ${port.name}`] : []));
    return [...held, ...waiting, ...open];
  }

  /** Counts the locks, requests for locks and channels of all tabs. */
  get counts(): { locks: number; requests: number; channels: number } {
    const requests = [...this.#waiting.values()].reduce((sum, list) => sum + list.length, 0);
    return { locks: this.#held.size, requests, channels: this.#ports.size };
  }

  /** Frees what a tab had that died. */
  free(user: DiskUser): void {
    for (const port of this.#ports) if (port.user === user) this.#ports.delete(port);
    for (const [name, list] of this.#waiting)
      this.#waiting.set(
        name,
        list.filter((one) => one.user !== user),
      );
    for (const [name, { user: holder }] of this.#held) if (holder === user) this.#release(name);
  }

  #request(user: DiskUser, name: string, given: unknown[]): Promise<unknown> {
    const call = given.at(-1) as LockRequest['call'];
    const { signal, steal = false } = given.length > 1 ? (given[0] as LockOptions) : {};
    return new Promise((resolve, reject) => {
      if (user.faults.dead) return;
      if (signal?.aborted) return reject(aborted());
      const request = { user, call, resolve, reject };
      if (steal) {
        const robbed = this.#held.get(name);
        this.#grant(name, request);
        return void (robbed && tellRobbed(robbed));
      }
      const waiting = this.#waiting.get(name) ?? [];
      this.#waiting.set(name, [...waiting, request]);
      signal?.addEventListener('abort', () => {
        const list = this.#waiting.get(name) ?? [];
        if (!list.includes(request)) return;
        this.#waiting.set(
          name,
          list.filter((one) => one !== request),
        );
        reject(aborted());
      });
      if (!this.#held.has(name)) this.#grantNext(name);
    });
  }

  #grantNext(name: string): void {
    const [next, ...later] = this.#waiting.get(name) ?? [];
    this.#waiting.set(name, later);
    if (next) this.#grant(name, next);
  }

  #grant(name: string, request: LockRequest): void {
    this.#held.set(name, request);
    void this.#work(name, request);
  }

  /** A frozen tab is given a lock, too, and begins its work when it wakes. */
  async #work(name: string, request: LockRequest): Promise<void> {
    await request.user.whenAwake();
    if (request.user.faults.dead) return;
    try {
      request.resolve(await request.call({ name, mode: 'exclusive' }));
    } catch (error) {
      request.reject(error);
    }
    if (this.#held.get(name) === request) this.#release(name);
  }

  #release(name: string): void {
    this.#held.delete(name);
    this.#grantNext(name);
  }

  #snapshot(): LockManagerSnapshot {
    const infoOf = (name: string, { user }: LockRequest): LockInfo => ({
      name,
      clientId: this.#ids.get(user) ?? '',
      mode: 'exclusive',
    });
    return { held: [...this.#held].map(([name, request]) => infoOf(name, request)), pending: [] };
  }

  #channel(name: string, user: DiskUser): TabPort {
    const port: Port = Object.assign(new EventTarget(), { name, user });
    // The code of a tab that died may run on to here.
    if (!user.faults.dead) this.#ports.add(port);
    return {
      addEventListener: (type, listener) => port.addEventListener(type, (event) => listener(event as MessageEvent)),
      close: () => void this.#ports.delete(port),
      postMessage: (message) => {
        if (user.faults.dead) return;
        const data: unknown = structuredClone(message);
        for (const other of this.#ports)
          if (other !== port && other.name === name) setImmediate(() => void this.#deliver(other, data));
      },
    };
  }

  async #deliver(port: Port, data: unknown): Promise<void> {
    await port.user.whenAwake();
    if (this.#ports.has(port) && !port.user.faults.dead) port.dispatchEvent(new MessageEvent('message', { data }));
  }
}

/** A frozen tab learns only when it wakes that its lock was stolen. */
async function tellRobbed({ user, reject }: LockRequest): Promise<void> {
  await user.whenAwake();
  reject(aborted());
}

const aborted = () => new DOMException('The lock was given up or stolen.', 'AbortError');
