import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { RunningServer } from '../../../server/app.ts';
import { adminToken, Api, expectProblem, type GetServers } from '../fixture.ts';
import { newCode, pair, pairedDevice } from '../pairing.ts';

const operatorAt = (server: RunningServer) => new Api({ url: server.url, key: adminToken, accountId: '' });

async function createAccountWith(server: RunningServer, fields: object): Promise<Api> {
  const { body } = await operatorAt(server).post('/api/v1/admin/accounts', { name: 'Shop', plan: 'team', ...fields });
  return new Api({ url: server.url, key: body.api_key, accountId: body.account.id });
}

export function seatsContract(servers: GetServers): void {
  test('[AUTH-16] [AUTH-92] a team has a phone and one for each additional seat; a further one is refused and names the limit', async () => {
    const { first } = servers();
    const api = await createAccountWith(first, { seats: 1 });
    const [one] = [
      await pairedDevice(first, api, { kind: 'phone' }),
      await pairedDevice(first, api, { kind: 'phone' }),
    ];
    const third = { code: await newCode(api, 'phone'), id: randomUUID(), kind: 'phone' as const };
    const refused = await pair(first, third);
    expectProblem(refused, 403, 'seat_limit_reached');
    expect(refused.body).toMatchObject({ limit: 2, plan: 'team' });
    await pairedDevice(first, api, { kind: 'wearable' });
    await pairedDevice(first, api, { kind: 'phone', id: one.id });
    // Once a seat is free, the same code works for the phone that was refused.
    await api.post(`/api/v1/devices/${one.id}/revoke`);
    expect((await pair(first, third)).status).toBe(201);
    const back = { code: await newCode(api, 'phone'), id: one.id, kind: 'phone' as const };
    expectProblem(await pair(first, back), 403, 'seat_limit_reached');
    await operatorAt(first).patch(`/api/v1/admin/accounts/${api.accountId}`, { additional_seats: 2 });
    expect((await pair(first, back)).status).toBe(201);
  });

  test('[AUTH-17] phones that pair at once, on two servers, do not take more seats than there are', async () => {
    const { first, second } = servers();
    const api = await createAccountWith(first, { seats: 2 });
    const codes = await Promise.all(Array.from({ length: 8 }, () => newCode(api, 'phone')));
    const racing = codes.map((code, index) => pair(index % 2 ? first : second, { code, kind: 'phone' }));
    const statuses = (await Promise.all(racing)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([201, 201, 201, 403, 403, 403, 403, 403]);
    expect((await api.get('/api/v1/devices')).body.data).toHaveLength(3);
  });

  test('[AUTH-99] [AUTH-100] a desk takes no seat, a phone that becomes a desk frees its seat, and back it takes one', async () => {
    const { first } = servers();
    const api = await createAccountWith(first, { seats: 0 });
    const phone = await pairedDevice(first, api, { kind: 'phone' });
    const desk = await pairedDevice(first, api, { kind: 'desk' });
    expect((await desk.get('/api/v1/devices')).body.data).toMatchObject([{ kind: 'desk' }, { kind: 'phone' }]);
    const other = { code: await newCode(api, 'phone'), id: randomUUID(), kind: 'phone' as const };
    expectProblem(await pair(first, other), 403, 'seat_limit_reached');
    expectProblem(await pair(first, { code: await newCode(api, 'phone'), kind: 'desk' }), 401, 'pairing_code_invalid');

    const asPhone = { code: await newCode(api, 'phone'), id: desk.id, kind: 'phone' as const };
    expectProblem(await pair(first, asPhone), 403, 'seat_limit_reached');
    expect((await desk.get('/api/v1/devices')).status).toBe(200);
    await pairedDevice(first, api, { kind: 'desk', id: phone.id });
    expect((await pair(first, asPhone)).status).toBe(201);
    expectProblem(await pair(first, other), 403, 'seat_limit_reached');
  });

  test('[AUTH-101] an account is shown with its plan, and its phones, devices and maps with the limits on them', async () => {
    const { first } = servers();
    const api = await createAccountWith(first, { seats: 1, name: 'Saw mill' });
    const overview = async () => (await api.get('/api/v1/account')).body;
    const { accountId: id } = api;
    expect(await overview()).toEqual({
      id,
      name: 'Saw mill',
      plan: 'team',
      phones: 0,
      phones_max: 2,
      devices: 0,
      maps: 0,
      maps_max: null,
    });
    const phone = await pairedDevice(first, api, { kind: 'phone' });
    await pairedDevice(first, api, { kind: 'desk' });
    const watch = await pairedDevice(first, api);
    await api.post('/api/v1/maps', { name: 'Saw' });
    expect(await overview()).toMatchObject({ phones: 1, devices: 3, maps: 1 });
    expect((await watch.get('/api/v1/account')).body.name).toBe('Saw mill');
    await api.post(`/api/v1/devices/${phone.id}/revoke`);
    await operatorAt(first).patch(`/api/v1/admin/accounts/${id}`, { plan: 'free' });
    expect(await overview()).toMatchObject({ plan: 'free', phones: 0, phones_max: null, devices: 2, maps_max: 2 });
  });

  test('[AUTH-18] [AUTH-93] seats limit nothing until the operator sets them, nor on another plan, nor once they are lifted', async () => {
    const { first } = servers();
    const operator = operatorAt(first);
    const made = await operator.post('/api/v1/admin/accounts', { name: 'Shop', plan: 'team' });
    expect(made.body.account).toMatchObject({ additional_seats: 0, phones_max: null });
    const api = new Api({ url: first.url, key: made.body.api_key, accountId: made.body.account.id });
    const path = `/api/v1/admin/accounts/${api.accountId}`;
    for (let phone = 0; phone < 3; phone++) await pairedDevice(first, api, { kind: 'phone' });
    const limited = await operator.patch(path, { additional_seats: 0 });
    expect(limited.body.account).toMatchObject({ additional_seats: 0, phones_max: 1 });
    const code = await newCode(api, 'phone');
    const next = { code, kind: 'phone' as const, id: randomUUID() };
    expectProblem(await pair(first, next), 403, 'seat_limit_reached');
    // Devices that are paired stay paired.
    expect((await api.get('/api/v1/devices')).body.data).toHaveLength(3);
    expect((await operator.patch(path, { plan: 'free' })).body.account.phones_max).toBeNull();
    expect((await pair(first, next)).status).toBe(201);
    const lifted = await operator.patch(path, { plan: 'team', additional_seats: null });
    expect(lifted.body.account).toMatchObject({ additional_seats: 0, phones_max: null });
    await pairedDevice(first, api, { kind: 'phone' });
  });
}
