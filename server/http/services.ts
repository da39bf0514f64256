import type { AccountQueue } from '../mutate/account-queue.ts';
import type { World } from '../core/world.ts';
import type { Log } from '../observe/log.ts';
import type { Metrics } from '../observe/metrics.ts';
import type { RateLimits } from '../store/limits/rate-limits.ts';
import type { ServerBilling } from '../billing/server-billing.ts';
import type { Store } from '../store/store.ts';
import type { DeviceReports } from '../fleet/device-reports.ts';
import type { HealthThresholds } from '../fleet/device-health.ts';
import type { ClientOwners } from '../sync/client-owners.ts';
import type { EventPublisher } from '../sync/event-publisher.ts';
import type { PhotoLibrary } from '../photos/photo-library.ts';
import type { ServerKeys } from '../relay/server-keys.ts';
import type { AllowedTargets } from '../webhooks/send/target.ts';
import type { WebhookSecrets } from '../webhooks/send/webhook-secrets.ts';
import type { InnerRequestServer } from './relay/inner-requests.ts';

/** The handlers' dependencies, which `server/app.ts` creates. */
export interface Services {
  store: Store;
  queue: AccountQueue;
  owners: ClientOwners;
  events: EventPublisher;
  deviceReports: DeviceReports;
  healthThresholds: HealthThresholds;
  limits: RateLimits;
  /** undefined if the server has no place for photos. */
  photos: PhotoLibrary | undefined;
  /** undefined if the server has no payment service. */
  billing: ServerBilling | undefined;
  serverKeys: ServerKeys;
  webhookSecrets: WebhookSecrets;
  /** The targets that the operator allows for webhooks in addition to public HTTPS URLs. */
  webhookTargets: AllowedTargets;
  /** Answers the requests that were inside of sealed requests. */
  innerRequests: InnerRequestServer;
  /**
   * Hashes a text such as an IP address, so that the store has no address in clear text. The key of the hash, the
   * store's epoch, is known to devices. Someone with the database could therefore find an address by trial.
   */
  pseudonym(text: string): string;
  log: Log;
  metrics: Metrics;
  world: World;
  readiness: Readiness;
}

export interface Readiness {
  /** True during shutdown, when the server finishes the requests under way and refuses new requests. */
  draining: boolean;
  /** True after a request other than GET or HEAD met an outage, until the check of `/readyz` can write again. */
  writesFail: boolean;
}
