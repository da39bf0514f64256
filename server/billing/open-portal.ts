/** Opens the pages of the payment service on which a person changes the payment, or cancels. */
import { assert } from '../../shared/domain/assert.ts';
import { uncachedHeaders, successReply, type RefusedRequest, type RestReply } from '../core/reply.ts';
import {
  decideOnce,
  goesOnDecision,
  repliedDecision,
  replyOnce,
  paymentIdempotencyKeyOf,
  type BillingRequest,
} from './billing-request.ts';
import type { ServerBilling } from './server-billing.ts';

export async function openPortal(
  billing: ServerBilling,
  request: BillingRequest,
  returnUrl: string | undefined,
): Promise<RestReply> {
  const { row, ...decided } = await decideOnce(billing, request, ({ row: { customer_id } }) =>
    customer_id === null ? repliedDecision(notSubscribedRefusal) : goesOnDecision,
  );
  if (decided.state === 'replied') return decided.reply;
  assert(row.customer_id !== null, 'an account without a customer was refused');
  const key = paymentIdempotencyKeyOf(billing, request);
  const url = await billing.service.portal(row.customer_id, { returnUrl, key });
  return replyOnce(billing, request, () => successReply(200, { url }, uncachedHeaders));
}

const notSubscribedRefusal: RefusedRequest = {
  ok: false,
  error: { code: 'not_subscribed', detail: 'The account never had a subscription. Begin one by a checkout.' },
};
