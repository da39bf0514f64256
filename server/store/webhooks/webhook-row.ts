/**
 * Endpoints of webhooks, and what became of the events that were sent to them. The account has them, beside its events; which
 * process sends them is decided by the leases of buckets of accounts.
 */
import type { Page } from '../page.ts';
import type { DisabledReason } from '../../../shared/schema/integration/webhook.ts';
import type { EventType } from '../../../shared/schema/integration/event-types.ts';

export interface WebhookRow extends WebhookSettings, DeliveryState {
  id: string;
  /** Grows with each write. */
  revision: number;
}

export interface WebhookSettings {
  url: string;
  /** null for all types. */
  types: EventType[] | null;
  description: string;
  created_at: string;
  /** Names the secret together with the endpoint's id. */
  secret_generation: number;
  /** The secrets before, which sign, too, until these instants. */
  old_secrets: OldSecret[];
}

export interface OldSecret {
  generation: number;
  until: string;
}

/** How far the deliveries of an endpoint are. */
export interface DeliveryState {
  /** null while events are sent. */
  disabled_reason: DisabledReason | null;
  /** The version of the last event that was delivered, set aside or left out. */
  cursor: number;
  /** How often the next event was tried in vain. */
  tries: number;
  next_attempt_at: string | null;
  failing_since: string | null;
  /** The cursor when it began to fail: the endpoint took nothing after it. */
  failing_from: number | null;
  last_success_at: string | null;
}

/** The last try of an event at an endpoint. */
export interface DeliveryRow {
  webhook_id: string;
  version: number;
  type: EventType;
  outcome: DeliveryOutcome;
  tries: number;
  at: string;
  status: number | null;
  duration_ms: number;
  body: string | null;
  error: string | null;
}

export type DeliveryOutcome = 'delivered' | 'failed' | 'set_aside';

export interface WebhookStore {
  /** Returns the key from which the secrets of endpoints are derived, as base64url. Stores `made` if there is none. */
  webhookKey(made: string): Promise<string>;
  webhooks(accountId: string): Promise<WebhookRow[]>;
  webhook(accountId: string, webhookId: string): Promise<WebhookRow | undefined>;
  /**
   * Writes the new state of an endpoint and the try that led to it, unless the endpoint was written meanwhile. Returns false
   * then. Nobody waits for it, so it may wait for a commit of others to share.
   */
  saveDelivery(accountId: string, save: DeliverySave): Promise<boolean>;
  /** Writes a try that changes nothing of the endpoint. */
  putDelivery(accountId: string, delivery: DeliveryRow): Promise<void>;
  /** Lists the last tries of events, newest first. */
  deliveries(accountId: string, query: DeliveriesQuery): Promise<DeliveryPage>;
  /** Notes that accounts of this bucket have endpoints. Must be called before the first endpoint of an account is written. */
  addWebhookAccount(bucket: number, accountId: string): Promise<void>;
  /** Returns true if the bucket had the account. */
  removeWebhookAccount(bucket: number, accountId: string): Promise<boolean>;
  /** Returns the buckets that have accounts. */
  webhookBuckets(): Promise<number[]>;
  webhookAccounts(bucket: number): Promise<string[]>;
  /** Takes or keeps the lease of a bucket. Returns false while another process has it. */
  leaseBucket(lease: BucketLease): Promise<boolean>;
  /** Returns the last try of one event. */
  delivery(accountId: string, key: DeliveryKey): Promise<DeliveryRow | undefined>;
}

export interface DeliveryKey {
  webhookId: string;
  version: number;
}

export interface DeliveriesQuery {
  webhookId: string;
  /** Selects events with a lower version, for the next page. */
  before?: number | undefined;
  /** Default: all. */
  outcome?: DeliveryOutcome | undefined;
  limit: number;
}

export type DeliveryPage = Page<DeliveryRow>;

export interface BucketLease {
  bucket: number;
  /** Names the process. */
  holder: string;
  now: string;
  until: string;
  /** A lease that ends later was made by a clock that was ahead, and is taken over. */
  latest: string;
}

/** The rows that a transaction writes. */
export interface WebhookWrites {
  put: WebhookRow[];
  removed: string[];
  /** The tries that led to the new states. */
  deliveries?: DeliveryRow[];
}

export interface DeliverySave {
  webhookId: string;
  revision: number;
  state: DeliveryState;
  /** Absent if the cursor only passes events of other types. */
  delivery?: DeliveryRow;
}
