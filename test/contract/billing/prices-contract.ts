import { expect, test } from 'vitest';
import type { StripeObject } from '../../stripe/stripe-objects.ts';
import { expectProblem } from '../fixture.ts';
import { Customer, ended, team, type GetBillingServers } from './billing-servers.ts';

/** As after a price was replaced in the settings: the price of an item is one that no setting names, or is named again. */
function reprice(subscription: StripeObject, from: string, to: string): void {
  for (const item of subscription['items'].data as StripeObject[]) if (item['price'].id === from) item['price'].id = to;
}

export function pricesContract(servers: GetBillingServers): void {
  test('[BILL-36] a subscription with former prices is a team, and its seats are those of all prices', async () => {
    const { stripe } = servers();
    const customer = await Customer.make(servers());
    const subscription = await customer.subscribe(2);
    reprice(subscription, 'price_team', 'price_team_before');
    reprice(subscription, 'price_seat', 'price_seat_before');
    await customer.deliver('customer.subscription.updated', subscription);
    expect(await customer.state()).toEqual(team(2));
    stripe.setSeats(subscription, 3);
    await customer.deliver('customer.subscription.updated', subscription);
    expect(await customer.state()).toEqual(team(5));
    expect((await customer.changeSeats(1)).body).toMatchObject(team(1));
    expect(customer.alarmsOf(customer.api.accountId)).toEqual([]);
  });

  test.each([
    ['price_team', 'the team'],
    ['price_seat', 'its seats'],
  ])('[BILL-43] an account whose price %s is in no setting any more keeps %s', async (price) => {
    const { stripe } = servers();
    const customer = await Customer.make(servers());
    const subscription = await customer.subscribe(4);
    reprice(subscription, price, 'price_gone');
    const event = await customer.deliver('customer.subscription.updated', subscription);
    expect(await customer.state()).toEqual(team(4));
    expect(customer.alarmsOf('price_gone')).toContain('unknown_price');
    expect(customer.alarmsOf(customer.api.accountId)).toEqual(['unknown_price']);
    await stripe.deliver(customer.api.url, event);
    subscription['status'] = 'past_due';
    await customer.deliver('customer.subscription.updated', subscription);
    expect(await customer.state()).toEqual({ ...team(4), status: 'past_due' });
    // It ends all the same where nothing is paid.
    subscription['status'] = 'canceled';
    await customer.deliver('customer.subscription.deleted', subscription);
    expect(await customer.state()).toEqual(ended);
  });

  test('[BILL-43] unknown prices leave what the operator set, and count once a setting names them', async () => {
    const customer = await Customer.make(servers());
    const subscription = await customer.subscribe(4);
    await customer.patchAccount({ additional_seats: 20 });
    reprice(subscription, 'price_seat', 'price_gone');
    await customer.deliver('customer.subscription.updated', subscription);
    expect(await customer.state()).toEqual(team(20));
    reprice(subscription, 'price_gone', 'price_seat_before');
    await customer.deliver('customer.subscription.updated', subscription);
    expect(await customer.state()).toEqual(team(4));
  });

  test('[BILL-43] a checkout that is paid at an unknown price keeps the plan, and is the subscription of the account', async () => {
    const customer = await Customer.make(servers());
    const { session, subscription } = await customer.pay(3);
    reprice(subscription, 'price_team', 'price_gone');
    await customer.deliver('checkout.session.completed', session);
    expect(await customer.state()).toEqual({ status: 'none', plan: 'free', additional_seats: 0 });
    expect(customer.alarmsOf(subscription['id'] as string)).toEqual(['unknown_price']);
    expectProblem(await customer.checkout(1), 409, 'already_subscribed');
    reprice(subscription, 'price_gone', 'price_team_before');
    await customer.deliver('customer.subscription.updated', subscription);
    expect(await customer.state()).toEqual(team(3));
  });

  test('[BILL-43] seats are not added beside a price that may be theirs, since they would be paid twice', async () => {
    const { stripe } = servers();
    const customer = await Customer.make(servers());
    const subscription = await customer.subscribe(4);
    reprice(subscription, 'price_seat', 'price_gone');
    const before = servers().logged.length;
    expectProblem(await customer.changeSeats(6), 503, 'billing_refused');
    const told = servers()
      .logged.slice(before)
      .map((line) => JSON.parse(line) as object);
    expect(told).toContainEqual(expect.objectContaining({ alarm: 'unknown_price', code: 'unknown_price' }));
    expect(told).not.toContainEqual(expect.objectContaining({ alarm: 'stripe_refused' }));
    expect(subscription['items'].data).toHaveLength(2);
    // Beside a price of something else, the item of seats stays, so that 0 is known to be 0.
    reprice(subscription, 'price_gone', 'price_seat');
    stripe.setSeats(subscription, 1, 'price_poster');
    expect((await customer.changeSeats(0)).body).toMatchObject(team(0));
    expect((await customer.changeSeats(2)).body).toMatchObject(team(2));
  });
}
