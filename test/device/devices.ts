/** Devices for tests: engines in Node on RxDB's memory storage, closed again after each test. */
import { randomUUID } from 'node:crypto';
import { firstValueFrom, type Observable } from 'rxjs';
import { filter } from 'rxjs/operators';
import { getRxStorageMemory } from 'rxdb/plugins/storage-memory';
import { onTestFinished } from 'vitest';
import { openGemba, type DeviceStorage, type Gemba, type Status } from '../../client/client.ts';
import type { GembaOptions } from '../../client/client.ts';
import type { Clock } from '../../client/core/clock.ts';

export interface Network {
  online: boolean;
  fetch: typeof fetch;
  /** Answers what is sent to a path such as `sync/push` in the place of the server. */
  answers(path: string, answer: Answering): void;
}

/** `ask` asks the server. */
export type Answering = (ask: () => Promise<Response>, sent: Sent) => Response | Promise<Response>;

interface Sent {
  body: string;
  query: URLSearchParams;
  /** Whoever asked no longer waits. */
  signal: AbortSignal;
}

/** A network that a test can take away: requests fail then as they do without one, and streams under way break. */
export function network(online = true): Network {
  const broken = new Set<AbortController>();
  const answering = new Map<string, Answering>();
  let up = online;
  return {
    answers: (path, answer) => void answering.set(`/api/v1/${path}`, answer),
    get online() {
      return up;
    },
    set online(now: boolean) {
      up = now;
      if (!up) for (const it of broken) it.abort();
    },
    fetch: async (input, init) => {
      if (!up) throw new TypeError('no network');
      const cut = new AbortController();
      broken.add(cut);
      const signal = AbortSignal.any([cut.signal, ...(init?.signal ? [init.signal] : [])]);
      const ask = () => fetch(input, { ...init, signal });
      const { pathname, searchParams: query } = new URL(String(input));
      return answering.get(pathname)?.(ask, { body: String(init?.body ?? ''), query, signal }) ?? ask();
    },
  };
}

/** Rounds of sync are only those that a test asks for: no timer fires, and nobody pokes. */
export function onAsking(net: Network): { fetch: typeof fetch; clock: Pick<Clock, 'schedule'> } {
  net.answers('sync/events', () => Promise.reject(new TypeError('no stream here')));
  return { fetch: net.fetch, clock: { schedule: () => () => {} } };
}

export const json = (body: unknown): Response =>
  new Response(JSON.stringify(body), { headers: { 'Content-Type': 'application/json' } });

export const memoryStorage = (): DeviceStorage => getRxStorageMemory() as unknown as DeviceStorage;

/** An engine with a name of its own unless given one; closed when the test ends. */
export async function device(options: Pick<GembaOptions, 'url'> & Partial<GembaOptions>): Promise<Gemba> {
  const gemba = await openGemba({ name: `device-${randomUUID()}`, storage: memoryStorage(), ...options });
  let closed = false;
  const close = gemba.close;
  gemba.close = async () => {
    if (closed) return;
    closed = true;
    await close();
  };
  onTestFinished(() => gemba.close());
  return gemba;
}

export const current = <Value>(of$: Observable<Value>): Promise<Value> => firstValueFrom(of$);

export const eventually = <Value>(of$: Observable<Value>, holds: (value: Value) => boolean): Promise<Value> =>
  firstValueFrom(of$.pipe(filter(holds)));

/** Its status once no round is under way: what a device pushed makes the server poke it into one more. */
export const atRest = ({ status$ }: Gemba): Promise<Status> => eventually(status$, ({ phase }) => phase !== 'syncing');
