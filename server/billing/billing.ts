/**
 * The interface of a payment service, which `stripe/stripe.ts` implements. A server without the settings of Stripe has
 * no billing, and the operator sets plans and seats.
 *
 * Each call throws a `BillingFailure` if the service gives no result.
 */
import type { BillingEvent } from '../store/billing/billing-row.ts';

export interface PaymentService {
  provider: 'stripe';
  /**
   * Begins a checkout. A call with the same `key` returns the same checkout while it is open. `customer_deleted`: the
   * service has deleted the customer that the order names.
   */
  checkout(order: CheckoutOrder): Promise<Checkout | 'customer_deleted'>;
  /** Ends a checkout that is still open. Returns the checkout if the customer has completed it already. */
  endCheckout(sessionId: string): Promise<CompletedCheckout | undefined>;
  /** Lists the completed checkouts that began at `since` or later, in milliseconds since 1970, the newest first. */
  completedCheckouts(since: number): Promise<CompletedCheckout[]>;
  /** Returns the URL of pages on which the customer changes the subscription. */
  portal(customerId: string, visit: PortalVisit): Promise<string>;
  /** Sets the number of a subscription's additional seats, which the team price does not include. */
  changeSeats(subscriptionId: string, order: SeatOrder): Promise<void>;
  /** Returns undefined unless the service signed `raw` within the last 5 minutes. `now`: milliseconds since 1970. */
  parse(raw: Uint8Array, signature: string, now: number): PaymentServiceEvent | undefined;
  /** Returns the subscription as it is now; undefined if there is none. */
  fetch(subscriptionId: string): Promise<Subscription | undefined>;
  /** Writes `additional_seats` into the metadata of the subscription. */
  writeSeats(subscriptionId: string, seats: number): Promise<void>;
}

/** Thrown when the payment service gives no result. */
export abstract class BillingFailure extends Error {}

/** Thrown when the payment service does not answer, or fails. The request may be repeated. */
export class BillingUnavailable extends BillingFailure {
  override name = 'BillingUnavailable';
}

/**
 * Thrown when the operator must correct something first, such as a setting. Until then, each repeat is refused, too.
 */
export class BillingRefused extends BillingFailure {
  override name = 'BillingRefused';
  /** The code of the reason. It is usually a code of the payment service, such as `resource_missing`. */
  readonly code: string;
  /** `unknown_price`: the server itself refused, before it asked the service. */
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

export interface PaymentServiceEvent extends BillingEvent {
  subject: PaymentEventSubject;
}

export type PaymentEventSubject =
  | ({ kind: 'checkout' } & CompletedCheckout)
  | { kind: 'subscription'; subscriptionId: string; customerId: string }
  /** A completed checkout of this server that lacks a field, or whose two account ids differ. */
  | { kind: 'ambiguous_checkout'; sessionId: string }
  | { kind: 'other' };

export interface CompletedCheckout {
  sessionId: string;
  subscriptionId: string;
  customerId: string;
  /** The account that the checkout was begun for. */
  accountId: string;
}

/** The present state of a subscription at the payment service. */
export interface Subscription {
  id: string;
  customerId: string;
  /** The account that the subscription's metadata names. */
  accountId: string | undefined;
  standing: 'incomplete' | 'active' | 'past_due' | 'ended';
  /** True if the subscription can never become active again. */
  isFinal: boolean;
  /** Whether the subscription has the team plan; null if there is no known team price, but an unknown one may be it. */
  hasTeam: boolean | null;
  /** The number of additional seats; null if there is no known seat price, but an unknown one may be it. */
  seats: number | null;
  unknownPrices: string[];
  /** The value of `additional_seats` in the subscription's metadata. */
  writtenSeats: string | undefined;
  /** The time of the next renewal; null if the subscription does not renew. */
  renewsAt: string | null;
}
