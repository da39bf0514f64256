/** The composition root of the server: creates the store and the services, and gives them a clock and randomness. */
import { createHmac } from 'node:crypto';
import type { Server } from 'node:http';
import { Server as TlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { startBackgroundWork } from './background.ts';
import { createBilling, type BillingSettings } from './billing/server-billing.ts';
import { openStripe } from './billing/stripe/stripe.ts';
import { drain } from './drain.ts';
import { trackConnections } from './http/limits/connections.ts';
import { createHttpApp } from './http/http-app.ts';
import { createHttpServer, type ClientTimeouts, type TlsCredentials } from './http/http-server.ts';
import { createMessageClasses } from './http/message-classes.ts';
import { createInnerRequestServer } from './http/relay/inner-requests.ts';
import type { MemoryLimits } from './http/limits/memory-budget.ts';
import type { Services } from './http/services.ts';
import { createStartingHandler } from './http/starting.ts';
import type { TrustedProxies } from './http/limits/trusted-proxies.ts';
import { createGuideReader, readWebFiles } from './http/web/web-files.ts';
import { openPhotoLibrary, type PhotoStorageOptions } from './photos/photo-library.ts';
import { createDeviceReports } from './fleet/device-reports.ts';
import { healthThresholdsDefault, type HealthThresholds } from './fleet/device-health.ts';
import { createAccountQueue } from './mutate/account-queue.ts';
import { systemWorld, type World } from './core/world.ts';
import { silentLog, type Log } from './observe/log.ts';
import { createMetrics } from './observe/metrics.ts';
import { accountLimitsDefault, type AccountLimits } from './store/account-limits.ts';
import { openRateLimits } from './store/limits/open-rate-limits.ts';
import type { OnlineStepSetting } from './store/online/serve-steps.ts';
import { openStore } from './store/open-store.ts';
import { rateLimitDefault, withHashedKeys, type RateLimit } from './store/limits/rate-limits.ts';
import type { Store } from './store/store.ts';
import { createServerKeys } from './relay/server-keys.ts';
import { createClientOwners } from './sync/client-owners.ts';
import { EventPublisher } from './sync/event-publisher.ts';
import { publicTargets, type AllowedTargets } from './webhooks/send/target.ts';
import { WebhookSecrets } from './webhooks/send/webhook-secrets.ts';

export interface ServerOptions extends Pick<PhotoStorageOptions, 'sharesPhotos' | 'photoBucket'> {
  dataDir: string;
  /** The URL of PostgreSQL. Default: the embedded database in `dataDir`. */
  databaseUrl?: string | undefined;
  /** The URL of the PostgreSQL that carries the pokes between the server processes. Default: `databaseUrl`. */
  pokeDatabaseUrl?: string | undefined;
  /**
   * With `poll`, this process polls the store instead of listening for the pokes of other processes. Default: `listen`.
   */
  pokes?: 'listen' | 'poll' | undefined;
  /** `transaction` if `databaseUrl` leads to a pooler in transaction mode, such as PgBouncer. Default: no pooler. */
  databasePooler?: 'transaction' | undefined;
  /** 0 means any free port. */
  port: number;
  host: string;
  /** The operator's token. Without a token, the operator routes are off. */
  adminToken?: string | undefined;
  /** Limits the requests of each token. Requests without a token are limited by network address. */
  rateLimit?: RateLimit | undefined;
  accountLimits?: Partial<AccountLimits>;
  /** Limits how long a request waits for the rate-limit counts that all server processes share. */
  sharedCountWaitMsMax?: number;
  /** The proxies whose forwarding headers are trusted. Default: none. */
  trustedProxies?: TrustedProxies | undefined;
  /** The targets that the operator allows for webhooks in addition to public HTTPS URLs. Default: none. */
  webhookTargets?: AllowedTargets;
  /** Whether this process delivers webhooks. Default: true. */
  sendsWebhooks?: boolean;
  /** The interval at which this process looks for webhook endpoints with undelivered events. */
  webhookRoundMs?: number;
  /** The other origins whose web apps may call the API. Default: none. */
  corsOrigins?: readonly string[] | undefined;
  /** The certificate for HTTPS. Without a certificate, the server speaks plain HTTP. */
  tls?: TlsCredentials | undefined;
  /**
   * The PEM text of the certificate of the server's own authority. Phones can download and install it. Default: none.
   */
  authorityCert?: string | undefined;
  /** The settings of the payment service. Without them, the server has no billing routes. */
  billing?: BillingSettings | undefined;
  /** The folder of the built app. Without the folder, the server serves only the API. */
  webDir?: string | undefined;
  /** The folder of the guide, which may be built while the server runs. Without this option, `/docs` has no guide. */
  guideDir?: string | undefined;
  /** Returns milliseconds since 1970. */
  clock?: () => number;
  random?: (count: number) => Uint8Array;
  /** The times after which a device counts as stale, silent or stuck. */
  healthThresholds?: HealthThresholds;
  /** The minimum time between two writes of one device's status. */
  statusIntervalMs?: number | undefined;
  /** Default: nothing is logged. */
  log?: Log;
  /** Called with each bug: an error that made a request fail with 500 or that happened in background work. */
  onBug?: (error: unknown, requestId: string) => void;
  /** Limits the memory that request bodies take. */
  bodyMemory?: MemoryLimits;
  /** Limits the memory that responses take. */
  responseMemory?: MemoryLimits;
  timeouts?: Partial<ClientTimeouts>;
  /** The interval at which event streams poll the store, in case a poke was lost. */
  eventsPollIntervalMs?: number;
  /** For tests: replaces the online steps (server/store/online/steps.ts) that this version of the server runs. */
  onlineSteps?: OnlineStepSetting;
  /** Limits the event streams that one account has open at once. */
  eventStreamsMax?: number;
}

export interface RunningServer {
  url: string;
  port: number;
  store: Store;
  world: World;
  services: Services;
  /** Makes new connections use the renewed certificate. Has no effect on a server without HTTPS. */
  renewTls(tls: TlsCredentials): void;
  /** Finishes the requests under way, ends the event streams and closes the store. A second call has no effect. */
  close(): Promise<void>;
}

/** Starts the server. The server listens at once and replies 503 until the returned promise resolves. */
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
  const world: World = {
    now: options.clock ?? systemWorld.now,
    randomBytes: options.random ?? systemWorld.randomBytes,
  };
  const metrics = createMetrics();
  const hasOwnCertificate = options.authorityCert !== undefined;
  const messageClasses = createMessageClasses();
  const activeHandler = createStartingHandler(
    { world, log, metrics, trustedProxies, hasOwnCertificate, messageClasses },
    rateLimit,
  );
  const { server, stalledReaders } = createHttpServer(activeHandler, {
    world,
    messageClasses,
    timeouts: options.timeouts,
    tls: options.tls,
  });
  const connections = trackConnections(server);
  await listen(server, port, host);
  const services = await openServices(options, { world, log, metrics, rateLimit, onBug }).catch((error: unknown) => {
    server.close();
    server.closeAllConnections();
    throw error;
  });
  const stopBackgroundWork = startBackgroundWork(options, services);
  const webFiles = options.webDir === undefined ? undefined : readWebFiles(options.webDir);
  activeHandler.app = createHttpApp({
    services,
    adminToken,
    trustedProxies,
    webFiles,
    readGuide: options.guideDir === undefined ? undefined : createGuideReader(options.guideDir),
    corsOrigins: options.corsOrigins,
    authorityCert: options.authorityCert,
    bodyMemory: options.bodyMemory,
    responseMemory: options.responseMemory,
    messageClasses,
    onBug,
  });
  activeHandler.limits = services.limits;
  const address = server.address() as AddressInfo;
  let closing: Promise<void> | undefined;
  return {
    url: `${options.tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${address.port}`,
    port: address.port,
    store: services.store,
    world,
    services,
    renewTls: (tls) => {
      if (server instanceof TlsServer) server.setSecureContext(tls);
    },
    close: () => (closing ??= drain({ server, connections, stalledReaders, services, stopBackgroundWork })),
  };
}

