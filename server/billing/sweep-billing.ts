/**
 * Fetches each subscription that may change every 6 hours, in case an event was lost, and ends those whose payment is
 * missing for too long.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { StoreUnavailable } from '../store/store.ts';
import type { BillingRow, CustomerRow } from '../store/billing/billing-row.ts';
import { BillingUnavailable } from './billing.ts';
import { hasLapsed } from './next-billing.ts';
import type { OpenBilling } from './open-billing.ts';

const hourMs = 60 * 60 * 1000;
const fetchIntervalMs = 6 * hourMs;
const customersPerPage = 100;
/** Stripe takes 100 requests a second, of test keys 25. */
const pauseMs = 50;
/** Ends a sweep while the payment service is away. */
const failuresMax = 5;

interface SweepOptions {
  signal?: AbortSignal;
  /** Called with each error that is no outage. The sweep goes on with the next customer. */
  onBug(error: unknown): void;
}

export async function sweepBilling(billing: OpenBilling, { signal, onBug }: SweepOptions): Promise<void> {
  let after: string | undefined;
  let failures = 0;
  for (;;) {
    const page = await billing.store.customers({
      limit: customersPerPage,
      ...(after === undefined ? {} : { after }),
    });
    for (const customer of page) {
      if (signal?.aborted || failures >= failuresMax) return;
      const outcome = await sweepCustomer(billing, customer).catch((error: unknown) => {
        if (error instanceof StoreUnavailable) throw error;
        onBug(error);
        return 'not_due' as const;
      });
      if (outcome !== 'not_due') failures = outcome === 'swept' ? 0 : failures + 1;
    }
    after = page.at(-1)?.customer_id;
    if (page.length < customersPerPage) return;
  }
}

async function sweepCustomer(
  billing: OpenBilling,
  { customer_id, account_id }: CustomerRow,
): Promise<'not_due' | 'swept' | 'failed'> {
  const row = await billing.store.billing(account_id);
  const now = new Date(billing.world.now()).toISOString();
  if (row?.customer_id !== customer_id || row.subscription_id === null || !isDue(row, now)) return 'not_due';
  try {
    const outcome = await billing.apply({
      accountId: account_id,
      customerId: customer_id,
      subscriptionId: row.subscription_id,
    });
    if (outcome !== 'applied') billing.log.warn({ account_id, customer_id, outcome }, 'a subscription was not swept');
    await sleep(pauseMs);
    return 'swept';
  } catch (error) {
    if (!(error instanceof BillingUnavailable)) throw error;
    billing.log.warn({ account_id, customer_id, reason: error.message }, 'a subscription was not swept');
    return 'failed';
  }
}

/** Several processes sweep, and each finds little that the others left. */
export function isDue(row: BillingRow, now: string): boolean {
  if (row.is_final) return false;
  const isOld = row.checked_at === null || Date.parse(now) - Date.parse(row.checked_at) >= fetchIntervalMs;
  return isOld || (row.status === 'past_due' && hasLapsed(row.past_due_since, now));
}

/** Looks once an hour for what is due. The returned function ends it and resolves once no sweep is running. */
export function startBillingSweeps(billing: OpenBilling, onBug: (error: unknown) => void): () => Promise<void> {
  const stopped = new AbortController();
  let underWay = Promise.resolve();
  const timer = setInterval(() => {
    underWay = underWay.then(() => sweepBilling(billing, { signal: stopped.signal, onBug })).catch(onBug);
  }, hourMs);
  timer.unref();
  return () => {
    stopped.abort();
    clearInterval(timer);
    return underWay;
  };
}
