/**
 * Crashes a device at named points: around each write of its storage and each exchange with the server, which are all
 * that the engine waits for between a tap and its run. After a crash every further attempt of the engine fails, as a
 * dead process writes and sends nothing.
 */
import type { RxStorageInstance } from 'rxdb';
import type { AnyRxStorage } from '../rx-storage.ts';

export class Crash extends Error {
  override name = 'Crash';
}

export class Faults {
  /** The points passed so far, in order. */
  readonly passed: string[] = [];
  dead = false;
  readonly #crashesAt: (point: string, count: number) => boolean;
  #tellDeath: () => void = () => {};
  readonly died = new Promise<void>((resolve) => {
    this.#tellDeath = resolve;
  });

  /** `count` is 1 for the first point passed. */
  constructor(crashesAt: (point: string, count: number) => boolean) {
    this.#crashesAt = crashesAt;
  }

  point(name: string): void {
    if (this.dead) throw new Crash(`dead before ${name}`);
    this.passed.push(name);
    if (!this.#crashesAt(name, this.passed.length)) return;
    this.dead = true;
    this.#tellDeath();
    throw new Crash(name);
  }

  async around<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    this.point(`before ${name}`);
    const result = await work();
    this.point(`after ${name}`);
    return result;
  }

  fetch: typeof fetch = (input, init) => {
    const path = new URL(String(input instanceof Request ? input.url : input)).pathname.replace('/api/v1/', '');
    if (path === 'sync/events') return Promise.reject(new TypeError('no stream in the simulation'));
    return this.around(path, async () => {
      const response = await fetch(input, init);
      // The body is read here, so that a crash after the exchange loses an answer that the server has given.
      return new Response(await response.arrayBuffer(), response);
    });
  };

  storage(inner: AnyRxStorage): AnyRxStorage {
    return {
      ...inner,
      createStorageInstance: async (params) => {
        const instance = await inner.createStorageInstance(params);
        return this.#withCrashPoints(instance as RxStorageInstance<unknown, unknown, unknown>) as typeof instance;
      },
    };
  }

  #withCrashPoints(
    instance: RxStorageInstance<unknown, unknown, unknown>,
  ): RxStorageInstance<unknown, unknown, unknown> {
    const name = instance.collectionName;
    if (name.startsWith('_rxdb')) return instance;
    return new Proxy(instance, {
      get: (target, property) => {
        const value: unknown = Reflect.get(target, property);
        if (property === 'bulkWrite') {
          return (...args: Parameters<typeof target.bulkWrite>) =>
            this.around(`write of ${name}`, () => target.bulkWrite(...args));
        }
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
  }
}

export const noFaults = (): Faults => new Faults(() => false);
