/**
 * The interface to a payment service, which `stripe.ts` implements. A server without its settings has no billing: the
 * operator sets plans and seats.
 */
import type { BillingEvent } from '../store/billing/billing-row.ts';

export interface Billing {
  provider: 'stripe';
  /** Begins a checkout. A repeat with the same `key` returns the same checkout. */
  checkout(order: CheckoutOrder): Promise<Checkout>;
  /** Ends a checkout that is still open. Returns false if it was completed. */
  expireCheckout(sessionId: string): Promise<boolean>;
  /** Returns the URL of pages on which the customer changes the subscription. */
  portal(customerId: string, visit: PortalVisit): Promise<string>;
  /** Returns undefined unless the text was signed by the service within the last 5 minutes. `now`: milliseconds since 1970. */
  parse(raw: Uint8Array, signature: string, now: number): ServiceEvent | undefined;
  /** Returns the subscription as it is now; undefined if there is none. */
  fetch(subscriptionId: string): Promise<Subscription | undefined>;
  /** Writes `additional_seats` into the metadata of the subscription. */
  writeSeats(subscriptionId: string, seats: number): Promise<void>;
}

/** Thrown when the payment service does not answer, or not as it should. The request may be repeated. */
export class BillingUnavailable extends Error {
  override name = 'BillingUnavailable';
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

export interface ServiceEvent extends BillingEvent {
  /** undefined if the event is about something else. */
  subject: SubscriptionRef | undefined;
}

export interface SubscriptionRef {
  subscriptionId: string;
  customerId: string;
  /** The account that a completed checkout was begun for; undefined in other events. */
  accountId?: string;
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
  /** False if it is for something else. */
  hasTeam: boolean;
  /** The quantity of the seats' price. */
  seats: number;
  /** `additional_seats` of its metadata. */
  writtenSeats: string | undefined;
  /** null if it does not renew. */
  renewsAt: string | null;
}