interface ServiceDependencies extends Pick<Services, 'world' | 'log' | 'metrics'> {
  rateLimit: RateLimit;
  onBug: NonNullable<ServerOptions['onBug']>;
}

async function openServices(options: ServerOptions, parts: ServiceDependencies): Promise<Services> {
  const { eventsPollIntervalMs, eventStreamsMax } = options;
  const { world, log, metrics, rateLimit, onBug } = parts;
  // The npm package of Stripe is optional. If it is missing, the start fails here, before the store is open.
  const stripe = options.billing && (await openStripe(options.billing));
  const store = await openStore({ ...options, world });
  const epoch = await store.epoch();
  const pseudonym = (text: string) => createHmac('sha256', epoch).update(text).digest('base64url');
  const rateLimits = await openRateLimits({ ...options, limit: rateLimit, now: world.now }).catch(
    async (error: unknown) => {
      await store.close();
      throw error;
    },
  );
  const accountLimits = { ...accountLimitsDefault, ...options.accountLimits };
  return {
    store,
    queue: createAccountQueue(store, world, { metrics, limits: accountLimits }),
    photos: await openPhotoLibrary(options, { store, world, bytesMax: accountLimits.photoBytesMax }),
    billing:
      stripe && options.billing && createBilling(options.billing, { store, world, log, metrics, service: stripe }),
    owners: createClientOwners(store),
    events: new EventPublisher(store, {
      metrics,
      onBug: (bug) => onBug(bug, 'events'),
      ...(eventsPollIntervalMs === undefined ? {} : { pollIntervalMs: eventsPollIntervalMs }),
      ...(eventStreamsMax === undefined ? {} : { streamsPerAccountMax: eventStreamsMax }),
    }),
    deviceReports: createDeviceReports({ store, world, intervalMs: options.statusIntervalMs }),
    healthThresholds: options.healthThresholds ?? healthThresholdsDefault,
    limits: withHashedKeys(rateLimits, pseudonym),
    serverKeys: createServerKeys({ store, world }),
    webhookSecrets: new WebhookSecrets({ store, world }),
    webhookTargets: options.webhookTargets ?? publicTargets,
    innerRequests: createInnerRequestServer(),
    pseudonym,
    log,
    metrics,
    world,
    readiness: { draining: false, writesFail: false },
  };
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
