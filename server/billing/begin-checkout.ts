/**
 * Begins a checkout:
 *
 *   transaction: subscribed, or may another page be open? ─ no ─► begin it at the payment service ─► the same transaction
 *          ▲                  │ yes                                                                       │ no
 *          └─ apply or forget ┴─ end the other one                                            reply ◄─────┘
 *
 * Nobody sees the URL before the transaction makes the session the account's only one, so that no two open pages are known
 * to people. The payment service knows the request by its key, so a repeat after a crash returns the checkout that was begun.
 */
import { noStoreHeaders, successReply, type RefusedRequest, type RestReply } from '../core/reply.ts';
import type { CheckoutResult, NewCheckout } from '../../shared/schema/integration/billing.ts';
import type { BillingRow } from '../store/billing/billing-row.ts';
import { BillingFailure, BillingUnavailable, type Checkout } from './billing.ts';
import { decideOnce, goOn, serviceKey, type BillingRequest } from './billing-request.ts';
import type { OpenBilling } from './open-billing.ts';
import { takeCheckout } from './take-event.ts';

/** Each further step is for a checkout that another request began in the meantime. */
const stepsMax = 20;

export async function beginCheckout(
  billing: OpenBilling,
  request: BillingRequest,
  { additional_seats: seats, success_url: successUrl, cancel_url: cancelUrl }: NewCheckout,
): Promise<RestReply> {
  const { accountId } = request.requester;
  const key = serviceKey(billing, request);
  const endedSessions = new Set<string | null>([null]);
  let begun: (Checkout & { customerId: string | null }) | undefined;
  for (let steps = 0; steps < stepsMax; steps++) {
    const { row, reply } = await decideOnce(billing, request, (account) => {
      const { customer_id, session_id } = account.row;
      if (isSubscribed(account.row)) return alreadySubscribedRefusal;
      // A checkout of no customer would make a second one.
      if (!endedSessions.has(session_id) || begun?.customerId !== customer_id) return goOn;
      account.put({ ...account.row, session_id: begun.sessionId });
      const result: CheckoutResult = { url: begun.url, expires_at: begun.expiresAt };
      return successReply(201, result, noStoreHeaders);
    });
    if (reply.ok) return reply;
    if (reply !== goOn) {
      if (begun) await endUnseen(billing, begun);
      return reply;
    }
    const { customer_id: customerId, session_id: other } = row;
    if (other !== null && !endedSessions.has(other)) {
      await endOther(billing, other);
      endedSessions.add(other);
    } else {
      if (begun) await endUnseen(billing, begun);
      const order = { accountId, customerId, seats, successUrl, cancelUrl, key };
      begun = { ...(await billing.service.checkout(order)), customerId };
      endedSessions.add(begun.sessionId);
    }
  }
  throw new BillingUnavailable('Other requests began checkouts all the time');
}

/** Ends a page that may be open. One that was paid counts, even if its event was never heard. */
async function endOther(billing: OpenBilling, sessionId: string): Promise<void> {
  const completed = await billing.service.endCheckout(sessionId);
  if (completed) await takeCheckout(billing, completed);
}

/** Its URL was never shown, so a page that stays open is harmless. */
async function endUnseen({ service, log }: OpenBilling, { sessionId }: Checkout): Promise<void> {
  await service.endCheckout(sessionId).catch((error: unknown) => {
    if (!(error instanceof BillingFailure)) throw error;
    log.warn({ session_id: sessionId, reason: error.message }, 'a checkout that nobody saw was not ended');
  });
}

/** Until it is final, a subscription can become active again. */
const isSubscribed = ({ subscription_id, is_final }: BillingRow): boolean => subscription_id !== null && !is_final;

const alreadySubscribedRefusal: RefusedRequest = {
  ok: false,
  error: {
    code: 'already_subscribed',
    detail: 'The account has a subscription. Change its seats with PATCH /api/v1/billing, and the rest on its pages.',
    members: { portal: true },
  },
};
