/**
 * Begins a checkout:
 *
 *   transaction: subscribed? ─► end the checkout before ─► begin one at the payment service ─► transaction: remember it
 *
 * The payment service knows the request by its key, so a repeat after a crash returns the checkout that was begun.
 */
import { assert } from '../../shared/domain/assert.ts';
import { sha256 } from '../core/hash.ts';
import { noStoreHeaders, successReply, type RefusedRequest, type RestReply } from '../core/reply.ts';
import { randomUuid } from '../core/world.ts';
import type { CheckoutResult, NewCheckout } from '../../shared/schema/integration/billing.ts';
import { idempotentUnit, type IdempotencyKey } from '../mutate/idempotent-unit.ts';
import { withTokenCheck, type AccountToken } from '../mutate/token-check.ts';
import { emptyReadSet } from '../mutate/working-set/read-set.ts';
import type { BillingRow } from '../store/billing/billing-row.ts';
import { runBillingTransaction, type BillingSet } from './billing-transaction.ts';
import type { OpenBilling } from './open-billing.ts';

export type Requester = AccountToken & { tokenHash: string };

export interface BillingRequest {
  requester: Requester;
  idempotency: IdempotencyKey | undefined;
}

export async function beginCheckout(
  billing: OpenBilling,
  request: BillingRequest,
  { additional_seats: seats, success_url: successUrl, cancel_url: cancelUrl }: NewCheckout,
): Promise<RestReply> {
  const { accountId } = request.requester;
  const found = await decideOnce(billing, request, ({ row }) => (isSubscribed(row) ? alreadySubscribedRefusal : goOn));
  if (found.reply !== goOn) return found.reply;
  const { customer_id: customerId, session_id: before } = found.row;
  // Two open checkouts could both be paid.
  if (before !== null && !(await billing.service.expireCheckout(before))) return alreadySubscribedRefusal;
  const key = serviceKey(billing, request);
  const checkout = await billing.service.checkout({ accountId, customerId, seats, successUrl, cancelUrl, key });
  const { row: replaced, reply } = await decideOnce(billing, request, (account) => {
    if (isSubscribed(account.row)) return alreadySubscribedRefusal;
    account.put({ ...account.row, session_id: checkout.sessionId });
    const result: CheckoutResult = { url: checkout.url, expires_at: checkout.expiresAt };
    return successReply(201, result, noStoreHeaders);
  });
  if (!reply.ok) await billing.service.expireCheckout(checkout.sessionId);
  // Another request began one at the same time.
  const other = [before, checkout.sessionId].includes(replaced.session_id) ? null : replaced.session_id;
  if (reply.ok && other !== null) await billing.service.expireCheckout(other);
  return reply;
}

export async function openPortal(
  billing: OpenBilling,
  request: BillingRequest,
  returnUrl: string | undefined,
): Promise<RestReply> {
  const { reply, row } = await decideOnce(billing, request, ({ row: { customer_id } }) =>
    customer_id === null ? notSubscribedRefusal : goOn,
  );
  if (reply !== goOn) return reply;
  assert(row.customer_id !== null, 'an account without a customer was refused');
  const key = serviceKey(billing, request);
  const url = await billing.service.portal(row.customer_id, { returnUrl, key });
  return (await decideOnce(billing, request, () => successReply(200, { url }, noStoreHeaders))).reply;
}

/** Until it is final, a subscription can become active again. */
const isSubscribed = ({ subscription_id, is_final }: BillingRow): boolean => subscription_id !== null && !is_final;

/** Stands for a reply that is still to be made. It is a refusal, since the idempotency key keeps no refusals. */
const goOn: RefusedRequest = { ok: false, error: { code: 'billing_unavailable', detail: '' } };

/** Returns the reply, which is the first one to a repeated request, and the account's row before it. */
function decideOnce(
  billing: OpenBilling,
  request: BillingRequest,
  decide: (account: BillingSet) => RestReply,
): Promise<{ row: BillingRow; reply: RestReply }> {
  return runBillingTransaction(billing, keysOf(request), (set, account, now) => {
    const { row } = account;
    return { row, reply: onceWithToken(request, () => decide(account)).run(set, now) };
  });
}

const onceWithToken = ({ requester, idempotency }: BillingRequest, run: () => RestReply) =>
  withTokenCheck(requester, idempotentUnit({ idempotency, unit: { readSet: emptyReadSet(), run } }));

const keysOf = ({ requester, idempotency }: BillingRequest) => ({
  accountId: requester.accountId,
  tokenHashes: [requester.tokenHash],
  idempotencyKeys: idempotency ? [idempotency.key] : [],
});

function serviceKey({ world }: OpenBilling, { requester, idempotency }: BillingRequest): string {
  if (!idempotency) return randomUuid(world);
  return sha256(JSON.stringify([requester.accountId, idempotency.key, idempotency.fingerprint]));
}

const alreadySubscribedRefusal: RefusedRequest = {
  ok: false,
  error: {
    code: 'already_subscribed',
    detail: 'The account has a subscription. Change it on the pages of POST /api/v1/billing/portal.',
    members: { portal: true },
  },
};

const notSubscribedRefusal: RefusedRequest = {
  ok: false,
  error: { code: 'not_subscribed', detail: 'The account never had a subscription. Begin one by a checkout.' },
};
