/** The composition root of the server, which connects time, randomness, the store and the layers. */
import { createHmac, randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { trackConnections, type OpenConnections } from './http/limits/connections.ts';
import { createHttpApp } from './http/http-app.ts';
import { createHttpServer, type HttpServer, type ClientTimeouts } from './http/http-server.ts';
import type { MemoryLimits } from './http/limits/memory-budget.ts';
import type { Services } from './http/services.ts';
import { startingHandler } from './http/starting.ts';
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
  /** The URL of PostgreSQL; without it the server uses the embedded database in `dataDir`. */
  databaseUrl?: string | undefined;
  /** 0 chooses a free port. */
  port: number;
  host: string;
  /** The operator's token; without it the operator routes are off. */
  adminToken?: string | undefined;
  /** The rate limit of each token, and of each address that sends no token. */
  rateLimit?: RateLimit | undefined;
  /** Limits on what an account stores. */
  accountLimits?: Partial<AccountLimits>;
  /** Limits the wait for the shared rate-limit counter; after it, the request is counted in this process alone. */
  sharedCountMsMax?: number;
  /** The proxies whose forwarding headers are trusted; absent, none is. */
  trustedProxies?: TrustedProxies | undefined;
  /** The origins whose web apps may call the API; absent, none may. */
  corsOrigins?: readonly string[] | undefined;
  /** The folder of the built app; without it the server serves the API alone. */
  webDir?: string | undefined;
  /** Returns milliseconds since 1970. */
  clock?: () => number;
  random?: (count: number) => Uint8Array;
  /** Absent, the server logs nothing. */
  log?: Log;
  /** Called with each error that led to a 500. */
  onBug?: (error: unknown, requestId: string) => void;
  /** Limits the memory of request bodies. */
  bodyMemory?: MemoryLimits;
  /** Limits the memory of responses. */
  responseMemory?: MemoryLimits;
  /** The timeouts for slow clients. */
  timeouts?: Partial<ClientTimeouts>;
  /** The interval at which event streams poll the store, in case a poke was lost. */
  eventsPollMs?: number;
  /** Limits the event streams that an account has open at once. */
  eventStreamsMax?: number;
}

export interface RunningServer {
  url: string;
  port: number;
  store: Store;
  world: World;
  services: Services;
  /** Finishes requests under way, ends event streams and closes the store. May be called twice. */
  close(): Promise<void>;
}

/** Listens at once and replies 503 while it starts. Serves all routes once it resolves. */
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
  const activeHandler = startingHandler({ world, log, metrics, trustedProxies }, rateLimit);
  const { server, stalledReaders } = createHttpServer(activeHandler, world, options.timeouts);
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
    onRemoved: ({ idempotencyKeys, pushAnswers }) => {
      metrics.rowsSwept.inc({ kind: 'idempotency_key' }, idempotencyKeys);
      metrics.rowsSwept.inc({ kind: 'push_answers' }, pushAnswers);
    },
    onBug: (error) => {
      if (!(error instanceof StoreUnavailable)) onBug(error, 'sweep');
    },
  });
  const webFiles = options.webDir === undefined ? undefined : readWebFiles(options.webDir);
  activeHandler.app = createHttpApp({
    services,
    adminToken,
    trustedProxies,
    webFiles,
    corsOrigins: options.corsOrigins,
    bodyMemory: options.bodyMemory,
    responseMemory: options.responseMemory,
    onBug,
  });
  activeHandler.limits = services.limits;
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

interface ServiceParts extends Pick<Services, 'world' | 'log' | 'metrics'> {
  rateLimit: RateLimit;
  onBug: NonNullable<ServerOptions['onBug']>;
}

async function openServices(options: ServerOptions, parts: ServiceParts): Promise<Services> {
  const { databaseUrl, dataDir, sharedCountMsMax, eventsPollMs, eventStreamsMax } = options;
  const { world, log, metrics, rateLimit, onBug } = parts;
  const store = await openStore({ databaseUrl, dataDir });
  const secret = await store.epoch();
  const pseudonym = (text: string) => createHmac('sha256', secret).update(text).digest('base64url');
  const counts = await openRateLimits({ databaseUrl, dataDir, sharedCountMsMax }, rateLimit).catch(
    async (error: unknown) => {
      await store.close();
      throw error;
    },
  );
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

/** Stays below the 10 s that shutting down may take after SIGTERM. */
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

interface DrainOptions extends Pick<HttpServer, 'server' | 'stalledReaders'> {
  connections: OpenConnections;
  services: Services;
  stopSweeping: () => Promise<void>;
}

async function drain(given: DrainOptions): Promise<void> {
  const { server, connections, stalledReaders } = given;
  const { health, events, limits, store } = given.services;
  health.draining = true;
  const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
  events.close();
  stalledReaders.useDrainingTimeout();
  // A connection becomes idle after its last response and would otherwise stay open.
  connections.closeIdle();
  const closingIdle = setInterval(() => connections.closeIdle(), 20);
  const deadline = setTimeout(() => server.closeAllConnections(), drainMsMax);
  await closed;
  clearInterval(closingIdle);
  clearTimeout(deadline);
  await given.stopSweeping();
  await limits.close();
  await store.close();
}
