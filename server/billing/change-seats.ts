/**
 * Changes the seats of a subscription, since the pages of Stripe may not change subscriptions of several prices:
 *
 *   subscribed? ─► set the quantity at the payment service ─► apply what it says now ─► transaction: reply
 *
 * The quantity is set and never counted up, so a repeat after a crash leads to the same seats.
 */
import { successReply, type RefusedRequest, type RestReply } from '../core/reply.ts';
import type { BillingRow } from '../store/billing/billing-row.ts';
import { overviewOf } from './billing-overview.ts';
import { decideOnce, goOn, serviceKey, type BillingRequest } from './billing-request.ts';
import type { OpenBilling } from './open-billing.ts';

export async function changeSeats(billing: OpenBilling, request: BillingRequest, seats: number): Promise<RestReply> {
  const { accountId } = request.requester;
  const found = await decideOnce(billing, request, ({ row }) => (subscriptionOf(row) ? goOn : inactiveRefusal));
  const subscription = subscriptionOf(found.row);
  if (found.reply !== goOn || !subscription) return found.reply;
  await billing.service.changeSeats(subscription.subscriptionId, { seats, key: serviceKey(billing, request) });
  await billing.apply({ accountId, ...subscription, isRequested: true });
  const { reply } = await decideOnce(billing, request, (account) =>
    subscriptionOf(account.row) ? successReply(200, overviewOf(billing, account)) : inactiveRefusal,
  );
  return reply;
}

/** Returns undefined unless the account has what its subscription is for. */
function subscriptionOf({ status, customer_id, subscription_id }: BillingRow) {
  const isPaid = status === 'active' || status === 'past_due';
  if (!isPaid || customer_id === null || subscription_id === null) return undefined;
  return { customerId: customer_id, subscriptionId: subscription_id };
}

const inactiveRefusal: RefusedRequest = {
  ok: false,
  error: { code: 'not_subscribed', detail: 'The account has no active subscription whose seats could change.' },
};
