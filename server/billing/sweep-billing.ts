/**
 * Fetches each subscription that may still change, every 6 hours, in case an event was lost. Ends the subscriptions
 * whose payment is missing for too long.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { startPeriodicWork } from '../core/periodic-work.ts';
import { isoNow } from '../core/world.ts';
import { StoreUnavailable } from '../store/store.ts';
import type { BillingRow, CustomerRow } from '../store/billing/billing-row.ts';
import { reportFailure } from './alarms.ts';
import { BillingFailure } from './billing.ts';
import { runBillingTransaction } from './billing-transaction.ts';
import { hasLapsed } from './next-billing.ts';
import type { ServerBilling } from './server-billing.ts';
import { sweepCheckouts, type ReportedCheckouts, type SweepOptions } from './sweep-checkouts.ts';

const hourMs = 60 * 60 * 1000;
const subscriptionFetchIntervalMs = 6 * hourMs;
const customersPerPage = 100;
/** Keeps the requests below the limits of Stripe: 100 a second, and 25 a second with a test key. */
const pauseAfterFetchMs = 50;
/** A sweep ends after this many failures in a row, since the payment service is down. */
const failuresInRowMax = 5;

export async function sweepBilling(billing: ServerBilling, options: SweepOptions): Promise<void> {
  const isDown = await sweepCustomers(billing, options);
  if (!isDown && !options.signal?.aborted) await sweepCheckouts(billing, options);
}

/** Returns true if the payment service is down. */
async function sweepCustomers(billing: ServerBilling, { signal, onBug }: SweepOptions): Promise<boolean> {
  let after: string | undefined;
  let failures = 0;
  for (;;) {
    const page = await billing.store.customers({
      limit: customersPerPage,
      ...(after === undefined ? {} : { after }),
    });
    for (const customer of page) {
      if (signal?.aborted) return false;
      if (failures >= failuresInRowMax) return true;
      const outcome = await sweepCustomer(billing, customer).catch((error: unknown) => {
        if (error instanceof StoreUnavailable) throw error;
        onBug(error);
        return 'not_due' as const;
      });
      if (outcome !== 'not_due') failures = outcome === 'swept' ? 0 : failures + 1;
    }
    after = page.at(-1)?.customer_id;
    if (page.length < customersPerPage) return failures >= failuresInRowMax;
  }
}

async function sweepCustomer(
  billing: ServerBilling,
  { customer_id, account_id }: CustomerRow,
): Promise<'not_due' | 'swept' | 'failed'> {
  const row = await billing.store.billing(account_id);
  const now = isoNow(billing.world);
  if (row?.customer_id !== customer_id || row.subscription_id === null || !isFetchDue(row, now)) return 'not_due';
  const ids = { account_id, customer_id, subscription_id: row.subscription_id };
  try {
    const outcome = await billing.apply({
      accountId: account_id,
      customerId: customer_id,
      subscriptionId: row.subscription_id,
    });
    if (outcome !== 'applied') {
      billing.log.warn({ ...ids, outcome }, 'a subscription was not swept');
      await markChecked(billing, account_id);
    }
    await sleep(pauseAfterFetchMs);
    return 'swept';
  } catch (error) {
    if (!(error instanceof BillingFailure)) throw error;
    reportFailure(billing, error, ids);
    return 'failed';
  }
}

/** Marks a subscription that cannot be applied as checked, so that not every sweep fetches it again. */
async function markChecked(billing: ServerBilling, accountId: string): Promise<void> {
  await runBillingTransaction(billing, { accountId }, (_set, account, now) =>
    account.put({ ...account.row, checked_at: now }),
  );
}

/**
 * Returns true if a sweep should fetch the subscription. All server processes share `checked_at`, so only one process
 * fetches the subscription.
 */
export function isFetchDue(row: BillingRow, now: string): boolean {
  // A final subscription cannot change. Fetch it again only if the account has another subscription: a crash may have
  // kept the other subscription from replacing the final one.
  if (row.is_final && row.other_subscription_id === null) return false;
  const { checked_at, past_due_since } = row;
  if (checked_at === null || Date.parse(now) - Date.parse(checked_at) >= subscriptionFetchIntervalMs) return true;
  return hasLapsed(past_due_since, now) && !hasLapsed(past_due_since, checked_at);
}

/**
 * Sweeps an hour after the start and an hour after each sweep. Returns a function that ends the sweeps and resolves
 * once none is running.
 */
export function startBillingSweeps(billing: ServerBilling, onBug: (error: unknown) => void): () => Promise<void> {
  const reported: ReportedCheckouts = new Map();
  const work = (signal: AbortSignal) => sweepBilling(billing, { signal, reported, onBug });
  return startPeriodicWork({ work, firstMs: hourMs, pauseMs: hourMs, onBug }).stop;
}
