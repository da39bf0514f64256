import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createAccount } from '../../../server/auth/new-account.ts';
import { Api, expectProblem, expectWrongFields } from '../fixture.ts';
import { Customer, origin, team, urls, type GetBillingServers } from './billing-servers.ts';

export function checkoutContract(servers: GetBillingServers): void {
  test('[BILL-5] [BILL-6] [BILL-7] a checkout has the team once and the seats, and says whose it is', async () => {
    const { stripe } = servers();
    const customer = await Customer.make(servers());
    const begun = await customer.checkout(3);
    expect(begun.status).toBe(201);
    expect(begun.headers.get('Cache-Control')).toBe('no-store');
    const metadata = { account_id: customer.api.accountId, additional_seats: '3' };
    const request = stripe.requests.at(-1)!;
    expect(request).toMatchObject({ method: 'POST', path: '/v1/checkout/sessions', version: '2026-10-28.endive' });
    expect(request.form).toEqual({
      mode: 'subscription',
      line_items: { 0: { price: 'price_team', quantity: '1' }, 1: { price: 'price_seat', quantity: '3' } },
      client_reference_id: customer.api.accountId,
      metadata,
      subscription_data: { metadata },
      ...urls,
    });
    const { expires_at } = customer.sessionAt(begun.body.url);
    expect(begun.body).toEqual({ url: expect.any(String), expires_at: new Date(expires_at * 1000).toISOString() });
    await customer.checkout(0);
    expect(stripe.requests.at(-1)!.form['line_items']).toEqual({ 0: { price: 'price_team', quantity: '1' } });
  });

  test('[BILL-8] a repeated key begins one checkout, on any server, and another body is refused', async () => {
    const { second, stripe } = servers();
    const customer = await Customer.make(servers());
    const key = randomUUID();
    const first = await customer.checkout(2, key);
    const before = stripe.requests.length;
    const repeated = await new Customer(customer.api.at(second), servers()).checkout(2, key);
    expect(repeated.body).toEqual(first.body);
    expect(repeated.headers.get('Idempotency-Replayed')).toBe('true');
    expect(stripe.requests).toHaveLength(before);
    expectProblem(await customer.checkout(3, key), 422, 'idempotency_key_mismatch');
    // Two requests at once send the same key to Stripe.
    const [one, other] = await Promise.all([customer.checkout(4, 'twice'), customer.checkout(4, 'twice')]);
    expect(one.body.url).toBe(other.body.url);
  });

  test('[BILL-9] URLs of other origins are refused, and so are seats beyond 10,000', async () => {
    const customer = await Customer.make(servers());
    const post = (fields: object) =>
      customer.api.post('/api/v1/billing/checkout', { additional_seats: 0, ...urls, ...fields });
    const foreign = [
      'https://evil.example/paid',
      'http://gemba.example/paid',
      'https://gemba.example.evil.example/',
      'https://gemba.example@evil.example/',
      'https://gemba.example:444/',
      'https:\\\\gemba.example/paid',
      ' https://gemba.example/paid',
      '/paid',
      'javascript:alert(1)',
    ];
    for (const url of foreign) expectWrongFields(await post({ success_url: url }), ['/success_url']);
    expectWrongFields(await post({ success_url: 'x', cancel_url: foreign[0] }), ['/success_url', '/cancel_url']);
    expectWrongFields(await post({ additional_seats: 10_001 }), ['/additional_seats']);
    expectWrongFields(await post({ additional_seats: -1 }), ['/additional_seats']);
    expectWrongFields(await post({ seats: 1 }), ['/seats']);
    expect((await post({ additional_seats: 10_000, success_url: origin })).status).toBe(201);
    await customer.subscribe(0);
    const portal = await customer.api.post('/api/v1/billing/portal', { return_url: foreign[0] });
    expectWrongFields(portal, ['/return_url']);
  });

  test('[BILL-10] a checkout and the pages of the subscription need the scope admin', async () => {
    const { first } = servers();
    const customer = await Customer.make(servers());
    const made = await customer.api.post('/api/v1/keys', { name: 'Dashboard', scopes: ['read', 'write'] });
    const reader = new Api({ url: first.url, key: made.body.api_key, accountId: customer.api.accountId });
    expectProblem(await new Customer(reader, servers()).checkout(1), 403, 'forbidden');
    expectProblem(await reader.post('/api/v1/billing/portal', {}), 403, 'forbidden');
    expect((await reader.get('/api/v1/billing')).status).toBe(200);
  });

  test('[BILL-11] an account with a subscription is sent to its pages, until that is over', async () => {
    const { stripe } = servers();
    const customer = await Customer.make(servers());
    const subscription = await customer.subscribe(1);
    for (const status of ['active', 'past_due', 'unpaid']) {
      subscription['status'] = status;
      await customer.deliver('customer.subscription.updated', subscription);
      const refused = await customer.checkout(1);
      expectProblem(refused, 409, 'already_subscribed');
      expect(refused.body.portal).toBe(true);
    }
    subscription['status'] = 'canceled';
    await customer.deliver('customer.subscription.deleted', subscription);
    expect((await customer.checkout(4)).status).toBe(201);
    expect(stripe.requests.at(-1)!.form['customer']).toBe(subscription['customer']);
  });

  test('[BILL-12] a checkout ends the one before it, and after a paid one it is refused', async () => {
    const customer = await Customer.make(servers());
    const first = customer.sessionAt((await customer.checkout(1)).body.url);
    const second = customer.sessionAt((await customer.checkout(2)).body.url);
    expect([first['status'], second['status']]).toEqual(['expired', 'open']);
    servers().stripe.pay(second['id'] as string);
    expectProblem(await customer.checkout(2), 409, 'already_subscribed');
    await customer.deliver('checkout.session.completed', second);
    expect(await customer.state()).toEqual(team(2));
  });

  test('[BILL-12] of checkouts that begin at once one stays open', async () => {
    const { second } = servers();
    const customer = await Customer.make(servers());
    const there = new Customer(customer.api.at(second), servers());
    const begun = await Promise.all([1, 2, 3, 4].map((seats) => (seats % 2 ? customer : there).checkout(seats)));
    const statuses = begun.map(({ body }) => customer.sessionAt(body.url)['status'] as string);
    expect(statuses.toSorted()).toEqual(['expired', 'expired', 'expired', 'open']);
  });

  test('[BILL-12] a checkout that begins while another one is paid is refused, and its page ends', async () => {
    const { stripe } = servers();
    const customer = await Customer.make(servers());
    const { session } = await customer.pay(1);
    await customer.deliver('checkout.session.completed', session);
    const subscription = stripe.subscriptions.get(session['subscription'] as string)!;
    subscription['status'] = 'canceled';
    await customer.deliver('customer.subscription.deleted', subscription);
    const isBeginning = ({ path, method }: { path: string; method: string }) =>
      method === 'POST' && path === '/v1/checkout/sessions';
    const until = async () => {
      const metadata = { account_id: customer.api.accountId };
      const other = stripe.newSubscription({ customer: subscription['customer'] as string, metadata });
      await customer.deliver('customer.subscription.created', other);
    };
    stripe.misbehave({ kind: 'hold', until }, isBeginning);
    expectProblem(await customer.checkout(5), 409, 'already_subscribed');
    expect([...stripe.sessions.values()].at(-1)!['status']).toBe('expired');
  });

  test('[BILL-14] the pages of the subscription are those of the customer of the account', async () => {
    const { stripe } = servers();
    const customer = await Customer.make(servers());
    expectProblem(await customer.api.post('/api/v1/billing/portal', {}), 409, 'not_subscribed');
    const subscription = await customer.subscribe(0);
    const headers = { 'Idempotency-Key': randomUUID() };
    const opened = await customer.api.post('/api/v1/billing/portal', { return_url: `${origin}/plans` }, headers);
    expect(opened.status).toBe(200);
    expect(opened.body).toEqual({ url: `https://billing.stripe.test/p/${subscription['customer']}` });
    expect(stripe.requests.at(-1)!.form['return_url']).toBe(`${origin}/plans`);
    const count = stripe.requests.length;
    const repeated = await customer.api.post('/api/v1/billing/portal', { return_url: `${origin}/plans` }, headers);
    expect([repeated.body, stripe.requests.length]).toEqual([opened.body, count]);
  });

  test('[BILL-15] an account is shown with its subscription, its plan and its phones', async () => {
    const { first } = servers();
    const { account, api_key } = await createAccount(first, { name: 'Shop', plan: 'free' });
    const api = new Api({ url: first.url, key: api_key, accountId: account.id });
    const none = { provider: 'stripe', status: 'none', plan: 'free', additional_seats: 0, phones_max: null };
    expect((await api.get('/api/v1/billing')).body).toEqual({ ...none, phones_paired: 0, renews_at: null });
    const customer = new Customer(api, servers());
    const subscription = await customer.subscribe(2);
    const { current_period_end } = subscription['items'].data[0];
    expect((await api.get('/api/v1/billing')).body).toEqual({
      ...none,
      ...team(2),
      phones_max: 3,
      phones_paired: 0,
      renews_at: new Date(current_period_end * 1000).toISOString(),
    });
    subscription['cancel_at_period_end'] = true;
    await customer.deliver('customer.subscription.updated', subscription);
    expect((await api.get('/api/v1/billing')).body).toMatchObject({ status: 'active', renews_at: null });
  });
}
