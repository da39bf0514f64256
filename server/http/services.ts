import type { AccountQueue } from '../mutate/account-queue.ts';
import type { World } from '../core/world.ts';
import type { Log } from '../observe/log.ts';
import type { Metrics } from '../observe/metrics.ts';
import type { RateLimits } from '../store/limits/rate-limits.ts';
import type { Store } from '../store/store.ts';
import type { ClientOwners } from '../sync/client-owners.ts';
import type { EventFeed } from '../sync/events.ts';

/** The services that handlers use; `server/app.ts` creates them. */
export interface Services {
  store: Store;
  queue: AccountQueue;
  owners: ClientOwners;
  events: EventFeed;
  limits: RateLimits;
  /** Replaces a text such as an IP address by a keyed hash, so that the stored tables alone do not reveal it. */
  pseudonym(text: string): string;
  log: Log;
  metrics: Metrics;
  world: World;
  health: Health;
}

export interface Health {
  /** True during shutdown: the server finishes requests under way and refuses new ones. */
  draining: boolean;
  /** True after a write failed because of the store, until a write succeeds. */
  writesFail: boolean;
}
