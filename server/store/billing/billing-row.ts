/**
 * The billing of an account, as the payment service last reported it, and the account of each customer of the service.
 */

export interface BillingRow {
  /**
   * Grows with each write of the subscription that the payment service reported. A request reads the revision before
   * and after the request asks the service, and thus notices a write by another request.
   */
  revision: number;
  /** null before the first completed checkout, and after the payment service reported that the customer was deleted. */
  customer_id: string | null;
  /** The checkout session whose page may still be open, or whose payment the server may not know yet. */
  session_id: string | null;
  subscription_id: string | null;
  /**
   * Another subscription that the customer pays for. Once the subscription in `subscription_id` is over, this other
   * subscription replaces it.
   */
  other_subscription_id: string | null;
  /** `none`: there is no subscription, or its first payment is under way. */
  status: 'none' | 'active' | 'past_due' | 'ended';
  /** True if the subscription can never become active again. */
  is_final: boolean;
  seats: number;
  /** When the subscription renews. null if the subscription does not renew. */
  renews_at: string | null;
  /** When the server first saw that a payment was missing. null while all payments are made. */
  past_due_since: string | null;
  checked_at: string | null;
  /** The newest events of the payment service that were applied, in ascending order. */
  events: BillingEvent[];
}

/** Identifies an event of the payment service. */
export interface BillingEvent {
  /** Seconds since 1970. */
  created: number;
  id: string;
}

export const emptyBillingRow: BillingRow = {
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
  /** Stores the account of a customer, unless the customer has one already. Returns the account of the customer. */
  claimCustomer(customerId: string, accountId: string): Promise<string>;
  /**
   * Returns the account of a customer. Only the account's billing row says whether the account accepted the customer.
   */
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

/** Fills in the fields that a row of an earlier version of the server lacks. */
export function parseBilling({ record }: BillingColumns): BillingRow {
  return { ...emptyBillingRow, ...JSON.parse(record) };
}
