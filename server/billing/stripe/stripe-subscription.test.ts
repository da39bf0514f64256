import type Stripe from 'stripe';
import { expect, test } from 'vitest';
import { seatChangesOf } from './stripe-subscription.ts';

const prices = { teamPrices: ['price_team'], seatPrices: ['price_seat', 'price_seat_before'] };

/** Makes a subscription of items whose ids are those of their prices. */
function subscriptionOf(quantities: Record<string, number>) {
  const data = Object.entries(quantities).map(([id, quantity]) => ({ id, price: { id }, quantity }));
  return { items: { data } } as unknown as Stripe.Subscription;
}

const changes = (quantities: Record<string, number>, seats: number) =>
  seatChangesOf(subscriptionOf({ price_team: 1, ...quantities }), seats, prices);

test('[BILL-37] seats are added at the offered price, changed at their own, and deleted at 0', () => {
  expect(changes({}, 3)).toEqual([{ price: 'price_seat', quantity: 3 }]);
  expect(changes({ price_seat_before: 2 }, 3)).toEqual([{ id: 'price_seat_before', quantity: 3 }]);
  expect(changes({ price_seat: 2 }, 0)).toEqual([{ id: 'price_seat', deleted: true }]);
  expect([changes({}, 0), changes({ price_seat: 2 }, 2)]).toEqual([[], []]);
});

test('[BILL-37] seats of several prices are counted together, and become one item when they change', () => {
  const both = { price_seat: 2, price_seat_before: 3 };
  expect(changes(both, 5)).toEqual([]);
  expect(changes(both, 1)).toEqual([
    { id: 'price_seat', quantity: 1 },
    { id: 'price_seat_before', deleted: true },
  ]);
  expect(changes(both, 0)).toEqual([
    { id: 'price_seat', deleted: true },
    { id: 'price_seat_before', deleted: true },
  ]);
});

test('[BILL-43] a price that may be that of seats lets nothing be added, and beside it no item of seats goes', () => {
  expect([changes({ price_x: 1 }, 3), changes({ price_x: 1 }, 0)]).toEqual([undefined, undefined]);
  expect(changes({ price_x: 1, price_seat: 2 }, 0)).toEqual([{ id: 'price_seat', quantity: 0 }]);
});
