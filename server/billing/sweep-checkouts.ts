/**
 * Finds checkouts that were paid and never heard of. An account without a customer is in no list of customers, so the
 * payment service is asked for its completed checkouts.
 */
import { StoreUnavailable } from '../store/store.ts';
import { reportFailure } from './alarms.ts';
import { BillingFailure, type CompletedCheckout } from './billing.ts';
import type { OpenBilling } from './open-billing.ts';
import { takeCheckout } from './take-event.ts';

/** A page is open for a day, and Stripe repeats an event for three. */
const begunMsMax = 4 * 24 * 60 * 60 * 1000;

export async function sweepCheckouts(
  billing: OpenBilling,
  { signal, onBug }: { signal?: AbortSignal; onBug(error: unknown): void },
): Promise<void> {
  try {
    for (const completed of await billing.service.completedCheckouts(billing.world.now() - begunMsMax)) {
      if (signal?.aborted) return;
      if (await isUnheard(billing, completed)) await takeOne(billing, completed, onBug);
    }
  } catch (error) {
    if (!(error instanceof BillingFailure)) throw error;
    reportFailure(billing, error, {});
  }
}

/** Several servers may share one account at Stripe, so that an account which is unknown here is none to tell of. */
async function isUnheard({ store }: OpenBilling, { accountId, subscriptionId }: CompletedCheckout): Promise<boolean> {
  const row = await store.billing(accountId);
  if (row) return ![row.subscription_id, row.other_subscription_id].includes(subscriptionId);
  return (await store.account(accountId)) !== undefined;
}

async function takeOne(
  billing: OpenBilling,
  completed: CompletedCheckout,
  onBug: (error: unknown) => void,
): Promise<void> {
  try {
    await takeCheckout(billing, completed);
  } catch (error) {
    if (error instanceof StoreUnavailable || error instanceof BillingFailure) throw error;
    onBug(error);
  }
}
