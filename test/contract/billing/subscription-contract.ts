import { expect, test } from 'vitest';
import { readAll } from '../account-events.ts';
import { Customer, ended, team, type GetBillingServers } from './billing-servers.ts';

export function subscriptionContract(servers: GetBillingServers): void {
  test.each(['active', 'trialing'])(
    '[BILL-19] a subscription that is %s makes a team with the seats of its quantity',
    async (status) => {
      const { stripe } = servers();
      const customer = await Customer.make(servers());
      const subscription = await customer.subscribe(3);
      subscription['status'] = status;
      expect(await customer.state()).toEqual(team(3));
      for (const seats of [8, 2, 0]) {
        stripe.setSeats(subscription, seats);
        await customer.deliver('customer.subscription.updated', subscription);
        expect(await customer.state()).toEqual(team(seats));
        expect(subscription['metadata'].additional_seats).toBe(String(seats));
      }
      // Metadata alone gives no seat, and is put right.
      subscription['metadata'].additional_seats = '99';
      await customer.deliver('customer.subscription.updated', subscription);
      expect(await customer.state()).toEqual(team(0));
      expect(subscription['metadata'].additional_seats).toBe('0');
    },
  );

  test.each(['canceled', 'unpaid', 'incomplete_expired', 'paused'])(
    '[BILL-20] a subscription that is %s makes the account free',
    async (status) => {
      const customer = await Customer.make(servers());
      const subscription = await customer.subscribe(3);
      subscription['status'] = status;
      await customer.deliver('customer.subscription.updated', subscription);
      expect(await customer.state()).toEqual(ended);
    },
  );

  test('[BILL-20] a subscription that lost the price of the team makes the account free, and one that never had it changes nothing', async () => {
    const { stripe } = servers();
    const customer = await Customer.make(servers());
    const subscription = await customer.subscribe(3);
    const { data } = subscription['items'];
    subscription['items'].data = [];
    await customer.deliver('customer.subscription.updated', subscription);
    expect(await customer.state()).toEqual(ended);
    subscription['items'].data = data;
    await customer.deliver('customer.subscription.updated', subscription);
    expect(await customer.state()).toEqual(team(3));

    const other = await Customer.make(servers(), 'team');
    const { session, subscription: poster } = await other.pay(1);
    poster['items'].data = [];
    await other.deliver('checkout.session.completed', session);
    expect(await other.state()).toEqual({ status: 'none', plan: 'team', additional_seats: 0 });
    expect(stripe.subscriptions.has(poster['id'] as string)).toBe(true);
  });

  test('[BILL-20] a subscription whose first payment is under way leaves the plan', async () => {
    const customer = await Customer.make(servers(), 'team');
    const { session, subscription } = await customer.pay(2);
    subscription['status'] = 'incomplete';
    await customer.deliver('checkout.session.completed', session);
    expect(await customer.state()).toEqual({ status: 'none', plan: 'team', additional_seats: 0 });
    subscription['status'] = 'active';
    await customer.deliver('customer.subscription.updated', subscription);
    expect(await customer.state()).toEqual(team(2));
  });

  test('[BILL-24] what the operator sets stays until the next event, and a repeated event is none', async () => {
    const { stripe, second } = servers();
    const customer = await Customer.make(servers());
    const subscription = await customer.subscribe(2);
    const event = await customer.deliver('customer.subscription.updated', subscription);
    expect((await customer.patchAccount({ plan: 'team', additional_seats: 50 })).status).toBe(200);
    for (const { url } of [servers().first, second]) expect((await stripe.deliver(url, event)).status).toBe(200);
    expect(await customer.state()).toEqual(team(50));
    await customer.deliver('customer.subscription.updated', subscription);
    expect(await customer.state()).toEqual(team(2));
  });

  test('[BILL-29] a change is an event of the account whose actor is billing, and none is told where nothing changed', async () => {
    const { stripe } = servers();
    const customer = await Customer.make(servers());
    const subscription = await customer.subscribe(2);
    await customer.deliver('customer.subscription.updated', subscription);
    stripe.setSeats(subscription, 3);
    await customer.deliver('customer.subscription.updated', subscription);
    await customer.patchAccount({ name: 'Saw mill' });
    const events = await readAll(customer.api);
    const billing = { kind: 'billing', id: null };
    expect(events.map(({ type, actor }) => [type, actor])).toEqual([
      ['account.changed', billing],
      ['account.changed', billing],
      ['account.changed', { kind: 'operator', id: null }],
    ]);
  });
}
