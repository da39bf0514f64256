/** Opens the pages of the payment service on which a person changes the payment, or cancels. */
import { assert } from '../../shared/domain/assert.ts';
import { noStoreHeaders, successReply, type RefusedRequest, type RestReply } from '../core/reply.ts';
import { decideOnce, goOn, serviceKey, type BillingRequest } from './billing-request.ts';
import type { OpenBilling } from './open-billing.ts';

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

const notSubscribedRefusal: RefusedRequest = {
  ok: false,
  error: { code: 'not_subscribed', detail: 'The account never had a subscription. Begin one by a checkout.' },
};
