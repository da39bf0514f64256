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
    sweepBilling(servers()[server].services.billing!, { reported: new Map(), onBug: fail });
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

  test('[BILL-47] a subscription that Stripe does not know, or that is not the account’s, waits 6 hours, too', async () => {
    const { stripe, advance } = servers();
    const [unknown, foreign] = [await Customer.make(servers()), await Customer.make(servers())];
    const [gone, moved] = [await unknown.subscribe(1), await foreign.subscribe(1)];
    stripe.subscriptions.delete(gone['id'] as string);
    moved['customer'] = 'cus_other';
    advance(6 * hourMs);
    const fetches = () => [fetchesOf(gone), fetchesOf(moved)] as [number, number];
    const [first, second] = fetches();
    await sweep();
    await sweep('second');
    expect(fetches()).toEqual([first + 1, second + 1]);
    advance(6 * hourMs);
    await sweep();
    expect(fetches()).toEqual([first + 2, second + 2]);
    expect([await unknown.state(), await foreign.state()]).toEqual([team(1), team(1)]);
  });

  test('[BILL-47] a customer whose subscription cannot be read does not end the sweep', async () => {
    const { stripe, advance, first } = servers();
    const customers = [await Customer.make(servers()), await Customer.make(servers()), await Customer.make(servers())];
    const subscriptions: StripeObject[] = [];
    for (const customer of customers) subscriptions.push(await customer.subscribe(1));
    for (const subscription of subscriptions) stripe.setSeats(subscription, 3);
    const [broken] = subscriptions.toSorted((a, b) => (a['customer'] < b['customer'] ? -1 : 1));
    const { items } = broken!;
    broken!['items'] = null;
    advance(6 * hourMs);
    const bugs: unknown[] = [];
    await sweepBilling(first.services.billing!, { reported: new Map(), onBug: (error) => bugs.push(error) });
    expect(bugs).toEqual([expect.any(TypeError)]);
    const states = await Promise.all(customers.map((customer) => customer.state()));
    const expected = subscriptions.map((subscription) => team(subscription === broken ? 1 : 3));
    expect(states).toEqual(expected);
    broken!['items'] = items;
    await sweep();
    expect(await customers[subscriptions.indexOf(broken!)]!.state()).toEqual(team(3));
  });

  test('[BILL-40] the sweep finds a paid checkout of which no event was heard', async () => {
    const customer = await Customer.make(servers());
    const { subscription } = await customer.pay(4);
    await sweep();
    expect(await customer.state()).toEqual(team(4));
    const fetches = fetchesOf(subscription);
    await sweep('second');
    expect(fetchesOf(subscription)).toBe(fetches);
    expect(customer.alarmsOf(customer.api.accountId)).toEqual([]);
  });

  test('[BILL-40] the sweep tells nothing of checkouts of other servers, and finds the next one of a customer', async () => {
    const { stripe } = servers();
    const customer = await Customer.make(servers());
    const { session } = await customer.pay(4);
    const other = '0190a1b2-0000-7000-8000-000000000000';
    session['client_reference_id'] = session['metadata'].account_id = other;
    await sweep();
    expect(customer.alarmsOf(other)).toEqual([]);
    const again = await Customer.make(servers());
    const before = await again.subscribe(1);
    before['status'] = 'canceled';
    await again.deliver('customer.subscription.deleted', before);
    await again.pay(2);
    await sweep();
    expect(await again.state()).toEqual(team(2));
    expect(stripe.subscriptions.has(before['id'] as string)).toBe(true);
  });

  test('[BILL-49] repeated sweeps raise one alarm for a checkout without effect, which counts once it is mended', async () => {
    const customer = await Customer.make(servers());
    const { session, subscription } = await customer.pay(4);
    const { data } = subscription['items'];
    subscription['items'].data = [];
    const options = { reported: new Map(), onBug: fail };
    const sweepAgain = () => sweepBilling(servers().first.services.billing!, options);
    const alarms = () => customer.alarmsOf(session['id'] as string);
    await sweepAgain();
    await sweepAgain();
    expect(alarms()).toEqual(['checkout_without_effect']);
    // Another outcome is news.
    subscription['metadata'].account_id = '0190a1b2-0000-7000-8000-000000000000';
    await sweepAgain();
    await sweepAgain();
    expect(alarms()).toEqual(['checkout_without_effect', 'customer_mismatch']);
    subscription['metadata'].account_id = customer.api.accountId;
    subscription['items'].data = data;
    await sweepAgain();
    expect(await customer.state()).toEqual(team(4));
    expect(alarms()).toHaveLength(2);
    servers().advance(5 * dayMs);
    await sweepAgain();
    expect(options.reported.size).toBe(0);
  });

  test('[BILL-44] a second subscription that a crash kept from following is made up for by the sweep', async () => {
    const { stripe, advance } = servers();
    const customer = await Customer.make(servers());
    const first = await customer.subscribe(1);
    const second = stripe.newSubscription({ customer: first['customer'] as string, metadata: {} });
    stripe.setSeats(second, 9);
    await customer.deliver('customer.subscription.created', second);
    first['status'] = 'canceled';
    const isSecond = ({ path }: { path: string }) => path.endsWith(second['id'] as string);
    stripe.misbehave({ kind: 'answer', status: 500 }, isSecond);
    const event = stripe.event('customer.subscription.deleted', first);
    expect((await stripe.deliver(customer.api.url, event)).status).toBe(503);
    expect(await customer.state()).toEqual(ended);
    advance(6 * hourMs);
    await sweep();
    expect(await customer.state()).toEqual(team(9));
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
