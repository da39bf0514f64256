import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { StripeObject } from '../../stripe/stripe-objects.ts';
import { expectProblem } from '../fixture.ts';
import { Customer, ended, team, type GetBillingServers } from './billing-servers.ts';

const isEnding = ({ path }: { path: string }) => path.endsWith('/expire');

export function lostCheckoutContract(servers: GetBillingServers): void {
  const openPagesOf = (accountId: string) =>
    [...servers().stripe.sessions.values()].filter(
      ({ client_reference_id, status }) => client_reference_id === accountId && status === 'open',
    );
  const cancel = async (customer: Customer, subscription: StripeObject) => {
    subscription['status'] = 'canceled';
    await customer.deliver('customer.subscription.deleted', subscription);
  };

  test('[BILL-40] a paid checkout whose event was lost counts at the next checkout, which is refused', async () => {
    const customer = await Customer.make(servers());
    const { subscription } = await customer.pay(3);
    expectProblem(await customer.checkout(1), 409, 'already_subscribed');
    expect(await customer.state()).toEqual(team(3));
    expect(openPagesOf(customer.api.accountId)).toEqual([]);
    expect((await customer.api.post('/api/v1/billing/portal', {})).status).toBe(200);
    await customer.deliver('customer.subscription.updated', subscription);
    expect(customer.alarmsOf(customer.api.accountId)).toEqual([]);
  });

  test('[BILL-40] a lost checkout that was canceled since binds its customer, and the next one is the same customer’s', async () => {
    const { stripe } = servers();
    const customer = await Customer.make(servers());
    const { session, subscription } = await customer.pay(3);
    subscription['status'] = 'canceled';
    const next = await customer.checkout(2);
    expect(next.status).toBe(201);
    expect(customer.sessionAt(next.body.url)['customer']).toBe(session['customer']);
    const bought = stripe.pay(customer.sessionAt(next.body.url)['id'] as string);
    await customer.deliver('customer.subscription.created', bought);
    expect(await customer.state()).toEqual(team(2));
  });

  test('[BILL-41] a page that cannot be ended keeps another one from being shown, until it is known to have ended', async () => {
    const { stripe } = servers();
    const customer = await Customer.make(servers());
    const first = customer.sessionAt((await customer.checkout(1)).body.url);
    const key = randomUUID();
    stripe.misbehave({ kind: 'answer', status: 500 }, isEnding);
    expectProblem(await customer.checkout(2, key), 503, 'billing_unavailable');
    expect(first['status']).toBe('open');
    // Meanwhile the person pays on the page that they have.
    stripe.pay(first['id'] as string);
    expectProblem(await customer.checkout(2, key), 409, 'already_subscribed');
    expect(await customer.state()).toEqual(team(1));
    expect(openPagesOf(customer.api.accountId)).toEqual([]);
  });

  test('[BILL-41] of checkouts at once on two servers one page is open, and one that was paid in between counts', async () => {
    const { second, stripe } = servers();
    const customer = await Customer.make(servers());
    const there = new Customer(customer.api.at(second), servers());
    // The other request begins its checkout, which is paid, while this one is at Stripe.
    let paid: StripeObject | undefined;
    const until = async () => {
      const { url } = (await there.checkout(5)).body;
      paid = stripe.pay(customer.sessionAt(url)['id'] as string);
    };
    const isBeginning = ({ method, path }: { method: string; path: string }) =>
      method === 'POST' && path === '/v1/checkout/sessions';
    stripe.misbehave({ kind: 'hold', until }, isBeginning);
    expectProblem(await customer.checkout(1), 409, 'already_subscribed');
    expect(paid).toBeDefined();
    expect(await customer.state()).toEqual(team(5));
    expect(openPagesOf(customer.api.accountId)).toEqual([]);
  });

  test('[BILL-41] a repeat after a failure shows a page that is open, also if the first one ended since', async () => {
    const { stripe } = servers();
    const customer = await Customer.make(servers());
    const key = randomUUID();
    const isRetrieval = ({ method, path }: { method: string; path: string }) =>
      method === 'GET' && path.startsWith('/v1/checkout/sessions/');
    const beginning = customer.checkout(1, key);
    const begun = customer.sessionAt((await beginning).body.url);
    await customer.checkout(2);
    expect(begun['status']).toBe('expired');
    // Without the reply that the server stores, Stripe's own is left.
    const lost = await Customer.make(servers());
    const lostKey = randomUUID();
    stripe.misbehave(
      { kind: 'hold', until: () => new Promise(() => {}) },
      ({ path }) => path === '/v1/checkout/sessions',
    );
    expectProblem(await lost.checkout(1, lostKey), 503, 'billing_unavailable');
    const [unseen] = openPagesOf(lost.api.accountId);
    unseen!['status'] = 'expired';
    const repeated = await lost.checkout(1, lostKey);
    expect(lost.sessionAt(repeated.body.url)['status']).toBe('open');
    expect(stripe.requests.some(isRetrieval)).toBe(true);
  });

  test('[BILL-45] late events of an old checkout leave a newer one, which still ends at the next', async () => {
    const { stripe } = servers();
    const customer = await Customer.make(servers());
    const old = await customer.pay(1);
    await customer.deliver('checkout.session.completed', old.session);
    await cancel(customer, old.subscription);
    const middle = await customer.pay(2);
    await customer.deliver('checkout.session.completed', middle.session);
    await cancel(customer, middle.subscription);
    const newer = customer.sessionAt((await customer.checkout(3)).body.url);
    await customer.patchAccount({ plan: 'team', additional_seats: 8 });
    for (const [type, object] of [
      ['checkout.session.completed', old.session],
      ['customer.subscription.deleted', old.subscription],
      ['checkout.session.completed', middle.session],
    ] as const) {
      await customer.deliver(type, object);
    }
    expect(newer['status']).toBe('open');
    const next = await customer.checkout(4);
    expect([newer['status'], customer.sessionAt(next.body.url)['status']]).toEqual(['expired', 'open']);
    stripe.pay(customer.sessionAt(next.body.url)['id'] as string);
    await customer.deliver('checkout.session.completed', customer.sessionAt(next.body.url));
    expect(await customer.state()).toEqual(team(4));
  });

  test('[BILL-45] an ended subscription does not take the place of another one that ended', async () => {
    const customer = await Customer.make(servers());
    const first = await customer.subscribe(1);
    await cancel(customer, first);
    const second = await customer.subscribe(2);
    await cancel(customer, second);
    await customer.patchAccount({ plan: 'team', additional_seats: 8 });
    await customer.deliver('customer.subscription.deleted', first);
    expect(await customer.state()).toEqual({ ...ended, plan: 'team', additional_seats: 8 });
  });

  test('[BILL-49] a completed checkout that changes nothing is an alarm, and one of other products is none', async () => {
    const { stripe } = servers();
    const customer = await Customer.make(servers());
    const { session, subscription } = await customer.pay(1);
    const poster = { ...session, id: 'cs_test_poster', metadata: {}, client_reference_id: null };
    await customer.deliver('checkout.session.completed', poster);
    expect(customer.alarmsOf('cs_test_poster')).toEqual([]);
    const other = '0190a1b2-0000-7000-8000-000000000000';
    const cases: [string, StripeObject][] = [
      ['cs_test_stranger', { client_reference_id: other, metadata: { account_id: other } }],
      ['cs_test_mixed', { metadata: { account_id: other } }],
      ['cs_test_gone', { subscription: 'sub_gone' }],
    ];
    for (const [id, fields] of cases) {
      await customer.deliver('checkout.session.completed', { ...session, id, ...fields });
      expect(customer.alarmsOf(id)).toEqual(['checkout_without_effect']);
    }
    subscription['items'].data = [];
    await customer.deliver('checkout.session.completed', session);
    expect(customer.alarmsOf(session['id'] as string)).toEqual(['checkout_without_effect']);
    expect(stripe.subscriptions.has(subscription['id'] as string)).toBe(true);
  });
}
