import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { expectProblem } from '../fixture.ts';
import { Customer, team, type GetBillingServers } from './billing-servers.ts';
import type { Misbehaviour } from '../../stripe/fake-stripe.ts';

const outages: [string, Misbehaviour][] = [
  ['silent', { kind: 'silence' }],
  ['failing', { kind: 'answer', status: 500 }],
  ['busy', { kind: 'answer', status: 429 }],
  ['refusing its key', { kind: 'answer', status: 401 }],
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

  test('[BILL-23] metadata that could not be written are written at the repeat of the event', async () => {
    const { stripe } = servers();
    const customer = await Customer.make(servers());
    const subscription = await customer.subscribe(1);
    stripe.setSeats(subscription, 6);
    const event = stripe.event('customer.subscription.updated', subscription);
    stripe.misbehave({ kind: 'answer', status: 500 }, ({ method }) => method === 'POST');
    expect((await stripe.deliver(customer.api.url, event)).status).toBe(503);
    expect(await customer.state()).toEqual(team(6));
    expect(subscription['metadata'].additional_seats).toBe('1');
    expect((await stripe.deliver(customer.api.url, event)).status).toBe(200);
    expect(subscription['metadata'].additional_seats).toBe('6');
  });
}
