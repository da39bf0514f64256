/** The composition root of the server: time, chance, the store and the layers come together here. */
import { createHmac, randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { trackConnections, type OpenConnections } from './http/limits/connections.ts';
import { createHttpApp } from './http/http-app.ts';
import { createHttpServer, type HttpServer, type Patience } from './http/http-server.ts';
import type { MemoryLimits } from './http/limits/memory-budget.ts';
import type { Services } from './http/services.ts';
import { startingFront } from './http/starting.ts';
import type { TrustedProxies } from './http/limits/trusted-proxies.ts';
import { readWebFiles } from './http/web/web-files.ts';
import { createAccountQueue } from './mutate/account-queue.ts';
import type { World } from './core/world.ts';
import { silentLog, type Log } from './observe/log.ts';
import { createMetrics } from './observe/metrics.ts';
import { accountLimitsDefault, type AccountLimits } from './store/account-limits.ts';
import { openRateLimits } from './store/limits/open-rate-limits.ts';
import { openStore } from './store/open-store.ts';
import { sweepDaily } from './store/retention.ts';
import { rateLimitDefault, withHashedKeys, type RateLimit } from './store/limits/rate-limits.ts';
import { StoreUnavailable, type Store } from './store/store.ts';
import { createClientOwners } from './sync/client-owners.ts';
import { EventFeed } from './sync/events.ts';

export interface ServerOptions {
  dataDir: string;
  /** PostgreSQL; without it the embedded database under `dataDir`. */
  databaseUrl?: string | undefined;
  /** 0 takes a free one. */
  port: number;
  host: string;
  /** The operator's token; without one there are no operator routes. */
  adminToken?: string | undefined;
  /** For each token, and each address without one. */
  rateLimit?: RateLimit | undefined;
  /** What an account may have in the store. */
  accountLimits?: Partial<AccountLimits>;
  /** How long a request waits to be counted by all processes before this one counts it alone. */
  countMsMax?: number;
  /** None without. */
  trustedProxies?: TrustedProxies | undefined;
  /** Whose web apps may call the API; none without. */
  corsOrigins?: readonly string[] | undefined;
  /** Where the built app is; without one the server has the API alone. */
  webDir?: string | undefined;
  /** Milliseconds since 1970. */
  clock?: () => number;
  random?: (count: number) => Uint8Array;
  /** Silent without. */
  log?: Log;
  /** Told of what was answered with 500. */
  onBug?: (error: unknown, requestId: string) => void;
  /** For bodies under way. */
  bodyMemory?: MemoryLimits;
  /** For answers under way. */
  answerMemory?: MemoryLimits;
  /** With slow clients. */
  patience?: Partial<Patience>;
  /** How often event streams look for what they were not told. */
  eventsPollMs?: number;
  /** Of one account, at once. */
  eventStreamsMax?: number;
}

export interface RunningServer {
  url: string;
  port: number;
  store: Store;
  world: World;
  services: Services;
  /** Drains: finishes what was begun, ends event streams, closes the store. Safe to call twice. */
  close(): Promise<void>;
}

/** Listens at once, and serves when it resolves: before, it answers that it is starting. */
export async function openServer(options: ServerOptions): Promise<RunningServer> {
  const {
    port,
    host,
    adminToken,
    trustedProxies,
    rateLimit = rateLimitDefault,
    log = silentLog,
    onBug = () => {},
  } = options;
  const world: World = { now: options.clock ?? Date.now, randomBytes: options.random ?? randomBytes };
  const metrics = createMetrics();
  const front = startingFront({ world, log, metrics, trustedProxies }, rateLimit);
  const { server, stalledReaders } = createHttpServer(front, world, options.patience);
  const connections = trackConnections(server);
  await listen(server, port, host);
  const services = await openServices(options, { world, log, metrics, rateLimit, onBug }).catch((error: unknown) => {
    server.close();
    server.closeAllConnections();
    throw error;
  });
  const stopSweeping = sweepDaily({
    store: services.store,
    now: world.now,
    onRemoved: ({ keys, answers }) => {
      metrics.rowsSwept.inc({ kind: 'idempotency_key' }, keys);
      metrics.rowsSwept.inc({ kind: 'push_answers' }, answers);
    },
    onBug: (error) => {
      if (!(error instanceof StoreUnavailable)) onBug(error, 'sweep');
    },
  });
  const webFiles = options.webDir === undefined ? undefined : readWebFiles(options.webDir);
  front.app = createHttpApp({
    services,
    adminToken,
    trustedProxies,
    webFiles,
    corsOrigins: options.corsOrigins,
    bodyMemory: options.bodyMemory,
    answerMemory: options.answerMemory,
    onBug,
  });
  front.limits = services.limits;
  const address = server.address() as AddressInfo;
  let closing: Promise<void> | undefined;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`,
    port: address.port,
    store: services.store,
    world,
    services,
    close: () => (closing ??= drain({ server, connections, stalledReaders, services, stopSweeping })),
  };
}

interface Given extends Pick<Services, 'world' | 'log' | 'metrics'> {
  rateLimit: RateLimit;
  onBug: NonNullable<ServerOptions['onBug']>;
}

async function openServices(options: ServerOptions, given: Given): Promise<Services> {
  const { databaseUrl, dataDir, countMsMax, eventsPollMs, eventStreamsMax } = options;
  const { world, log, metrics, rateLimit, onBug } = given;
  const store = await openStore({ databaseUrl, dataDir });
  const secret = await store.epoch();
  const pseudonym = (text: string) => createHmac('sha256', secret).update(text).digest('base64url');
  const counts = await openRateLimits({ databaseUrl, dataDir, countMsMax }, rateLimit).catch(async (error: unknown) => {
    await store.close();
    throw error;
  });
  return {
    store,
    queue: createAccountQueue(store, world, { metrics, limits: { ...accountLimitsDefault, ...options.accountLimits } }),
    owners: createClientOwners(store),
    events: new EventFeed(store, {
      metrics,
      onBug: (bug) => onBug(bug, 'events'),
      ...(eventsPollMs === undefined ? {} : { pollMs: eventsPollMs }),
      ...(eventStreamsMax === undefined ? {} : { streamsPerAccountMax: eventStreamsMax }),
    }),
    limits: withHashedKeys(counts, pseudonym),
    pseudonym,
    log,
    metrics,
    world,
    health: { draining: false, writesFail: false },
  };
}

/** Within the 10 s that SIGTERM allows in all. */
const drainMsMax = 8_000;

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

interface Draining extends Pick<HttpServer, 'server' | 'stalledReaders'> {
  connections: OpenConnections;
  services: Services;
  stopSweeping: () => Promise<void>;
}

async function drain(given: Draining): Promise<void> {
  const { server, connections, stalledReaders } = given;
  const { health, events, limits, store } = given.services;
  health.draining = true;
  const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
  events.close();
  stalledReaders.hurry();
  // A connection becomes idle with its last answer, and would then be kept alive.
  connections.closeIdle();
  const idle = setInterval(() => connections.closeIdle(), 20);
  const impatience = setTimeout(() => server.closeAllConnections(), drainMsMax);
  await closed;
  clearInterval(idle);
  clearTimeout(impatience);
  await given.stopSweeping();
  await limits.close();
  await store.close();
}
