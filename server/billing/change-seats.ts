/**
 * Changes the seats of a subscription, since Stripe's pages cannot change a subscription with several prices:
 *
 *   subscribed? ─► set the quantity at the payment service ─► apply what it says now ─► transaction: reply
 *
 * The quantity is set and never counted up, so a repeat after a crash leads to the same seats.
 */
import { assert } from '../../shared/domain/assert.ts';
import { successReply, type RefusedRequest, type RestReply } from '../core/reply.ts';
import type { BillingRow } from '../store/billing/billing-row.ts';
import { overviewOf } from './billing-overview.ts';
import {
  decideOnce,
  goesOnDecision,
  repliedDecision,
  replyOnce,
  paymentIdempotencyKeyOf,
  type BillingRequest,
} from './billing-request.ts';
import type { ServerBilling } from './server-billing.ts';

export async function changeSeats(billing: ServerBilling, request: BillingRequest, seats: number): Promise<RestReply> {
  const { accountId } = request.requester;
  const { row: before, ...decided } = await decideOnce(billing, request, ({ row }) =>
    subscriptionOf(row) ? goesOnDecision : repliedDecision(inactiveRefusal),
  );
  if (decided.state === 'replied') return decided.reply;
  const subscription = subscriptionOf(before);
  assert(subscription, 'an account without a subscription was refused');
  await billing.service.changeSeats(subscription.subscriptionId, {
    seats,
    key: paymentIdempotencyKeyOf(billing, request),
  });
  await billing.apply({ accountId, ...subscription, isRequested: true });
  return replyOnce(billing, request, (account) =>
    subscriptionOf(account.row) ? successReply(200, overviewOf(billing, account)) : inactiveRefusal,
  );
}

/** Returns undefined unless the account has an active or past-due subscription. */
function subscriptionOf({ status, customer_id, subscription_id }: BillingRow) {
  const isPaid = status === 'active' || status === 'past_due';
  if (!isPaid || customer_id === null || subscription_id === null) return undefined;
  return { customerId: customer_id, subscriptionId: subscription_id };
}

const inactiveRefusal: RefusedRequest = {
  ok: false,
  error: { code: 'not_subscribed', detail: 'The account has no active subscription whose seats could change.' },
};
