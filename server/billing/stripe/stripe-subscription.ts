/** Converts a subscription of Stripe into the `Subscription` of billing.ts. */
import type Stripe from 'stripe';
import type { Subscription } from '../billing.ts';

/**
 * The ids of Stripe's prices. New subscriptions get the first id of a list. Existing subscriptions may have any id of
 * the list.
 */
export interface StripePrices {
  teamPrices: readonly string[];
  seatPrices: readonly string[];
}

/** The largest number of additional seats that an account may have. */
const seatsMax = 1_000_000;

export function readSubscription(subscription: Stripe.Subscription, prices: StripePrices): Subscription {
  const { id, customer, metadata, status, items, cancel_at, cancel_at_period_end } = subscription;
  const { teamItems, seatItems, unknownPrices } = groupItemsByPrice(items.data, prices);
  const periodEnds = items.data.map((item) => item.current_period_end);
  const standing = standingByStatus[status] ?? 'ended';
  const renews = standing !== 'ended' && cancel_at === null && !cancel_at_period_end && periodEnds.length > 0;
  return {
    id,
    customerId: typeof customer === 'string' ? customer : customer.id,
    accountId: metadata['account_id'],
    standing,
    isFinal: status === 'canceled' || status === 'incomplete_expired',
    hasTeam: nullIfUnclear(teamItems, unknownPrices, quantityOf(teamItems) > 0),
    seats: nullIfUnclear(seatItems, unknownPrices, Math.min(quantityOf(seatItems), seatsMax)),
    unknownPrices,
    writtenSeats: metadata['additional_seats'],
    renewsAt: renews ? new Date(Math.min(...periodEnds) * 1000).toISOString() : null,
  };
}

/** Returns the changes of items that set the number of seats; undefined if an unknown price could be a seat price. */
export function seatChangesOf(
  { items }: Pick<Stripe.Subscription, 'items'>,
  seats: number,
  prices: StripePrices,
): Stripe.SubscriptionUpdateParams.Item[] | undefined {
  const { seatItems, unknownPrices } = groupItemsByPrice(items.data, prices);
  const hasUnclearPrices = nullIfUnclear(seatItems, unknownPrices, true) === null;
  if (hasUnclearPrices) return undefined;
  if (quantityOf(seatItems) === seats) return [];
  const [first, ...others] = seatItems;
  const [offered] = prices.seatPrices;
  // Seats stay at the price at which they were bought.
  const one = first ? { id: first.id, quantity: seats } : { price: offered!, quantity: seats };
  // Next to unknown prices, an item of 0 seats stays. Without this item, an unknown price could be the seat price.
  const keepsOne = seats > 0 || unknownPrices.length > 0;
  const removed = (keepsOne ? others : seatItems).map(({ id }) => ({ id, deleted: true }));
  return keepsOne ? [one, ...removed] : removed;
}

function groupItemsByPrice(items: Stripe.SubscriptionItem[], { teamPrices, seatPrices }: StripePrices) {
  return {
    teamItems: items.filter(({ price }) => teamPrices.includes(price.id)),
    seatItems: items.filter(({ price }) => seatPrices.includes(price.id)),
    unknownPrices: items.map(({ price }) => price.id).filter((id) => ![...teamPrices, ...seatPrices].includes(id)),
  };
}

const quantityOf = (items: Stripe.SubscriptionItem[]): number =>
  items.reduce((sum, { quantity }) => sum + (quantity ?? 1), 0);

const nullIfUnclear = <Value>(known: unknown[], unknown: unknown[], value: Value): Value | null =>
  known.length === 0 && unknown.length > 0 ? null : value;

/** All other statuses mean that nothing is paid: `canceled`, `unpaid`, `incomplete_expired` and `paused`. */
const standingByStatus: Record<string, Subscription['standing'] | undefined> = {
  active: 'active',
  trialing: 'active',
  past_due: 'past_due',
  incomplete: 'incomplete',
};
