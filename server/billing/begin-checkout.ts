/**
 * Begins a checkout. A loop repeats one transaction, which decides by the account's row what comes next:
 *
 *   the account is subscribed ─────────────► reply with a refusal
 *   another checkout's page may be open ───► end that checkout, or apply it if it was paid, and repeat
 *   no checkout was begun for the customer ► begin a checkout at the payment service, and repeat
 *   otherwise ─────────────────────────────► store the begun checkout's session, and reply with its URL
 *
 * Nobody sees the URL of a checkout before the row stores its session as the only one, so nobody has two open pages.
 * The payment service recognizes a request by its key, so a repeat after a crash returns the same checkout.
 */
import { uncachedHeaders, successReply, type RefusedRequest, type RestReply } from '../core/reply.ts';
import type { CheckoutResult, NewCheckout } from '../../shared/schema/integration/billing.ts';
import type { BillingRow } from '../store/billing/billing-row.ts';
import { BillingFailure, BillingUnavailable, type Checkout } from './billing.ts';
import {
  decideOnce,
  goesOnDecision,
  repliedDecision,
  paymentIdempotencyKeyOf,
  type BillingRequest,
} from './billing-request.ts';
import { runBillingTransaction } from './billing-transaction.ts';
import type { ServerBilling } from './server-billing.ts';
import { takeCheckout } from './take-event.ts';

/** Limits the loop. It takes many turns only while other requests of the account begin checkouts, too. */
const turnsMax = 20;

export async function beginCheckout(
  billing: ServerBilling,
  request: BillingRequest,
  { additional_seats: seats, success_url: successUrl, cancel_url: cancelUrl }: NewCheckout,
): Promise<RestReply> {
  const { accountId } = request.requester;
  const key = paymentIdempotencyKeyOf(billing, request);
  const endedSessions = new Set<string | null>([null]);
  let begun: (Checkout & { customerId: string | null }) | undefined;
  for (let turns = 0; turns < turnsMax; turns++) {
    const { row, ...decided } = await decideOnce(billing, request, (account) => {
      const { customer_id, session_id } = account.row;
      if (isSubscribed(account.row)) return repliedDecision(alreadySubscribedRefusal);
      // A checkout that was begun without this customer would create a second customer.
      if (!endedSessions.has(session_id) || begun?.customerId !== customer_id) return goesOnDecision;
      account.put({ ...account.row, session_id: begun.sessionId });
      const result: CheckoutResult = { url: begun.url, expires_at: begun.expiresAt };
      return repliedDecision(successReply(201, result, uncachedHeaders));
    });
    if (decided.state === 'replied') {
      if (begun && !decided.reply.ok) await endUnseenCheckout(billing, begun);
      return decided.reply;
    }
    const { customer_id: customerId, session_id: other } = row;
    if (other !== null && !endedSessions.has(other)) {
      await endOtherCheckout(billing, other);
      endedSessions.add(other);
    } else {
      if (begun) await endUnseenCheckout(billing, begun);
      begun = undefined;
      const order = { accountId, customerId, seats, successUrl, cancelUrl, key };
      const checkout = await billing.service.checkout(order);
      if (checkout === 'customer_deleted') {
        await forgetCustomer(billing, { accountId, customerId });
      } else {
        begun = { ...checkout, customerId };
        endedSessions.add(checkout.sessionId);
      }
    }
  }
  throw new BillingUnavailable('Other requests began checkouts all the time');
}

/** Forgets a deleted customer, whose subscriptions have ended for good, so that the next checkout creates a new one. */
async function forgetCustomer(
  billing: ServerBilling,
  { accountId, customerId }: { accountId: string; customerId: string | null },
): Promise<void> {
  const isForgotten = await runBillingTransaction(billing, { accountId }, (_set, account) => {
    const { row } = account;
    // Meanwhile another request may have forgotten the customer, or a completed checkout may have set a new one.
    if (row.customer_id !== customerId || isSubscribed(row)) return false;
    account.put({ ...row, customer_id: null, other_subscription_id: null });
    return true;
  });
  if (isForgotten)
    billing.log.warn({ account_id: accountId, customer_id: customerId }, 'a deleted customer is forgotten');
}

/**
 * Ends the checkout of a page that may be open. Applies a checkout that was paid already, in case its event was lost.
 */
async function endOtherCheckout(billing: ServerBilling, sessionId: string): Promise<void> {
  const completed = await billing.service.endCheckout(sessionId);
  if (completed) await takeCheckout(billing, completed);
}

/** Ends a checkout whose URL nobody saw. A failure is harmless, since nobody can open the page. */
async function endUnseenCheckout({ service, log }: ServerBilling, { sessionId }: Checkout): Promise<void> {
  await service.endCheckout(sessionId).catch((error: unknown) => {
    if (!(error instanceof BillingFailure)) throw error;
    log.warn({ session_id: sessionId, reason: error.message }, 'a checkout that nobody saw was not ended');
  });
}

/** A subscription counts until it is final, since it can become active again. */
const isSubscribed = ({ subscription_id, is_final }: BillingRow): boolean => subscription_id !== null && !is_final;

const alreadySubscribedRefusal: RefusedRequest = {
  ok: false,
  error: {
    code: 'already_subscribed',
    detail: 'The account has a subscription. Change its seats with PATCH /api/v1/billing, and the rest on its pages.',
    members: { portal: true },
  },
};
