/**
 * Fetches the current subscription from the payment service, and writes it to the account's row of billing:
 *
 *   read the account's row ─► fetch ─► transaction: is the row as it was read? ─ yes ─► write ─► metadata
 *          ▲                                              │ no
 *          └──────────────────────────────────────────────┘
 *
 * Each write of a fetched subscription raises the row's revision. A process that read the row before this write sees the
 * new revision, and starts again: its fetched answer may be older than the written answer.
 */
import { createKeyedMutex } from '../core/keyed-mutex.ts';
import { emptyBillingRow, type BillingRow } from '../store/billing/billing-row.ts';
import { raiseAlarm } from './alarms.ts';
import { BillingFailure, BillingUnavailable, type Subscription } from './billing.ts';
import { billingActor, type BillingServices } from './billing-services.ts';
import { runBillingTransaction, type BillingWorkingSet } from './billing-transaction.ts';
import { hasUnclearPrices, nextBilling, withoutCheckout, type BillingCause } from './next-billing.ts';

/** Limits the attempts to write the account's row. Other processes rarely write the same row at the same time. */
const applyAttemptsMax = 5;

/**
 * `foreign`: the subscription belongs to another customer or account. `unbound`: the account has no customer yet.
 * `over`: a subscription other than the account's own has ended. `second_subscription`: the account already has one.
 */
export type ApplyOutcome = 'applied' | 'unknown' | 'unbound' | 'foreign' | 'over' | 'second_subscription';

/** `sessionId` names a completed checkout. Only a completed checkout can give the account its customer. */
interface SubscriptionOfAccount extends BillingCause {
  accountId: string;
  customerId: string;
  subscriptionId: string;
}

type ApplyAttemptResult = { outcome: ApplyOutcome; successorId?: string | null } | 'overtaken';

export type ApplySubscription = (subject: SubscriptionOfAccount) => Promise<ApplyOutcome>;

export function createSubscriptionApplier(services: BillingServices): ApplySubscription {
  const inTurn = createKeyedMutex();
  return (subject) => inTurn(subject.accountId, () => applyUntilWritten(services, subject));
}

async function applyUntilWritten(services: BillingServices, subject: SubscriptionOfAccount): Promise<ApplyOutcome> {
  for (let attempts = 0; attempts < applyAttemptsMax; attempts++) {
    const applied = await applyOnce(services, subject);
    if (applied === 'overtaken') continue;
    const { outcome, successorId } = applied;
    if (successorId) {
      const { accountId, customerId } = subject;
      await applyUntilWritten(services, { accountId, customerId, subscriptionId: successorId });
    }
    return outcome;
  }
  throw new BillingUnavailable('Other processes wrote each time while the subscription was fetched');
}

async function applyOnce(services: BillingServices, subject: SubscriptionOfAccount): Promise<ApplyAttemptResult> {
  const { store, service } = services;
  const { accountId, customerId, subscriptionId, sessionId, event, isRequested } = subject;
  const before = (await store.billing(accountId)) ?? emptyBillingRow;
  const subscription = await service.fetch(subscriptionId);
  if (!subscription) return { outcome: 'unknown' };
  const refused = outcomeIfRefused(before, subscription, subject);
  if (refused) return { outcome: refused };
  if (before.subscription_id !== null && before.subscription_id !== subscriptionId) {
    const outcome = await settleSecondSubscription(services, subject, {
      currentId: before.subscription_id,
      before,
      subscription,
    });
    if (outcome !== 'successor') return outcome;
  }
  // Claim the customer before the account's row is written. Only the row counts, so a crash in between does no harm.
  const isCompleted = sessionId !== undefined;
  if (isCompleted && (await store.claimCustomer(customerId, accountId)) !== accountId) return { outcome: 'foreign' };
  const row = await runBillingTransaction(services, { accountId }, (set, account, now) => {
    if (account.row.revision !== before.revision) return undefined;
    set.events.actor = billingActor;
    const next = nextBilling(account.row, subscription, { event, sessionId, isRequested, now });
    account.put(next.row);
    if (next.account) account.credentials.changeAccount(next.account);
    return next.row;
  });
  if (!row) return 'overtaken';
  if (hasUnclearPrices(subscription) && subscription.standing !== 'ended') {
    const line = { account_id: accountId, subscription_id: subscriptionId, prices: subscription.unknownPrices };
    raiseAlarm(services, 'unknown_price', line);
  }
  if (!row.is_final) await writeMetadata(services, subject, subscription);
  return { outcome: 'applied', successorId: row.is_final ? row.other_subscription_id : null };
}

function outcomeIfRefused(
  before: BillingRow,
  subscription: Subscription,
  { accountId, customerId, sessionId }: SubscriptionOfAccount,
): ApplyOutcome | undefined {
  const isCompleted = sessionId !== undefined;
  if (subscription.customerId !== customerId) return 'foreign';
  if (before.customer_id !== null && before.customer_id !== customerId) return 'foreign';
  if (subscription.accountId !== undefined && subscription.accountId !== accountId) return 'foreign';
  if (before.customer_id === null && !isCompleted) return 'unbound';
  if (before.subscription_id === subscription.id || subscription.hasTeam) return undefined;
  // This server's checkouts sell only the team plan, so an unknown price was in the settings once.
  return subscription.hasTeam === null && isCompleted ? undefined : 'unknown';
}

interface SecondSubscription {
  /** The id of the account's own subscription. */
  currentId: string;
  before: BillingRow;
  /** The other subscription, which the payment service named. */
  subscription: Subscription;
}

/**
 * Decides about a subscription other than the account's own. The other subscription replaces the account's own if only
 * the account's own has ended for good.
 */
async function settleSecondSubscription(
  services: BillingServices,
  { accountId, customerId, sessionId }: SubscriptionOfAccount,
  { currentId, before, subscription }: SecondSubscription,
): Promise<ApplyAttemptResult | 'successor'> {
  const transact = <Result>(decide: (account: BillingWorkingSet) => Result) =>
    runBillingTransaction(services, { accountId }, (_set, account) => decide(account));
  if (subscription.isFinal) {
    await transact((account) =>
      account.put(withoutCheckout(account.row, { sessionId, subscriptionId: subscription.id })),
    );
    return { outcome: 'over' };
  }
  if (before.is_final) return 'successor';
  await applyUntilWritten(services, { accountId, customerId, subscriptionId: currentId });
  return transact((account) => {
    const { row } = account;
    // Meanwhile the account's own subscription may have ended, and the other subscription may have replaced it.
    if (row.is_final || row.subscription_id !== currentId) return 'overtaken';
    account.put({ ...row, other_subscription_id: subscription.id });
    return { outcome: 'second_subscription' };
  });
}

/** Runs after the commit, since only people read the metadata. If it fails, the next event or sweep repeats it. */
async function writeMetadata(
  { service, log }: BillingServices,
  { accountId }: SubscriptionOfAccount,
  { id, seats, writtenSeats }: Subscription,
): Promise<void> {
  if (seats === null || writtenSeats === String(seats)) return;
  try {
    await service.writeSeats(id, seats);
  } catch (error) {
    if (!(error instanceof BillingFailure)) throw error;
    const line = { account_id: accountId, subscription_id: id, reason: error.message };
    log.warn(line, 'the metadata of a subscription were not written');
  }
}
