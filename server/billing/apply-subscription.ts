/**
 * Asks the payment service what a subscription is now, and writes it:
 *
 *   read the account's row ─► fetch ─► transaction: is the row as it was read? ─ yes ─► write ─► metadata
 *          ▲                                              │ no
 *          └──────────────────────────────────────────────┘
 *
 * Each write raises the row's revision, so an answer never overwrites one that was asked for later, in any process.
 */
import { createKeyedMutex } from '../core/keyed-mutex.ts';
import { noBilling, type BillingEvent, type BillingRow } from '../store/billing/billing-row.ts';
import { BillingUnavailable, type Subscription } from './billing.ts';
import { runBillingTransaction } from './billing-transaction.ts';
import { nextBilling } from './next-billing.ts';
import { billingActor, type BillingServices } from './billing-services.ts';

/** Other processes apply events of the same account at the same time only now and then. */
const triesMax = 5;

/** `foreign`: the subscription belongs to another customer or account. `unbound`: no completed checkout is known yet. */
export type ApplyOutcome = 'applied' | 'unknown' | 'unbound' | 'foreign' | 'second_subscription';

interface SubscriptionOfAccount {
  accountId: string;
  customerId: string;
  subscriptionId: string;
  /** True for a completed checkout, which may give the account its customer. */
  mayBind?: boolean;
  event?: BillingEvent | undefined;
}

type Applied = { outcome: ApplyOutcome } | 'overtaken';

export type ApplySubscription = (subject: SubscriptionOfAccount) => Promise<ApplyOutcome>;

export function createApplySubscription(services: BillingServices): ApplySubscription {
  const inTurn = createKeyedMutex();
  return (subject) => inTurn(subject.accountId, () => applyUntilWritten(services, subject));
}

async function applyUntilWritten(services: BillingServices, subject: SubscriptionOfAccount): Promise<ApplyOutcome> {
  for (let tries = 0; tries < triesMax; tries++) {
    const applied = await tryToApply(services, subject);
    if (applied !== 'overtaken') return applied.outcome;
  }
  throw new BillingUnavailable('Other processes wrote each time while the subscription was fetched');
}

async function tryToApply(services: BillingServices, subject: SubscriptionOfAccount): Promise<Applied> {
  const { store, service } = services;
  const { accountId, customerId, mayBind = false, event } = subject;
  const before = (await store.billing(accountId)) ?? noBilling;
  const current = before.subscription_id;
  if (current !== null && current !== subject.subscriptionId && !before.is_final) {
    return applyBesideAnother(services, subject, { ...before, subscription_id: current });
  }
  const subscription = await service.fetch(subject.subscriptionId);
  if (!subscription) return { outcome: 'unknown' };
  const refused = refusalOf(before, subscription, { accountId, customerId, mayBind });
  if (refused) return { outcome: refused };
  // Before the account's row, which decides: a crash in between leaves a customer that no account has.
  if (mayBind && (await store.claimCustomer(customerId, accountId)) !== accountId) return { outcome: 'foreign' };
  const row = await runBillingTransaction(services, { accountId }, (set, account, now) => {
    if (account.row.revision !== before.revision) return undefined;
    set.events.actor = billingActor;
    const next = nextBilling(account.row, subscription, { event, now });
    account.put(next.row);
    if (next.account) account.credentials.changeAccount(next.account);
    return next.row;
  });
  if (!row) return 'overtaken';
  // After the commit: the next event or the sweep repeats it after a crash.
  if (!row.is_final && subscription.writtenSeats !== String(subscription.seats)) {
    await service.writeSeats(subscription.id, subscription.seats);
  }
  return { outcome: 'applied' };
}

function refusalOf(
  before: BillingRow,
  subscription: Subscription,
  { accountId, customerId, mayBind }: { accountId: string; customerId: string; mayBind: boolean },
): ApplyOutcome | undefined {
  if (subscription.customerId !== customerId) return 'foreign';
  if (before.customer_id !== null && before.customer_id !== customerId) return 'foreign';
  if (subscription.accountId !== undefined && subscription.accountId !== accountId) return 'foreign';
  if (before.customer_id === null && !mayBind) return 'unbound';
  return subscription.hasTeam || before.subscription_id === subscription.id ? undefined : 'unknown';
}

/** Looks first whether the account's subscription is over by now. While it is not, another one changes nothing. */
async function applyBesideAnother(
  services: BillingServices,
  subject: SubscriptionOfAccount,
  before: BillingRow & { subscription_id: string },
): Promise<Applied> {
  const { accountId } = subject;
  if (before.customer_id !== subject.customerId) return { outcome: 'foreign' };
  const current = { accountId, customerId: subject.customerId, subscriptionId: before.subscription_id };
  await applyUntilWritten(services, current);
  const after = await services.store.billing(accountId);
  return after?.is_final ? 'overtaken' : { outcome: 'second_subscription' };
}
