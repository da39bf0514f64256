/** Makes a billing request idempotent: it takes effect once, however often it is sent. */
import { assert } from '../../shared/domain/assert.ts';
import { sha256 } from '../core/hash.ts';
import type { RefusedRequest, RestReply } from '../core/reply.ts';
import { randomUuid } from '../core/world.ts';
import { idempotentUnit, type IdempotencyKey } from '../mutate/idempotent-unit.ts';
import { withTokenCheck, type AccountWriter } from '../mutate/token-check.ts';
import { emptyReadSet } from '../mutate/working-set/read-set.ts';
import type { BillingRow } from '../store/billing/billing-row.ts';
import { runBillingTransaction, type BillingWorkingSet } from './billing-transaction.ts';
import type { ServerBilling } from './server-billing.ts';

export interface BillingRequest {
  requester: AccountWriter & { tokenHash: string };
  idempotency: IdempotencyKey | undefined;
}

/** `goes_on`: the payment service must be asked before the request gets a reply. */
export type BillingDecision = { state: 'replied'; reply: RestReply } | { state: 'goes_on' };

export const goesOnDecision: BillingDecision = { state: 'goes_on' };

export const repliedDecision = (reply: RestReply): BillingDecision => ({ state: 'replied', reply });

/** Stands in for the reply of a `goes_on` decision. The store keeps no refusals, and no client ever gets this one. */
const unstoredRefusal: RefusedRequest = { ok: false, error: { code: 'billing_unavailable', detail: '' } };

/** Returns the decision, and the row on which it is based. For a repeated request, the decision has the first reply. */
export function decideOnce(
  billing: ServerBilling,
  { requester, idempotency }: BillingRequest,
  decide: (account: BillingWorkingSet) => BillingDecision,
): Promise<BillingDecision & { row: BillingRow }> {
  const keys = {
    accountId: requester.accountId,
    tokenHashes: [requester.tokenHash],
    idempotencyKeys: idempotency ? [idempotency.key] : [],
  };
  return runBillingTransaction(billing, keys, (set, account, now) => {
    const { row } = account;
    let decided: BillingDecision | undefined;
    const run = () => {
      decided = decide(account);
      return decided.state === 'replied' ? decided.reply : unstoredRefusal;
    };
    const unit = idempotentUnit({ idempotency, unit: { readSet: emptyReadSet(), run } });
    // `run` is not called for a repeated request or a revoked token, which leaves `decided` undefined.
    const reply = withTokenCheck(requester, unit).run(set, now);
    return { row, ...(decided?.state === 'goes_on' ? goesOnDecision : repliedDecision(reply)) };
  });
}

/** Decides a request that no longer needs the payment service. */
export async function replyOnce(
  billing: ServerBilling,
  request: BillingRequest,
  decide: (account: BillingWorkingSet) => RestReply,
): Promise<RestReply> {
  const decided = await decideOnce(billing, request, (account) => repliedDecision(decide(account)));
  assert(decided.state === 'replied', 'the decision is a reply');
  return decided.reply;
}

/** Returns the idempotency key for the payment service. A repeated request has the same key, even after a crash. */
export function paymentIdempotencyKeyOf({ world }: ServerBilling, { requester, idempotency }: BillingRequest): string {
  if (!idempotency) return randomUuid(world);
  return sha256(JSON.stringify([requester.accountId, idempotency.key, idempotency.fingerprint]));
}
