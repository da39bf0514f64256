import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { routesOf } from '../../../server/http/http-app.ts';
import type { StripeObject } from '../../stripe/stripe-objects.ts';
import { Api, adminToken, expectProblem, expectWrongFields } from '../fixture.ts';
import { pairedDevice } from '../pairing.ts';
import { Customer, team, urls, type GetBillingServers } from './billing-servers.ts';

const itemsOf = (subscription: StripeObject) =>
  (subscription['items'].data as StripeObject[]).map(({ price, quantity }) => [price.id, quantity]);

export function seatChangeContract(servers: GetBillingServers): void {
  const changesOf = (subscription: StripeObject) =>
    servers().stripe.requests.filter(
      ({ method, path }) => method === 'POST' && path === `/v1/subscriptions/${subscription['id']}`,
    );

  test('[BILL-37] the seats of a subscription are added, changed and deleted, and the answer is what Stripe says', async () => {
    const customer = await Customer.make(servers());
    const subscription = await customer.subscribe(0);
    for (const seats of [4, 10_000, 2, 0, 1]) {
      const changed = await customer.changeSeats(seats);
      expect(changed.status).toBe(200);
      expect(changed.body).toEqual((await customer.api.get('/api/v1/billing')).body);
      expect(changed.body).toMatchObject({ ...team(seats), phones_max: seats + 1 });
      expect(itemsOf(subscription)).toEqual([['price_team', 1], ...(seats > 0 ? [['price_seat', seats]] : [])]);
      expect(subscription['metadata'].additional_seats).toBe(String(seats));
    }
    await customer.deliver('customer.subscription.updated', subscription);
    expect(await customer.state()).toEqual(team(1));
  });

  test('[BILL-37] the seats of several prices become one item, at the price of the first one', async () => {
    const { stripe } = servers();
    const customer = await Customer.make(servers());
    const subscription = await customer.subscribe(2);
    stripe.setSeats(subscription, 3, 'price_seat_before');
    expect((await customer.changeSeats(5)).body).toMatchObject(team(5));
    // They were five already, so nothing was charged.
    expect(itemsOf(subscription)).toHaveLength(3);
    expect((await customer.changeSeats(6)).body).toMatchObject(team(6));
    expect(itemsOf(subscription)).toEqual([
      ['price_team', 1],
      ['price_seat', 6],
    ]);
  });

  test('[BILL-37] what the operator set gives way to the seats that the account asks for', async () => {
    const customer = await Customer.make(servers());
    await customer.subscribe(2);
    await customer.patchAccount({ additional_seats: 50 });
    expect((await customer.changeSeats(2)).body).toMatchObject(team(2));
  });

  test('[BILL-37] [BILL-27] fewer seats unpair no phone', async () => {
    const { first } = servers();
    const customer = await Customer.make(servers());
    await customer.subscribe(1);
    const phones = [];
    for (let count = 0; count < 2; count++) phones.push(await pairedDevice(first, customer.api, { kind: 'phone' }));
    expect((await customer.changeSeats(0)).body).toMatchObject({ ...team(0), phones_max: 1, phones_paired: 2 });
    for (const phone of phones) expect((await phone.get('/api/v1/maps')).status).toBe(200);
  });

  test('[BILL-37] seats need the scope admin, and are an integer from 0 to 10,000', async () => {
    const { first } = servers();
    const customer = await Customer.make(servers());
    const subscription = await customer.subscribe(1);
    const made = await customer.api.post('/api/v1/keys', { name: 'Dashboard', scopes: ['read', 'write'] });
    const reader = new Api({ url: first.url, key: made.body.api_key, accountId: customer.api.accountId });
    expectProblem(await new Customer(reader, servers()).changeSeats(2), 403, 'forbidden');
    for (const additional_seats of [-1, 10_001, 1.5, '2', null, undefined]) {
      expectWrongFields(await customer.api.patch('/api/v1/billing', { additional_seats }), ['/additional_seats']);
    }
    expect(changesOf(subscription)).toEqual([]);
  });

  test('[BILL-38] a repeated key changes the seats once, also after a lost answer and between other changes', async () => {
    const { stripe, second } = servers();
    const customer = await Customer.make(servers());
    const subscription = await customer.subscribe(1);
    const key = randomUUID();
    const once = await customer.changeSeats(3, key);
    await customer.changeSeats(8);
    const again = await new Customer(customer.api.at(second), servers()).changeSeats(3, key);
    expect([again.status, again.body, again.headers.get('Idempotency-Replayed')]).toEqual([200, once.body, 'true']);
    expect(itemsOf(subscription).at(-1)).toEqual(['price_seat', 8]);
    expectProblem(await customer.changeSeats(4, key), 422, 'idempotency_key_mismatch');
    // Stripe did what was asked, and said that it failed.
    const failed = randomUUID();
    stripe.misbehave({ kind: 'answer', status: 500, afterwards: true }, ({ method }) => method === 'POST');
    expectProblem(await customer.changeSeats(5, failed), 503, 'billing_unavailable');
    expect((await customer.changeSeats(5, failed)).body).toMatchObject(team(5));
    expect(itemsOf(subscription)).toEqual([
      ['price_team', 1],
      ['price_seat', 5],
    ]);
  });

  test('[BILL-38] a failure that Stripe stored does not stop the change, which takes one item', async () => {
    const { stripe } = servers();
    const customer = await Customer.make(servers());
    const subscription = await customer.subscribe(0);
    for (const afterwards of [false, true]) {
      const key = randomUUID();
      stripe.misbehave({ kind: 'answer', status: 500, afterwards }, ({ method }) => method === 'POST');
      expectProblem(await customer.changeSeats(7, key), 503, 'billing_unavailable');
      expect((await customer.changeSeats(7, key)).body).toMatchObject(team(7));
      expect(itemsOf(subscription)).toHaveLength(2);
      await customer.changeSeats(0);
    }
  });

  test.each([
    [0, 3, 5],
    [4, 0, 5],
  ])('[BILL-38] of changes at once on two servers from %i seats each gets its own', async (before, others, own) => {
    const { stripe, second } = servers();
    const customer = await Customer.make(servers());
    const there = new Customer(customer.api.at(second), servers());
    const subscription = await customer.subscribe(before);
    const isRead = ({ method, path }: { method: string; path: string }) =>
      method === 'GET' && path === `/v1/subscriptions/${subscription['id']}`;
    // The other request adds or deletes the item after this one read the subscription.
    const until = async () => void (await there.changeSeats(others));
    stripe.misbehave({ kind: 'hold', until }, isRead);
    expect((await customer.changeSeats(own)).body).toMatchObject(team(own));
    expect(itemsOf(subscription)).toEqual([
      ['price_team', 1],
      ['price_seat', own],
    ]);
    expect(customer.alarmsOf(subscription['id'] as string)).toEqual([]);
  });

  test('[BILL-38] without an active subscription there are no seats to change', async () => {
    const customer = await Customer.make(servers());
    expectProblem(await customer.changeSeats(1), 409, 'not_subscribed');
    const subscription = await customer.subscribe(1);
    subscription['status'] = 'unpaid';
    await customer.deliver('customer.subscription.updated', subscription);
    expectProblem(await customer.changeSeats(2), 409, 'not_subscribed');
    subscription['status'] = 'past_due';
    await customer.deliver('customer.subscription.updated', subscription);
    expect((await customer.changeSeats(2)).status).toBe(200);
    // The account did not hear yet that it was canceled.
    subscription['status'] = 'canceled';
    expectProblem(await customer.changeSeats(3), 409, 'not_subscribed');
    expect(await customer.state()).toMatchObject({ status: 'ended', plan: 'free' });
    expect(itemsOf(subscription).at(-1)).toEqual(['price_seat', 2]);
  });

  test('[REST-44] each route of billing that changes something gives its first answer again under a known key', async () => {
    const { first } = servers();
    const customer = await Customer.make(servers());
    const requests: [string, object][] = [
      ['POST /api/v1/billing/checkout', { additional_seats: 1, ...urls }],
      ['PATCH /api/v1/billing', { additional_seats: 2 }],
      ['POST /api/v1/billing/portal', {}],
    ];
    for (const [index, [route, body]] of requests.entries()) {
      const [method, path] = route.split(' ') as [string, string];
      if (index === 1) await customer.subscribe(1);
      const headers = { 'Idempotency-Key': randomUUID() };
      const once = await customer.api.send(method, path, { body, headers });
      const again = await customer.api.send(method, path, { body, headers });
      expect([route, once.headers.get('Idempotency-Replayed')]).toEqual([route, null]);
      expect([again.status, again.body]).toEqual([once.status, once.body]);
      expect(again.headers.get('Idempotency-Replayed')).toBe('true');
    }
    const changing = routesOf(first.services, adminToken).filter(
      ({ method, path }) => method !== 'GET' && path.startsWith('/api/v1/billing'),
    );
    // Events come once, since each is applied as the sweep is.
    const routes = [...requests.map(([route]) => route), 'POST /api/v1/billing/stripe/events'];
    expect(changing.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(routes.toSorted());
  });
}
