import type { AccountQueue } from '../mutate/account-queue.ts';
import type { World } from '../core/world.ts';
import type { Log } from '../observe/log.ts';
import type { Metrics } from '../observe/metrics.ts';
import type { RateLimits } from '../store/limits/rate-limits.ts';
import type { Store } from '../store/store.ts';
import type { ClientOwners } from '../sync/client-owners.ts';
import type { EventFeed } from '../sync/events.ts';

/** What the handlers work with; `server/app.ts` puts it together. */
export interface Services {
  store: Store;
  queue: AccountQueue;
  owners: ClientOwners;
  events: EventFeed;
  limits: RateLimits;
  /** Stands for a text, an address say, where the store keeps it, so that a table alone tells none. */
  pseudonym(text: string): string;
  log: Log;
  metrics: Metrics;
  world: World;
  health: Health;
}

export interface Health {
  /** The server finishes what it began and takes nothing new. */
  draining: boolean;
  /** A write failed for the store's sake, and none has succeeded since. */
  writesFail: boolean;
}
