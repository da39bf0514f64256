/** Takes an event of the payment service: finds the account that it is about, and applies the subscription as it is now. */
import type { ApplyOutcome } from './apply-subscription.ts';
import type { ServiceEvent, SubscriptionRef } from './billing.ts';
import type { OpenBilling } from './open-billing.ts';

export async function takeEvent(billing: OpenBilling, event: ServiceEvent): Promise<ApplyOutcome> {
  const { subject } = event;
  if (!subject) return 'unknown';
  const accountId = await findAccount(billing, subject);
  if (accountId === undefined) return 'unbound';
  const { subscriptionId, customerId } = subject;
  const mayBind = subject.accountId !== undefined;
  const outcome = await billing.apply({ accountId, customerId, subscriptionId, mayBind, event });
  const line = { account_id: accountId, customer_id: customerId, subscription_id: subscriptionId, event_id: event.id };
  if (mayBind && outcome !== 'applied') billing.log.error({ ...line, outcome }, 'a completed checkout changed nothing');
  if (outcome === 'foreign') billing.log.error(line, 'an event of Stripe names an account that another customer has');
  if (outcome === 'second_subscription') billing.log.warn(line, 'a customer pays for two subscriptions at once');
  return outcome;
}

async function findAccount({ store }: OpenBilling, subject: SubscriptionRef): Promise<string | undefined> {
  if (subject.accountId === undefined) return store.customerAccount(subject.customerId);
  return (await store.account(subject.accountId))?.id;
}
