/** The billing of an account, as the payment service said last, and the accounts of its customers. */

export interface BillingRow {
  /** Grows with each answer of the payment service that is written, so that an answer asked for before another is noticed. */
  revision: number;
  /** null until the first checkout is completed, and once the customer was found to be deleted at the payment service. */
  customer_id: string | null;
  /** The one checkout whose page may still be open, or may have been paid unheard. */
  session_id: string | null;
  subscription_id: string | null;
  /** Another subscription that the customer pays for, which counts once the first one is over. */
  other_subscription_id: string | null;
  /** `none`: there is no subscription, or its first payment is under way. */
  status: 'none' | 'active' | 'past_due' | 'ended';
  /** True if the subscription can never become active again. */
  is_final: boolean;
  seats: number;
  /** null if it does not renew. */
  renews_at: string | null;
  /** When a payment was first seen to be missing; null while all are paid. */
  past_due_since: string | null;
  checked_at: string | null;
  /** The newest events that were applied, in ascending order. */
  events: BillingEvent[];
}

/** Names an event of the payment service. */
export interface BillingEvent {
  /** Seconds since 1970. */
  created: number;
  id: string;
}

export const noBilling: BillingRow = {
  revision: 0,
  customer_id: null,
  session_id: null,
  subscription_id: null,
  other_subscription_id: null,
  status: 'none',
  is_final: false,
  seats: 0,
  renews_at: null,
  past_due_since: null,
  checked_at: null,
  events: [],
};

export interface BillingStore {
  billing(accountId: string): Promise<BillingRow | undefined>;
  /** Notes whose customer this is, unless that is known. Returns the customer's account. */
  claimCustomer(customerId: string, accountId: string): Promise<string>;
  /** Returns the account of a customer. Only the account's own row says whether the customer was accepted. */
  customerAccount(customerId: string): Promise<string | undefined>;
  /** Lists customers in ascending order of their ids, starting after `after`. */
  customers(query: { after?: string; limit: number }): Promise<CustomerRow[]>;
}

export interface CustomerRow {
  customer_id: string;
  account_id: string;
}

export interface BillingColumns {
  record: string;
}

/** Rows of an earlier version lack the fields that came later. */
export function parseBilling({ record }: BillingColumns): BillingRow {
  return { ...noBilling, ...JSON.parse(record) };
}
