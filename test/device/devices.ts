/** Devices for tests: engines in Node on RxDB's memory storage, closed after each test. */
import { randomUUID } from 'node:crypto';
import { firstValueFrom, type Observable } from 'rxjs';
import { filter } from 'rxjs/operators';
import { getRxStorageMemory } from 'rxdb/plugins/storage-memory';
import { onTestFinished } from 'vitest';
import { openGemba, type Gemba, type Status } from '../../client/client.ts';
import type { AnyRxStorage } from '../rx-storage.ts';
import type { GembaOptions } from '../../client/client.ts';
import type { Clock } from '../../client/core/clock.ts';

export interface Network {
  online: boolean;
  fetch: typeof fetch;
  /** Lets `answer` reply to requests of a path such as `sync/push` instead of the server. */
  answers(path: string, answer: AnswerRequest): void;
}

/** Makes the reply to a request; `ask` forwards the request to the server. */
export type AnswerRequest = (ask: () => Promise<Response>, sent: Sent) => Response | Promise<Response>;

interface Sent {
  body: string;
  /** The body of a request that is no text. */
  raw: Uint8Array;
  query: URLSearchParams;
  /** Aborts when the caller no longer waits. */
  signal: AbortSignal;
}

/** A network that a test can switch off: requests fail as they do offline, and open streams break. */
export function network(online = true): Network {
  const broken = new Set<AbortController>();
  const answering = new Map<string, AnswerRequest>();
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
      const raw = init?.body instanceof Uint8Array ? init.body : new Uint8Array();
      return answering.get(pathname)?.(ask, { body: String(init?.body ?? ''), raw, query, signal }) ?? ask();
    },
  };
}

/** The device syncs only when a test asks it to: no timer fires and no event stream opens. */
export function manualSync(net: Network): { fetch: typeof fetch; clock: Pick<Clock, 'schedule'> } {
  net.answers('sync/events', () => Promise.reject(new TypeError('no stream here')));
  return { fetch: net.fetch, clock: { schedule: () => () => {} } };
}

export const json = (body: unknown): Response =>
  new Response(JSON.stringify(body), { headers: { 'Content-Type': 'application/json' } });

export const memoryStorage = (): AnyRxStorage => getRxStorageMemory() as unknown as AnyRxStorage;

/** Opens an engine, under a new name unless one is given, and closes it when the test ends. */
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

/** Resolves with the status once no round runs. After a push, the event of that push starts one more round. */
export const atRest = ({ status$ }: Gemba): Promise<Status> => eventually(status$, ({ phase }) => phase !== 'syncing');

/** The status of a device whose work is all on the server. */
export const idleStatus = { phase: 'idle', pending: 0, attention: 0 } as const;
