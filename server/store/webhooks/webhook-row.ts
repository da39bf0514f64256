/**
 * Webhook endpoints, and the outcomes of the events that were sent to them. Both belong to an account. The lease of the
 * account's bucket decides which server process sends the events.
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
  /** The types of events that the endpoint gets. null for all types. */
  types: EventType[] | null;
  description: string;
  created_at: string;
  /** The number of the current secret. The secret is derived from this number and the endpoint's id. */
  secret_generation: number;
  /** Earlier secrets. Each one signs events in addition to the current secret, until the instant `until`. */
  old_secrets: OldSecret[];
}

export interface OldSecret {
  generation: number;
  until: string;
}

/** The progress of the deliveries to an endpoint. */
export interface DeliveryState {
  /** Why the endpoint gets no events. null if the endpoint gets events. */
  disabled_reason: DisabledReason | null;
  /**
   * The version of the last event that was delivered, that was set aside after failed tries, or whose type the endpoint
   * does not get.
   */
  cursor: number;
  /** How many tries to deliver the next event have failed. */
  tries: number;
  next_attempt_at: string | null;
  failing_since: string | null;
  /** The cursor at the time when deliveries began to fail. No event after this cursor has been delivered since then. */
  failing_from: number | null;
  last_success_at: string | null;
}

/** The last try to deliver an event to an endpoint. */
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
  /**
   * Returns the base64url key from which the secrets of endpoints are derived. Stores `made` as the key if there is
   * none.
   */
  readOrStoreWebhookKey(made: string): Promise<string>;
  webhooks(accountId: string): Promise<WebhookRow[]>;
  webhook(accountId: string, webhookId: string): Promise<WebhookRow | undefined>;
  /**
   * Writes an endpoint's new state and the try that led to it. Returns false and writes nothing if the endpoint was
   * written meanwhile. The write may wait some milliseconds to share a commit.
   */
  saveDelivery(accountId: string, save: DeliverySave): Promise<boolean>;
  /** Writes a try that does not change the endpoint's state. */
  putDelivery(accountId: string, delivery: DeliveryRow): Promise<void>;
  /** Lists the last try of each event, newest first. */
  deliveries(accountId: string, query: DeliveriesQuery): Promise<DeliveryPage>;
  /**
   * Adds the account to its bucket, so that a process delivers its events. Must be called before the account's first
   * endpoint is written.
   */
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
  /** Identifies the server process. */
  holder: string;
  now: string;
  until: string;
  /** A stored lease that ends after this instant came from a clock that was ahead, and is taken over. */
  endsAtMax: string;
}

/** The rows of endpoints and deliveries that a transaction writes. */
export interface WebhookWrites {
  put: WebhookRow[];
  removed: string[];
  /** The delivery tries that led to the new states in `put`. */
  deliveries?: DeliveryRow[];
}

export interface DeliverySave {
  webhookId: string;
  revision: number;
  state: DeliveryState;
  /** Absent if the cursor moves only past events whose type the endpoint does not get. */
  delivery?: DeliveryRow;
}
