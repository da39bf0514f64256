/**
 * Finds paid checkouts whose event was lost. An account without a customer is in no list of customers, so the sweep
 * asks the payment service for all recently completed checkouts.
 */
import { StoreUnavailable } from '../store/store.ts';
import { reportFailure } from './alarms.ts';
import type { ApplyOutcome } from './apply-subscription.ts';
import { BillingFailure, type CompletedCheckout } from './billing.ts';
import type { ServerBilling } from './server-billing.ts';
import { applyCheckout, reportCheckout } from './take-event.ts';

/** Covers the day for which a page is open and the three days for which Stripe repeats an event. */
const checkoutAgeMsMax = 4 * 24 * 60 * 60 * 1000;

/**
 * The last outcome of each session id. Each sweep finds a checkout without effect again, but reports only a new
 * outcome.
 */
export type ReportedCheckouts = Map<string, ApplyOutcome>;

export interface SweepOptions {
  signal?: AbortSignal;
  reported: ReportedCheckouts;
  /** Called with each error that is no outage. The sweep goes on. */
  onBug(error: unknown): void;
}

export async function sweepCheckouts(billing: ServerBilling, options: SweepOptions): Promise<void> {
  try {
    const listed = await billing.service.completedCheckouts(billing.world.now() - checkoutAgeMsMax);
    forgetUnlisted(options.reported, listed);
    for (const completed of listed) {
      if (options.signal?.aborted) return;
      if (await wasNeverApplied(billing, completed)) await applyUnheardCheckout(billing, completed, options);
    }
  } catch (error) {
    if (!(error instanceof BillingFailure)) throw error;
    reportFailure(billing, error, {});
  }
}

/** Forgets the sessions that are no longer listed, so that the map grows no longer than the list. */
function forgetUnlisted(reported: ReportedCheckouts, listed: CompletedCheckout[]): void {
  const listedIds = new Set(listed.map(({ sessionId }) => sessionId));
  for (const sessionId of reported.keys()) if (!listedIds.has(sessionId)) reported.delete(sessionId);
}

/** Returns false for an account that this server lacks, since several servers may share one Stripe account. */
async function wasNeverApplied(
  { store }: ServerBilling,
  { accountId, subscriptionId }: CompletedCheckout,
): Promise<boolean> {
  const row = await store.billing(accountId);
  if (row) return ![row.subscription_id, row.other_subscription_id].includes(subscriptionId);
  return (await store.account(accountId)) !== undefined;
}

async function applyUnheardCheckout(
  billing: ServerBilling,
  completed: CompletedCheckout,
  { reported, onBug }: SweepOptions,
): Promise<void> {
  const { sessionId } = completed;
  try {
    // Each sweep applies the checkout again, since somebody may have corrected it at the payment service.
    const outcome = await applyCheckout(billing, completed);
    if (reported.get(sessionId) !== outcome) reportCheckout(billing, { completed, outcome });
    reported.set(sessionId, outcome);
  } catch (error) {
    if (error instanceof StoreUnavailable || error instanceof BillingFailure) throw error;
    onBug(error);
  }
}
