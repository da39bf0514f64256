/** Reads what a subscription of Stripe says. */
import type Stripe from 'stripe';
import type { Subscription } from './billing.ts';

export interface Prices {
  /** The ids of Stripe's prices. */
  priceTeam: string;
  priceSeat: string;
}

/** The most that an account may have. */
const seatsMax = 1_000_000;

export function readSubscription(subscription: Stripe.Subscription, { priceTeam, priceSeat }: Prices): Subscription {
  const { id, customer, metadata, status, items, cancel_at, cancel_at_period_end } = subscription;
  const quantityOf = (priceId: string) =>
    items.data.reduce((sum, { price, quantity }) => sum + (price.id === priceId ? (quantity ?? 1) : 0), 0);
  const periodEnds = items.data.map((item) => item.current_period_end);
  const standing = standings[status] ?? 'ended';
  const renews = standing !== 'ended' && cancel_at === null && !cancel_at_period_end && periodEnds.length > 0;
  return {
    id,
    customerId: typeof customer === 'string' ? customer : customer.id,
    accountId: metadata['account_id'],
    standing,
    isFinal: status === 'canceled' || status === 'incomplete_expired',
    hasTeam: quantityOf(priceTeam) > 0,
    seats: Math.min(quantityOf(priceSeat), seatsMax),
    writtenSeats: metadata['additional_seats'],
    renewsAt: renews ? new Date(Math.min(...periodEnds) * 1000).toISOString() : null,
  };
}

/** All other statuses mean that nothing is paid: `canceled`, `unpaid`, `incomplete_expired` and `paused`. */
const standings: Record<string, Subscription['standing'] | undefined> = {
  active: 'active',
  trialing: 'active',
  past_due: 'past_due',
  incomplete: 'incomplete',
};
