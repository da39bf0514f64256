/** Reports problems that only people can correct, in the log and in the metric `gemba_billing_alarms_total`. */
import { BillingRefused, type BillingFailure } from './billing.ts';
import type { Log } from '../observe/log.ts';
import type { Metrics } from '../observe/metrics.ts';

export type BillingAlarm = keyof typeof alarmMessages;

const alarmMessages = {
  stripe_refused: 'Stripe refuses what the server asks: correct the settings of Stripe',
  unknown_price: 'a subscription has a price that no setting names: add it to STRIPE_PRICE_TEAM or STRIPE_PRICE_SEAT',
  second_subscription: 'a customer pays for two subscriptions at once: end one at Stripe, and refund it',
  customer_mismatch: 'an event of Stripe names an account that another customer has',
  checkout_without_effect: 'a completed checkout changed nothing',
} as const;

interface AlarmTargets {
  log: Log;
  metrics: Pick<Metrics, 'billingAlarms'>;
}

/** Logs a warning for an outage, since it ends by itself. Raises an alarm for a refusal, since a person has to act. */
export function reportFailure(targets: AlarmTargets, failure: BillingFailure, line: object): void {
  const { message: reason } = failure;
  if (failure instanceof BillingRefused) raiseAlarm(targets, failure.alarm, { ...line, code: failure.code, reason });
  else targets.log.warn({ ...line, reason }, 'billing is unavailable');
}

export function raiseAlarm({ log, metrics }: AlarmTargets, alarm: BillingAlarm, line: object): void {
  log.error({ ...line, alarm }, alarmMessages[alarm]);
  metrics.billingAlarms.inc({ alarm });
}
