import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { StripeObject } from '../../stripe/stripe-objects.ts';
import { expectProblem } from '../fixture.ts';
import { Customer, ended, team, type GetBillingServers } from './billing-servers.ts';

const none = { status: 'none', plan: 'free', additional_seats: 0 };

export function boundCustomerContract(servers: GetBillingServers): void {
  const expectRefused = async (customer: Customer, type: string, object: StripeObject) => {
    const { stripe, logged } = servers();
    const event = stripe.event(type, object);
    const refused = await stripe.deliver(customer.api.url, event);
    expect(refused).toMatchObject({ status: 403, body: { code: 'customer_mismatch' } });
    expect(logged.some((line) => line.includes(event['id'] as string))).toBe(true);
  };

  test('[BILL-25] metadata that names another account changes neither account', async () => {
    const [victim, other] = [await Customer.make(servers()), await Customer.make(servers())];
    const [own, foreign] = [await victim.subscribe(1), await other.subscribe(5)];
    foreign['metadata'].account_id = victim.api.accountId;
    foreign['status'] = 'canceled';
    await expectRefused(victim, 'customer.subscription.updated', foreign);
    expect([await victim.state(), await other.state()]).toEqual([team(1), team(5)]);
    await victim.deliver('customer.subscription.updated', own);
    expect(await victim.state()).toEqual(team(1));
  });

  test('[BILL-25] a second customer who pays for an account is refused, and the first one stays', async () => {
    const { stripe } = servers();
    const customer = await Customer.make(servers());
    const { session } = await customer.pay(1);
    // The page of a checkout that was begun at the same time, and paid, too.
    const twin = stripe.newSession(session['form']);
    const second = stripe.pay(twin['id'] as string);
    await customer.deliver('checkout.session.completed', session);
    await expectRefused(customer, 'checkout.session.completed', twin);
    second['status'] = 'canceled';
    await customer.deliver('customer.subscription.deleted', second);
    expect(await customer.state()).toEqual(team(1));
  });

  test('[BILL-25] the customer of one account is not bound to another by a checkout', async () => {
    const { stripe } = servers();
    const [owner, other] = [await Customer.make(servers()), await Customer.make(servers())];
    const own = await owner.subscribe(2);
    const { session, subscription } = await other.pay(3);
    Object.assign(session, { customer: own['customer'] });
    Object.assign(subscription, { customer: own['customer'] });
    await expectRefused(other, 'checkout.session.completed', session);
    expect([await owner.state(), await other.state()]).toEqual([team(2), none]);
    expect(stripe.subscriptions.size).toBeGreaterThan(1);
  });

  test('[BILL-51] after the customer was deleted at Stripe, the next checkout makes a new one, who pays for the account', async () => {
    const { stripe, second } = servers();
    const customer = await Customer.make(servers());
    const subscription = await customer.subscribe(1);
    const deletedId = subscription['customer'] as string;
    stripe.deleteCustomer(deletedId);
    await customer.deliver('customer.subscription.deleted', subscription);
    expect(await customer.state()).toEqual(ended);
    const key = randomUUID();
    const begun = await customer.checkout(2, key);
    expect(begun.status).toBe(201);
    expect(customer.sessionAt(begun.body.url)['customer']).toBeNull();
    expect((await new Customer(customer.api.at(second), servers()).checkout(2, key)).body).toEqual(begun.body);
    const renewed = stripe.pay(customer.sessionAt(begun.body.url)['id'] as string);
    await customer.deliver('checkout.session.completed', customer.sessionAt(begun.body.url));
    expect(await customer.state()).toEqual(team(2));
    expect(renewed['customer']).not.toBe(deletedId);
    expect(servers().logged.filter((line) => line.includes(deletedId))).toHaveLength(1);
  });

  test('[BILL-51] a customer whom Stripe does not know, as with a key of another mode, stays bound', async () => {
    const { stripe } = servers();
    const customer = await Customer.make(servers());
    const subscription = await customer.subscribe(1);
    subscription['status'] = 'canceled';
    await customer.deliver('customer.subscription.deleted', subscription);
    const missing = { kind: 'answer', status: 404, code: 'resource_missing' } as const;
    stripe.misbehave(missing, ({ path, form }) => path.startsWith('/v1/customers') || 'customer' in form, 2);
    expectProblem(await customer.checkout(1), 503, 'billing_refused');
    const begun = await customer.checkout(1);
    expect(customer.sessionAt(begun.body.url)['customer']).toBe(subscription['customer']);
  });

  test('[BILL-26] a completed checkout that the server did not begin binds nothing', async () => {
    const { stripe } = servers();
    const customer = await Customer.make(servers());
    const { session, subscription } = await customer.pay(1);
    const forged = [
      { ...session, metadata: {} },
      { ...session, client_reference_id: null },
      { ...session, metadata: { account_id: '0190a1b2-0000-7000-8000-000000000000' } },
      { ...session, subscription: null },
      { ...session, customer: null },
    ];
    for (const object of forged) await customer.deliver('checkout.session.completed', object);
    expect(await customer.state()).toEqual(none);
    await customer.deliver('customer.subscription.created', subscription);
    expect(await customer.state()).toEqual(none);
    expect(stripe.sessions.get(session['id'] as string)).toBeDefined();
  });

  test('[BILL-30] events of unknown accounts, subscriptions and types are taken', async () => {
    const { stripe } = servers();
    const customer = await Customer.make(servers());
    const { session, subscription } = await customer.pay(1);
    const unknown = '0190a1b2-0000-7000-8000-000000000000';
    for (const id of [unknown, 'not a uuid']) {
      const object = { ...session, client_reference_id: id, metadata: { account_id: id } };
      await customer.deliver('checkout.session.completed', object);
    }
    await customer.deliver('checkout.session.completed', { ...session, subscription: 'sub_gone' });
    await customer.deliver('customer.subscription.updated', { id: 'sub_other', customer: 'cus_other' });
    await customer.deliver('customer.created', { id: 'cus_other', object: 'customer' });
    expect(await customer.state()).toEqual(none);
    expect(stripe.subscriptions.get(subscription['id'] as string)).toBeDefined();
  });
}
