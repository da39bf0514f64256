import { expect, test } from 'vitest';
import { expectProblem, type Received } from '../fixture.ts';
import { Customer, team, type GetBillingServers } from './billing-servers.ts';

const path = '/api/v1/billing/stripe/events';

export function signatureContract(servers: GetBillingServers): void {
  const send = async (customer: Customer, raw: string, signature?: string): Promise<Received> => {
    const signed = signature === undefined ? {} : { 'Stripe-Signature': signature };
    return customer.api.send('POST', path, { raw, headers: { 'Content-Type': 'application/json', ...signed } });
  };

  test('[BILL-16] an event that is not signed, was changed, or is older than 5 minutes is refused and changes nothing', async () => {
    const { stripe } = servers();
    const customer = await Customer.make(servers());
    const { session } = await customer.pay(2);
    const payload = JSON.stringify(stripe.event('checkout.session.completed', session));
    const secs = Math.floor(Date.now() / 1000);
    const refused = [
      undefined,
      '',
      'nonsense',
      `t=${secs}`,
      stripe.sign(payload, { secret: 'whsec_other' }),
      stripe.sign(payload, { secs: secs - 301 }),
      stripe.sign(payload).replace('v1=', 'v0='),
      stripe.sign(`${payload} `),
    ];
    for (const signature of refused) expectProblem(await send(customer, payload, signature), 400, 'signature_invalid');
    const changed = payload.replace(customer.api.accountId, '0190a1b2-0000-7000-8000-000000000000');
    expectProblem(await send(customer, changed, stripe.sign(payload)), 400, 'signature_invalid');
    expectProblem(await send(customer, '', stripe.sign('')), 400, 'signature_invalid');
    expect(await customer.state()).toEqual({ status: 'none', plan: 'free', additional_seats: 0 });
    expect((await send(customer, payload, stripe.sign(payload, { secs: secs - 290 }))).status).toBe(200);
    expect(await customer.state()).toEqual(team(2));
  });

  test('[BILL-17] an event of 256 KiB is taken byte by byte, and a larger one is refused', async () => {
    const { stripe } = servers();
    const customer = await Customer.make(servers());
    const { session } = await customer.pay(1);
    const text = JSON.stringify(stripe.event('checkout.session.completed', session), null, 4);
    const padded = text + '\n'.repeat(256 * 1024 - text.length);
    expectProblem(await send(customer, `${padded} `, stripe.sign(`${padded} `)), 413, 'payload_too_large');
    expect((await send(customer, padded, stripe.sign(padded))).status).toBe(200);
    expect(await customer.state()).toEqual(team(1));
  });
}
