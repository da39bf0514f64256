import { expect, test } from 'vitest';
import { sweepBilling } from '../../../server/billing/sweep-billing.ts';
import type { StripeObject } from '../../stripe/stripe-objects.ts';
import { Customer, ended, team, type GetBillingServers } from './billing-servers.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

const fail = (error: unknown) => {
  throw error;
};

export function sweepContract(servers: GetBillingServers): void {
  const sweep = (server: 'first' | 'second' = 'first') =>
    sweepBilling(servers()[server].services.billing!, { onBug: fail });
  const fetchesOf = (subscription: { id?: string }) =>
    servers().stripe.requests.filter(({ path }) => path === `/v1/subscriptions/${subscription.id}`).length;

  test('[BILL-32] [BILL-23] the sweep finds what an event lost after 6 hours, once for all servers', async () => {
    const { stripe, advance } = servers();
    const customer = await Customer.make(servers());
    const subscription = await customer.subscribe(2);
    stripe.setSeats(subscription, 7);
    await sweep();
    expect(await customer.state()).toEqual(team(2));
    advance(6 * hourMs);
    const before = fetchesOf(subscription);
    await sweep();
    await sweep('second');
    expect(await customer.state()).toEqual(team(7));
    expect(subscription['metadata'].additional_seats).toBe('7');
    // One is the fetch, the other the write of the metadata.
    expect(fetchesOf(subscription)).toBe(before + 2);
  });

  test('[BILL-32] an ended subscription is not fetched any more', async () => {
    const { advance } = servers();
    const customer = await Customer.make(servers());
    const subscription = await customer.subscribe(2);
    subscription['status'] = 'canceled';
    await customer.deliver('customer.subscription.deleted', subscription);
    const before = fetchesOf(subscription);
    advance(7 * hourMs);
    await sweep();
    expect(fetchesOf(subscription)).toBe(before);
  });

  test('[BILL-32] a sweep goes past what Stripe does not answer, and ends while Stripe is away', async () => {
    const { stripe, advance } = servers();
    const customers = [];
    for (let count = 0; count < 5; count++) customers.push(await Customer.make(servers()));
    const subscriptions: StripeObject[] = [];
    for (const customer of customers) subscriptions.push(await customer.subscribe(1));
    for (const subscription of subscriptions) stripe.setSeats(subscription, 3);
    advance(6 * hourMs);
    const isBroken = ({ path }: { path: string }) => path.endsWith(subscriptions[1]!['id'] as string);
    stripe.misbehave({ kind: 'answer', status: 500 }, isBroken);
    await sweep();
    const states = await Promise.all(customers.map((customer) => customer.state()));
    expect(states).toEqual([team(3), team(1), team(3), team(3), team(3)]);
    advance(6 * hourMs);
    const before = stripe.requests.length;
    stripe.misbehave({ kind: 'answer', status: 500 }, () => true, 1_000);
    await sweep();
    stripe.behave();
    expect(stripe.requests).toHaveLength(before + 5);
    await sweep();
    expect(await customers[1]!.state()).toEqual(team(3));
  });

  test('[BILL-21] an account whose payment is missing is a team for 14 days, then free, and a team once it is paid', async () => {
    const { stripe, advance } = servers();
    const customer = await Customer.make(servers());
    const subscription = await customer.subscribe(2);
    const pastDue = { status: 'past_due', plan: 'team', additional_seats: 2 };
    subscription['status'] = 'past_due';
    await customer.deliver('customer.subscription.updated', subscription);
    expect(await customer.state()).toEqual(pastDue);
    advance(7 * dayMs);
    // Another event does not begin the time anew.
    await customer.deliver('customer.subscription.updated', subscription);
    advance(7 * dayMs - 60_000);
    await sweep();
    expect(await customer.state()).toEqual(pastDue);
    advance(60_000);
    await sweep();
    expect(await customer.state()).toEqual(ended);
    // The operator may give the plan all the same.
    await customer.patchAccount({ plan: 'team', additional_seats: 1 });
    advance(6 * hourMs);
    await sweep();
    expect(await customer.state()).toEqual({ status: 'ended', plan: 'team', additional_seats: 1 });
    subscription['status'] = 'active';
    advance(6 * hourMs);
    await sweep();
    expect(await customer.state()).toEqual(team(2));
    expect(stripe.subscriptions.has(subscription['id'] as string)).toBe(true);
  });

  test('[BILL-24] a sweep that finds nothing new leaves what the operator set', async () => {
    const { advance } = servers();
    const customer = await Customer.make(servers());
    const subscription = await customer.subscribe(2);
    await customer.patchAccount({ plan: 'free' });
    advance(6 * hourMs);
    const before = fetchesOf(subscription);
    await sweep();
    expect(fetchesOf(subscription)).toBe(before + 1);
    expect(await customer.state()).toEqual({ status: 'active', plan: 'free', additional_seats: 2 });
  });
}
