/**
 * Processes an event of the payment service: finds the account that it is about, and applies the current subscription.
 */
import type { BillingEvent } from '../store/billing/billing-row.ts';
import { raiseAlarm, type BillingAlarm } from './alarms.ts';
import type { ApplyOutcome } from './apply-subscription.ts';
import type { CompletedCheckout, PaymentServiceEvent } from './billing.ts';
import type { ServerBilling } from './server-billing.ts';

export async function takeEvent(billing: ServerBilling, event: PaymentServiceEvent): Promise<ApplyOutcome> {
  const { subject } = event;
  switch (subject.kind) {
    case 'checkout':
      return takeCheckout(billing, subject, event);
    case 'subscription': {
      const { subscriptionId, customerId } = subject;
      const accountId = await billing.store.customerAccount(customerId);
      if (accountId === undefined) return 'unbound';
      const outcome = await billing.apply({ accountId, customerId, subscriptionId, event });
      const ids = { account_id: accountId, customer_id: customerId, subscription_id: subscriptionId };
      raiseAlarmIfAny(billing, alarmByEventOutcome[outcome], { ...ids, event_id: event.id });
      return outcome;
    }
    case 'ambiguous_checkout':
      raiseAlarmIfAny(billing, 'checkout_without_effect', { session_id: subject.sessionId, event_id: event.id });
      return 'unknown';
    case 'other':
      return 'unknown';
  }
}

/** Applies and reports a completed checkout. `event` is absent if the server found the checkout by itself. */
export async function takeCheckout(
  billing: ServerBilling,
  completed: CompletedCheckout,
  event?: BillingEvent,
): Promise<ApplyOutcome> {
  const outcome = await applyCheckout(billing, completed, event);
  reportCheckout(billing, { completed, outcome, event });
  return outcome;
}

export async function applyCheckout(
  { store, apply }: ServerBilling,
  { sessionId, subscriptionId, customerId, accountId }: CompletedCheckout,
  event?: BillingEvent,
): Promise<ApplyOutcome> {
  const account = await store.account(accountId);
  return account ? apply({ accountId: account.id, customerId, subscriptionId, sessionId, event }) : 'unbound';
}

interface TakenCheckout {
  completed: CompletedCheckout;
  outcome: ApplyOutcome;
  event?: BillingEvent | undefined;
}

export function reportCheckout(billing: ServerBilling, { completed, outcome, event }: TakenCheckout): void {
  const { sessionId, subscriptionId, customerId, accountId } = completed;
  const ids = { account_id: accountId, customer_id: customerId, subscription_id: subscriptionId };
  raiseAlarmIfAny(billing, alarmByCheckoutOutcome[outcome], { ...ids, session_id: sessionId, event_id: event?.id });
}

const alarmByEventOutcome: Record<ApplyOutcome, BillingAlarm | null> = {
  applied: null,
  over: null,
  unknown: null,
  unbound: null,
  foreign: 'customer_mismatch',
  second_subscription: 'second_subscription',
};

/** Raises an alarm for each checkout without effect, since somebody paid for it. */
const alarmByCheckoutOutcome: Record<ApplyOutcome, BillingAlarm | null> = {
  ...alarmByEventOutcome,
  unknown: 'checkout_without_effect',
  unbound: 'checkout_without_effect',
};

function raiseAlarmIfAny(billing: ServerBilling, alarm: BillingAlarm | null, line: object): void {
  if (alarm !== null) raiseAlarm(billing, alarm, line);
}
