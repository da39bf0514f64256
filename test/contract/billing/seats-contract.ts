import { expect, test } from 'vitest';
import { expectProblem } from '../fixture.ts';
import { newCode, pair, pairedDevice } from '../pairing.ts';
import { Customer, ended, team, type GetBillingServers } from './billing-servers.ts';

export function seatsContract(servers: GetBillingServers): void {
  test('[BILL-27] fewer seats and the free plan remove no phone and no map, and new ones are refused', async () => {
    const { first, stripe } = servers();
    const customer = await Customer.make(servers());
    const { api } = customer;
    const subscription = await customer.subscribe(2);
    const phones = [];
    for (let count = 0; count < 3; count++) phones.push(await pairedDevice(first, api, { kind: 'phone' }));
    for (let count = 0; count < 4; count++) await api.createMap();
    stripe.setSeats(subscription, 0);
    await customer.deliver('customer.subscription.updated', subscription);
    const shown = (await api.get('/api/v1/billing')).body;
    expect(shown).toMatchObject({ ...team(0), phones_max: 1, phones_paired: 3 });
    expectProblem(await pair(first, { code: await newCode(api, 'phone'), kind: 'phone' }), 403, 'seat_limit_reached');
    for (const phone of phones) expect((await phone.get('/api/v1/maps')).status).toBe(200);

    subscription['status'] = 'canceled';
    await customer.deliver('customer.subscription.deleted', subscription);
    expect(await customer.state()).toEqual(ended);
    const maps = (await api.get('/api/v1/maps')).body.data as { id: string }[];
    expect(maps).toHaveLength(4);
    expectProblem(await api.post('/api/v1/maps', { name: 'One more' }), 403, 'map_cap_reached');
    await phones[0]!.record(maps[0]!.id);
    expect((await api.get('/api/v1/devices')).body.data).toHaveLength(3);
  });

  test('[BILL-28] phones that pair while the seats change take no more seats than the account then has', async () => {
    const { first, second, stripe } = servers();
    const customer = await Customer.make(servers());
    const { api } = customer;
    const subscription = await customer.subscribe(0);
    const codes = await Promise.all(Array.from({ length: 10 }, () => newCode(api, 'phone')));
    stripe.setSeats(subscription, 3);
    const event = stripe.event('customer.subscription.updated', subscription);
    const pairing = (some: string[]) =>
      some.map((code, index) => pair(index % 2 ? first : second, { code, kind: 'phone' }));
    const [delivered, ...early] = await Promise.all([stripe.deliver(second.url, event), ...pairing(codes.slice(0, 5))]);
    expect(delivered.status).toBe(200);
    const late = await Promise.all(pairing(codes.slice(5)));
    const paired = [...early, ...late].filter(({ status }) => status === 201);
    expect(paired).toHaveLength(4);
    const shown = (await api.get('/api/v1/billing')).body;
    expect(shown).toMatchObject({ ...team(3), phones_max: 4, phones_paired: 4 });
  });
}
