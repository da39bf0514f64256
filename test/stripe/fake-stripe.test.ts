import { Stripe } from 'stripe';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startFakeStripe, type FakeStripe } from './fake-stripe.ts';

let fake: FakeStripe;
let stripe: Stripe;
beforeAll(async () => {
  fake = await startFakeStripe();
  const { port } = new URL(fake.settings.apiUrl!);
  stripe = new Stripe(fake.settings.secretKey, { host: '127.0.0.1', port, protocol: 'http', maxNetworkRetries: 0 });
});
afterAll(() => fake.close());

test('the fake signs as the package of Stripe does', () => {
  const payload = JSON.stringify(fake.event('invoice.paid', { id: 'in_1' }));
  const timestamp = Math.floor(Date.now() / 1000);
  const secret = fake.settings.webhookSecret;
  const header = stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp });
  expect(fake.sign(payload, { secs: timestamp })).toBe(header);
});

test('a repeated key returns the first answer, and with other parameters it is refused', async () => {
  const create = (quantity: number) =>
    stripe.checkout.sessions.create(
      { mode: 'subscription', line_items: [{ price: 'price_team', quantity }], success_url: 'https://gemba.example' },
      { idempotencyKey: 'once' },
    );
  const { id } = await create(1);
  expect((await create(1)).id).toBe(id);
  await expect(create(2)).rejects.toBeInstanceOf(Stripe.errors.StripeIdempotencyError);
  expect((await stripe.checkout.sessions.expire(id)).status).toBe('expired');
  await expect(stripe.checkout.sessions.expire(id)).rejects.toBeInstanceOf(Stripe.errors.StripeInvalidRequestError);
});

test('a failure is stored under its key and told as a repeat, and what is refused before the keys is not', async () => {
  const create = (idempotencyKey: string) =>
    stripe.checkout.sessions.create(
      {
        mode: 'subscription',
        line_items: [{ price: 'price_team', quantity: 1 }],
        success_url: 'https://gemba.example',
      },
      { idempotencyKey },
    );
  fake.misbehave({ kind: 'answer', status: 500 });
  await expect(create('stored')).rejects.toMatchObject({ statusCode: 500 });
  await expect(create('stored')).rejects.toMatchObject({
    statusCode: 500,
    headers: { 'idempotent-replayed': 'true' },
  });
  fake.misbehave({ kind: 'answer', status: 429 });
  await expect(create('busy')).rejects.toMatchObject({ statusCode: 429 });
  expect((await create('busy')).status).toBe('open');
});
