/**
 * One life of a server process: its store, through which it dies at a numbered point, and its HTTP app. A dead process
 * does nothing: its calls of the store never end.
 */
import type { RequestListener } from 'node:http';
import { createAccountQueue } from '../../../server/mutate/account-queue.ts';
import { createClientOwners } from '../../../server/sync/client-owners.ts';
import { createDeviceReports } from '../../../server/fleet/device-reports.ts';
import { createHttpApp } from '../../../server/http/http-app.ts';
import { EventPublisher } from '../../../server/sync/event-publisher.ts';
import { healthThresholdsDefault } from '../../../server/fleet/device-health.ts';
import { createInnerRequestServer, type InnerRequestServer } from '../../../server/http/relay/inner-requests.ts';
import { createServerKeys } from '../../../server/relay/server-keys.ts';
import { publicTargets } from '../../../server/webhooks/send/target.ts';
import { WebhookSecrets } from '../../../server/webhooks/send/webhook-secrets.ts';
import type { Services } from '../../../server/http/services.ts';
import type { World } from '../../../server/core/world.ts';
import { accountLimitsDefault } from '../../../server/store/account-limits.ts';
import type { RateLimits } from '../../../server/store/limits/rate-limits.ts';
import type { Store } from '../../../server/store/store.ts';
import { createMetrics } from '../../../server/observe/metrics.ts';
import { silentLog } from '../../../server/observe/log.ts';
import { messageClasses } from './in-process.ts';

/** The rate limits count real requests of real clients, so a simulation has none. */
const noLimits: RateLimits = {
  limit: { requests: 1_000_000, secs: 60 },
  count: () => Promise.resolve({ ok: true, remaining: 1_000_000, resetSecs: 60 }),
  refund: () => {},
  close: () => Promise.resolve(),
};

const metrics = createMetrics();

export interface ServerLifeOptions {
  store: Store;
  world: World;
  onBug: (error: unknown) => void;
  onDeath: (point: string) => void;
}

export class ServerLife {
  readonly app: RequestListener;
  readonly services: Services;
  isDead = false;
  /** Whether it answers as an earlier version did. */
  isOlder = false;
  /** The number of the point at which the process dies, counted from when it is set. */
  dieAt: number | undefined;
  #tellDeath: () => void = () => {};
  readonly died = new Promise<void>((resolve) => {
    this.#tellDeath = resolve;
  });
  readonly #options: ServerLifeOptions;

  constructor(options: ServerLifeOptions) {
    this.#options = options;
    const { world } = options;
    const onBug = (error: unknown) => {
      if (!this.isDead) options.onBug(error);
    };
    const store = this.#mortal(options.store);
    this.services = {
      store,
      queue: createAccountQueue(store, world, { metrics, limits: accountLimitsDefault }),
      owners: createClientOwners(store),
      events: new EventPublisher(store, { onBug }),
      deviceReports: createDeviceReports({ store, world, intervalMs: undefined }),
      healthThresholds: healthThresholdsDefault,
      limits: noLimits,
      photos: undefined,
      billing: undefined,
      serverKeys: createServerKeys({ store, world }),
      webhookSecrets: new WebhookSecrets({ store, world }),
      webhookTargets: publicTargets,
      innerRequests: innerRequestsAt(world),
      pseudonym: (text) => text,
      log: silentLog,
      metrics,
      world,
      readiness: { draining: false, writesFail: false },
    };
    this.app = createHttpApp({ services: this.services, adminToken: undefined, messageClasses, onBug });
  }

  /** The store without the points at which the process dies, for what the simulation itself reads. */
  get store(): Store {
    return this.#options.store;
  }

  die(point: string): void {
    if (this.isDead) return;
    this.isDead = true;
    this.#options.onDeath(point);
    this.#tellDeath();
  }

  /** Frees what the process had; what it had given to the database to commit is committed. */
  async end(): Promise<void> {
    this.isDead = true;
    this.#tellDeath();
    this.services.events.close();
    await this.#options.store.close();
  }

  /** The store with a point before and after each call, which are all that a handler waits for but the request's bytes. */
  #mortal(store: Store): Store {
    return new Proxy(store, {
      get: (target, property) => {
        const value: unknown = Reflect.get(target, property);
        if (typeof value !== 'function' || property === 'onCommit') return value;
        const call = value.bind(target) as (...args: unknown[]) => Promise<unknown>;
        return async (...args: unknown[]) => {
          if (this.#diesAt(`before ${String(property)}`)) return never();
          const result = await call(...args);
          if (this.#diesAt(`after ${String(property)}`)) return never();
          return result;
        };
      },
    });
  }

  #diesAt(point: string): boolean {
    if (this.isDead || this.dieAt === undefined) return this.isDead;
    this.dieAt -= 1;
    if (this.dieAt > 0) return false;
    this.die(point);
    return true;
  }
}

/** Node dates answers by the real clock, and devices expire receipts by these dates. */
function innerRequestsAt({ now }: World): InnerRequestServer {
  const inner = createInnerRequestServer();
  return {
    ...inner,
    async send(request, address) {
      const response = await inner.send(request, address);
      const date = ['date', new Date(now()).toUTCString()] as const;
      return { ...response, fields: [...response.fields.filter(([name]) => name !== 'date'), date] };
    },
  };
}

const never = (): Promise<never> => new Promise(() => {});
