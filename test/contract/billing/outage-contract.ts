import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { expectProblem } from '../fixture.ts';
import { Customer, team, type GetBillingServers } from './billing-servers.ts';
import type { Misbehaviour } from '../../stripe/fake-stripe.ts';

const outages: [string, Misbehaviour][] = [
  ['silent', { kind: 'silence' }],
  ['failing', { kind: 'answer', status: 500 }],
  ['busy', { kind: 'answer', status: 429 }],
];

export function outageContract(servers: GetBillingServers): void {
  test.each(outages)(
    '[BILL-13] while Stripe is %s, a request is 503 with Retry-After, and its key works afterwards',
    async (_, outage) => {
      const { stripe } = servers();
      const customer = await Customer.make(servers());
      const key = randomUUID();
      stripe.misbehave(outage);
      const refused = await customer.checkout(1, key);
      expectProblem(refused, 503, 'billing_unavailable');
      expect(refused.headers.get('Retry-After')).toBe('10');
      expect((await customer.checkout(1, key)).status).toBe(201);
      await customer.subscribe(1);
      stripe.misbehave(outage);
      expectProblem(await customer.api.post('/api/v1/billing/portal', {}), 503, 'billing_unavailable');
      expect((await customer.api.get('/api/v1/billing')).status).toBe(200);
    },
  );

  test.each(outages)('[BILL-13] while Stripe is %s, an event is 503, and its repeat is applied', async (_, outage) => {
    const { stripe } = servers();
    const customer = await Customer.make(servers());
    const subscription = await customer.subscribe(1);
    stripe.setSeats(subscription, 6);
    const event = stripe.event('customer.subscription.updated', subscription);
    stripe.misbehave(outage);
    expect(await stripe.deliver(customer.api.url, event)).toMatchObject({
      status: 503,
      body: { code: 'billing_unavailable' },
    });
    expect(await customer.state()).toEqual(team(1));
    expect((await stripe.deliver(customer.api.url, event)).status).toBe(200);
    expect(await customer.state()).toEqual(team(6));
  });

  test('[BILL-46] metadata that cannot be written fail no event, and the next one writes them', async () => {
    const { stripe } = servers();
    const customer = await Customer.make(servers());
    const subscription = await customer.subscribe(1);
    for (const [status, seats] of [
      [500, 6],
      [400, 7],
    ] as const) {
      stripe.setSeats(subscription, seats);
      stripe.misbehave({ kind: 'answer', status }, ({ method }) => method === 'POST');
      await customer.deliver('customer.subscription.updated', subscription);
      expect(await customer.state()).toEqual(team(seats));
      expect(subscription['metadata'].additional_seats).not.toBe(String(seats));
    }
    await customer.deliver('customer.subscription.updated', subscription);
    expect(subscription['metadata'].additional_seats).toBe('7');
  });

  test.each([500, 503, 400])(
    '[BILL-39] a %i that Stripe stored under a key does not stop the request for a day',
    async (status) => {
      const { stripe } = servers();
      const customer = await Customer.make(servers());
      const key = randomUUID();
      // Each repeat meets what is stored of those before, and fails once more.
      for (let times = 0; times < 3; times++) {
        stripe.misbehave({ kind: 'answer', status }, isBeginning, times + 1);
        expect((await customer.checkout(1, key)).status).toBe(503);
        stripe.behave();
      }
      const begun = await customer.checkout(1, key);
      expect(begun.status).toBe(201);
      expect((await customer.checkout(1, key)).body).toEqual(begun.body);
      stripe.misbehave({ kind: 'answer', status }, isPortal);
      await customer.subscribe(1);
      const headers = { 'Idempotency-Key': randomUUID() };
      expect((await customer.api.post('/api/v1/billing/portal', {}, headers)).status).toBe(503);
      expect((await customer.api.post('/api/v1/billing/portal', {}, headers)).status).toBe(200);
    },
  );

  test('[BILL-39] an answer that was lost is asked for under the same key, so that one checkout is begun', async () => {
    const { stripe } = servers();
    const customer = await Customer.make(servers());
    const before = stripe.sessions.size;
    const key = randomUUID();
    stripe.misbehave({ kind: 'hold', until: () => new Promise(() => {}) }, isBeginning);
    expectProblem(await customer.checkout(1, key), 503, 'billing_unavailable');
    const begun = await customer.checkout(1, key);
    expect([begun.status, stripe.sessions.size]).toEqual([201, before + 1]);
  });

  test.each([
    [401, undefined],
    [403, 'permission_error'],
    [400, 'parameter_invalid_empty'],
    [404, 'resource_missing'],
  ])(
    '[BILL-42] [BILL-50] what Stripe refuses by %i %s is told as a refusal, and to the operator',
    async (status, code) => {
      const { stripe } = servers();
      const customer = await Customer.make(servers());
      const refusal = { kind: 'answer', status, ...(code === undefined ? {} : { code }) } as const;
      stripe.misbehave(refusal);
      const before = servers().logged.length;
      const refused = await customer.checkout(1);
      expectProblem(refused, 503, 'billing_refused');
      expect(refused.headers.get('Retry-After')).toBeNull();
      const told = servers()
        .logged.slice(before)
        .map((line) => JSON.parse(line) as object);
      expect(told).toContainEqual(
        expect.objectContaining({ level: 50, alarm: 'stripe_refused', code: code ?? 'invalid_request_error' }),
      );
      const metrics = await fetch(`${customer.api.url}/metrics`);
      expect(await metrics.text()).toMatch(/^gemba_billing_alarms_total\{alarm="stripe_refused"\} [1-9]/m);
      expect((await customer.checkout(1)).status).toBe(201);
    },
  );

  test('[BILL-41] while Stripe does not end a page that is open, no URL of another one is shown', async () => {
    const { stripe } = servers();
    const customer = await Customer.make(servers());
    const before = customer.sessionAt((await customer.checkout(1)).body.url);
    const count = stripe.sessions.size;
    stripe.misbehave({ kind: 'answer', status: 400 }, ({ path }) => path.endsWith('/expire'));
    expectProblem(await customer.checkout(2), 503, 'billing_refused');
    expect([before['status'], stripe.sessions.size]).toEqual(['open', count]);
    expect((await customer.checkout(2)).status).toBe(201);
    expect(before['status']).toBe('expired');
  });

  test('[BILL-42] a price that Stripe does not know is refused, and works under the same key once there is one', async () => {
    const { stripe } = servers();
    const customer = await Customer.make(servers());
    const key = randomUUID();
    stripe.prices.delete('price_team');
    expectProblem(await customer.checkout(1, key), 503, 'billing_refused');
    stripe.prices.add('price_team');
    expect((await customer.checkout(1, key)).status).toBe(201);
  });

  test.each([400, 401, 403, 404])(
    '[BILL-48] a %i of a fetch is no unknown subscription, so its event comes again',
    async (status) => {
      const { stripe } = servers();
      const customer = await Customer.make(servers());
      const subscription = await customer.subscribe(1);
      stripe.setSeats(subscription, 2);
      const event = stripe.event('customer.subscription.updated', subscription);
      stripe.misbehave({ kind: 'answer', status });
      expect(await stripe.deliver(customer.api.url, event)).toMatchObject({
        status: 503,
        body: { code: 'billing_refused' },
      });
      expect((await stripe.deliver(customer.api.url, event)).status).toBe(200);
      expect(await customer.state()).toEqual(team(2));
    },
  );
}

const isBeginning = ({ method, path }: { method: string; path: string }) =>
  method === 'POST' && path === '/v1/checkout/sessions';
const isPortal = ({ path }: { path: string }) => path === '/v1/billing_portal/sessions';
