/**
 * The interface to a payment service, which `stripe/stripe.ts` implements. A server without its settings has no billing:
 * the operator sets plans and seats.
 *
 * Each call throws a `BillingFailure` where the service gives no result.
 */
import type { BillingEvent } from '../store/billing/billing-row.ts';

export interface Billing {
  provider: 'stripe';
  /**
   * Begins a checkout. A repeat with the same `key` returns the same checkout while that is open. `customer_deleted`: the order
   * names a customer who was deleted at the service.
   */
  checkout(order: CheckoutOrder): Promise<Checkout | 'customer_deleted'>;
  /** Ends a checkout that is still open. Returns what was bought if it was completed before. */
  endCheckout(sessionId: string): Promise<CompletedCheckout | undefined>;
  /** Lists the completed checkouts that were begun since then, in milliseconds since 1970, the newest first. */
  completedCheckouts(since: number): Promise<CompletedCheckout[]>;
  /** Returns the URL of pages on which the customer changes the subscription. */
  portal(customerId: string, visit: PortalVisit): Promise<string>;
  /** Sets how many seats a subscription has, besides the one of the team. */
  changeSeats(subscriptionId: string, order: SeatOrder): Promise<void>;
  /** Returns undefined unless the text was signed by the service within the last 5 minutes. `now`: milliseconds since 1970. */
  parse(raw: Uint8Array, signature: string, now: number): ServiceEvent | undefined;
  /** Returns the subscription as it is now; undefined if there is none. */
  fetch(subscriptionId: string): Promise<Subscription | undefined>;
  /** Writes `additional_seats` into the metadata of the subscription. */
  writeSeats(subscriptionId: string, seats: number): Promise<void>;
}

/** The payment service gave no result. */
export abstract class BillingFailure extends Error {}

/** Thrown when the payment service does not answer, or fails. The request may be repeated. */
export class BillingUnavailable extends BillingFailure {
  override name = 'BillingUnavailable';
}

/** Thrown when the operator has to mend something first. Until then, a repeat is refused, too. */
export class BillingRefused extends BillingFailure {
  override name = 'BillingRefused';
  /** The name of the reason, mostly the service's own, such as `resource_missing`. */
  readonly code: string;
  /** `unknown_price`: the server refused by itself, before it asked the service. */
  readonly alarm: 'stripe_refused' | 'unknown_price';

  constructor(message: string, { code, alarm = 'stripe_refused', ...options }: RefusalOptions) {
    super(message, options);
    this.code = code;
    this.alarm = alarm;
  }
}

interface RefusalOptions extends ErrorOptions {
  code: string;
  alarm?: BillingRefused['alarm'];
}

export interface CheckoutOrder {
  accountId: string;
  /** null for a new customer. */
  customerId: string | null;
  seats: number;
  successUrl: string;
  cancelUrl: string;
  key: string;
}

export interface Checkout {
  sessionId: string;
  url: string;
  expiresAt: string;
}

export interface PortalVisit {
  returnUrl: string | undefined;
  key: string;
}

export interface SeatOrder {
  seats: number;
  key: string;
}

export interface ServiceEvent extends BillingEvent {
  subject: EventSubject;
}

export type EventSubject =
  | ({ kind: 'checkout' } & CompletedCheckout)
  | { kind: 'subscription'; subscriptionId: string; customerId: string }
  /** A completed checkout that names two accounts, or one account only half. */
  | { kind: 'ambiguous_checkout'; sessionId: string }
  | { kind: 'other' };

export interface CompletedCheckout {
  sessionId: string;
  subscriptionId: string;
  customerId: string;
  /** The account that the checkout was begun for. */
  accountId: string;
}

/** A subscription as the payment service says that it is now. */
export interface Subscription {
  id: string;
  customerId: string;
  /** The account that its metadata names. */
  accountId: string | undefined;
  standing: 'incomplete' | 'active' | 'past_due' | 'ended';
  /** True if it can never become active again. */
  isFinal: boolean;
  /** False if it is for something else; null if only prices that no setting names could be that of the team. */
  hasTeam: boolean | null;
  /** The quantity of the seats' prices; null if only prices that no setting names could be that of a seat. */
  seats: number | null;
  unknownPrices: string[];
  /** `additional_seats` of its metadata. */
  writtenSeats: string | undefined;
  /** null if it does not renew. */
  renewsAt: string | null;
}
