import { expect, test } from 'vitest';
import { systemClock, type Clock } from '../../../client/core/clock.ts';
import type { Device, PairingCode } from '../../../shared/schema/auth.ts';
import { restClient, testServer } from '../../device/test-server.ts';
import { device, eventually, network } from '../../device/devices.ts';

/** Timers this long never fire, such as the poll for changes; shorter timers fire as usual. */
const firedTimersMsMax = 30_000;
const clock: Pick<Clock, 'schedule'> = {
  schedule: (ms, call) => (ms < firedTimersMsMax ? systemClock.schedule(ms, call) : () => {}),
};

test('[SYNC-15] a device at rest learns soon that the server went away, and that its token was revoked', async () => {
  const server = await testServer();
  const rest = restClient(server.url, await server.newAccount());
  const net = network();
  const phone = await device({ url: server.url, fetch: net.fetch, clock });
  const { body } = await rest.send<PairingCode>('POST', '/auth/pairing-code', { device_kind: 'phone' });
  await phone.pair(body.code, 'Phone');
  await eventually(phone.status$, ({ phase }) => phase === 'idle');
  net.online = false;
  await eventually(phone.status$, ({ phase }) => phase === 'offline');
  net.online = true;
  await eventually(phone.status$, ({ phase }) => phase === 'idle');
  const [paired] = await rest.list<Device>('/devices');
  await rest.send('POST', `/devices/${paired!.id}/revoke`);
  const blocked = await eventually(phone.status$, ({ phase }) => phase === 'blocked');
  expect(blocked.error).toMatchObject({ code: 'unauthorized' });
  await server.remove();
});
