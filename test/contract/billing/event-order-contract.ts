import { expect, test } from 'vitest';
import type { StripeObject } from '../../stripe/stripe-objects.ts';
import { readAll } from '../account-events.ts';
import { Customer, ended, team, type GetBillingServers } from './billing-servers.ts';

const ordersAtOnce = 12;

/** Returns all orders of these. */
const permutations = <Item>(items: Item[]): Item[][] =>
  items.length === 0
    ? [[]]
    : items.flatMap((item, index) => permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]));

/** Returns a promise and the function that resolves it. */
function signal(): [Promise<void>, () => void] {
  let resolve = () => {};
  const signalled = new Promise<void>((done) => void (resolve = done));
  return [signalled, () => resolve()];
}

export function eventOrderContract(servers: GetBillingServers): void {
  test('[BILL-18] [BILL-29] the five events of a checkout, each twice, lead to one state in all 120 orders', async () => {
    const { first, second, stripe } = servers();
    const tryOrder = async (order: number[]) => {
      const customer = await Customer.make(servers());
      const { session, subscription } = await customer.pay(3);
      subscription['status'] = 'incomplete';
      const created = stripe.event('customer.subscription.created', subscription);
      subscription['status'] = 'active';
      const events = [
        created,
        stripe.event('invoice.paid', { id: 'in_1', object: 'invoice', subscription: subscription['id'] }),
        stripe.event('customer.subscription.updated', subscription),
        stripe.event('checkout.session.completed', session),
      ];
      stripe.setSeats(subscription, 5);
      events.push(stripe.event('customer.subscription.updated', subscription));
      for (const index of order) {
        const deliveries = [first, second].map(({ url }) => stripe.deliver(url, events[index]!));
        expect((await Promise.all(deliveries)).map(({ status }) => status)).toEqual([200, 200]);
      }
      expect(await customer.state(), `in the order ${order.join()}`).toEqual(team(5));
      expect(subscription['metadata']).toEqual({ account_id: customer.api.accountId, additional_seats: '5' });
      const changes = (await readAll(customer.api)).filter(({ type }) => type === 'account.changed');
      expect(changes.map(({ actor }) => actor)).toEqual([{ kind: 'billing', id: null }]);
    };
    const orders = permutations([0, 1, 2, 3, 4]);
    expect(orders).toHaveLength(120);
    while (orders.length > 0) await Promise.all(orders.splice(0, ordersAtOnce).map(tryOrder));
  });

  test('[BILL-22] what was fetched before is never written over what was fetched later by another server', async () => {
    const { first, second, stripe } = servers();
    const customer = await Customer.make(servers());
    const subscription = await customer.subscribe(1);
    const old = stripe.event('customer.subscription.updated', subscription);
    const [released, release] = signal();
    const [held, hold] = signal();
    const isFetch = ({ path }: { path: string }) => path === `/v1/subscriptions/${subscription['id']}`;
    const until = async () => {
      hold();
      await released;
    };
    stripe.misbehave({ kind: 'hold', until }, isFetch);
    const late = stripe.deliver(first.url, old);
    await held;
    stripe.setSeats(subscription, 7);
    const news = stripe.event('customer.subscription.updated', subscription);
    expect((await stripe.deliver(second.url, news)).status).toBe(200);
    const fetches = stripe.requests.filter(isFetch).length;
    release();
    expect((await late).status).toBe(200);
    expect(await customer.state()).toEqual(team(7));
    expect(stripe.requests.filter(isFetch)).toHaveLength(fetches + 1);
  });

  test('[BILL-22] changes and their events at once on two servers end at what Stripe says', async () => {
    const { first, second, stripe } = servers();
    const customer = await Customer.make(servers());
    const subscription = await customer.subscribe(0);
    const deliveries: Promise<{ status: number }>[] = [];
    const events: StripeObject[] = [];
    for (let seats = 1; seats <= 12; seats++) {
      stripe.setSeats(subscription, seats);
      events.push(stripe.event('customer.subscription.updated', subscription));
      deliveries.push(stripe.deliver(seats % 2 ? first.url : second.url, events.at(-1)!));
    }
    const statuses = (await Promise.all(deliveries)).map(({ status }) => status);
    // Stripe repeats what was answered with 503.
    for (const [index, status] of statuses.entries()) {
      expect([200, 503]).toContain(status);
      if (status === 503) expect((await stripe.deliver(first.url, events[index]!)).status).toBe(200);
    }
    expect(await customer.state()).toEqual(team(12));
    expect(subscription['metadata'].additional_seats).toBe('12');
  });

  test('[BILL-33] a late event of an ended subscription leaves its successor, in any order', async () => {
    const { stripe } = servers();
    for (const order of permutations([0, 1, 2])) {
      const customer = await Customer.make(servers());
      const before = await customer.subscribe(1);
      before['status'] = 'canceled';
      const deleted = stripe.event('customer.subscription.deleted', before);
      const metadata = { account_id: customer.api.accountId, additional_seats: '0' };
      const after = stripe.newSubscription({ customer: before['customer'] as string, metadata });
      stripe.setSeats(after, 4);
      const events = [deleted, stripe.event('customer.subscription.created', after), deleted];
      for (const index of order) expect((await stripe.deliver(customer.api.url, events[index]!)).status).toBe(200);
      expect(await customer.state(), `in the order ${order.join()}`).toEqual(team(4));
    }
  });

  test('[BILL-33] [BILL-44] a second subscription changes nothing while the first one is not over, and counts then', async () => {
    const { stripe } = servers();
    const customer = await Customer.make(servers());
    const first = await customer.subscribe(1);
    const second = stripe.newSubscription({ customer: first['customer'] as string, metadata: {} });
    stripe.setSeats(second, 9);
    await customer.deliver('customer.subscription.created', second);
    expect(await customer.state()).toEqual(team(1));
    expect(customer.alarmsOf(second['id'] as string)).toEqual(['second_subscription']);
    first['status'] = 'canceled';
    await customer.deliver('customer.subscription.deleted', first);
    expect(await customer.state()).toEqual(team(9));
    await customer.deliver('customer.subscription.deleted', first);
    expect(await customer.state()).toEqual(team(9));
  });

  test('[BILL-44] an event of the second subscription, before the late one that ends the first, makes it the account’s', async () => {
    const { stripe } = servers();
    const customer = await Customer.make(servers());
    const first = await customer.subscribe(1);
    const second = stripe.newSubscription({ customer: first['customer'] as string, metadata: {} });
    stripe.setSeats(second, 9);
    await customer.deliver('customer.subscription.created', second);
    first['status'] = 'canceled';
    await customer.deliver('customer.subscription.updated', second);
    expect(await customer.state()).toEqual(team(9));
    expect(customer.alarmsOf(second['id'] as string)).toEqual(['second_subscription']);
    await customer.deliver('customer.subscription.deleted', first);
    expect(await customer.state()).toEqual(team(9));
    const row = await servers().first.services.store.billing(customer.api.accountId);
    expect(row).toMatchObject({ subscription_id: second['id'], other_subscription_id: null });
  });

  test('[BILL-44] a second subscription that ended, or is for something else, is no alarm and does not follow', async () => {
    const { stripe } = servers();
    const customer = await Customer.make(servers());
    const first = await customer.subscribe(1);
    const second = stripe.newSubscription({ customer: first['customer'] as string, metadata: {} });
    await customer.deliver('customer.subscription.created', second);
    second['status'] = 'canceled';
    await customer.deliver('customer.subscription.deleted', second);
    const poster = stripe.newSubscription({ customer: first['customer'] as string, metadata: {}, items: [] });
    await customer.deliver('customer.subscription.created', poster);
    expect(customer.alarmsOf(poster['id'] as string)).toEqual([]);
    first['status'] = 'canceled';
    await customer.deliver('customer.subscription.deleted', first);
    expect(await customer.state()).toEqual(ended);
    expect((await customer.checkout(2)).status).toBe(201);
  });
}
