/** Lets a request of an account take effect once, however often it is sent. */
import { sha256 } from '../core/hash.ts';
import type { RefusedRequest, RestReply } from '../core/reply.ts';
import { randomUuid } from '../core/world.ts';
import { idempotentUnit, type IdempotencyKey } from '../mutate/idempotent-unit.ts';
import { withTokenCheck, type AccountToken } from '../mutate/token-check.ts';
import { emptyReadSet } from '../mutate/working-set/read-set.ts';
import type { BillingRow } from '../store/billing/billing-row.ts';
import { runBillingTransaction, type BillingSet } from './billing-transaction.ts';
import type { OpenBilling } from './open-billing.ts';

export interface BillingRequest {
  requester: AccountToken & { tokenHash: string };
  idempotency: IdempotencyKey | undefined;
}

/** Stands for a reply that is still to be made. It is a refusal, since the idempotency key keeps no refusals. */
export const goOn: RefusedRequest = { ok: false, error: { code: 'billing_unavailable', detail: '' } };

/** Returns the reply, which is the first one to a repeated request, and the account's row before it. */
export function decideOnce(
  billing: OpenBilling,
  { requester, idempotency }: BillingRequest,
  decide: (account: BillingSet) => RestReply,
): Promise<{ row: BillingRow; reply: RestReply }> {
  const keys = {
    accountId: requester.accountId,
    tokenHashes: [requester.tokenHash],
    idempotencyKeys: idempotency ? [idempotency.key] : [],
  };
  return runBillingTransaction(billing, keys, (set, account, now) => {
    const { row } = account;
    const unit = { readSet: emptyReadSet(), run: () => decide(account) };
    return { row, reply: withTokenCheck(requester, idempotentUnit({ idempotency, unit })).run(set, now) };
  });
}

/** Returns the key by which the payment service knows the request, also after a crash. */
export function serviceKey({ world }: OpenBilling, { requester, idempotency }: BillingRequest): string {
  if (!idempotency) return randomUuid(world);
  return sha256(JSON.stringify([requester.accountId, idempotency.key, idempotency.fingerprint]));
}
