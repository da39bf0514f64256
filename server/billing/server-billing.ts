/** Billing of a server that has a payment service. */
import { createSubscriptionApplier, type ApplySubscription } from './apply-subscription.ts';
import type { BillingServices } from './billing-services.ts';
import type { StripeSettings } from './stripe/stripe.ts';

export interface BillingSettings extends StripeSettings {
  /** The origins to which people may return from the pages of the payment service. */
  origins: readonly string[];
}

export interface ServerBilling extends BillingServices {
  origins: readonly string[];
  apply: ApplySubscription;
}

export function createBilling({ origins }: BillingSettings, services: BillingServices): ServerBilling {
  return { ...services, origins, apply: createSubscriptionApplier(services) };
}
