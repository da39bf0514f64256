import type { Gemba } from '../../client/client.ts';
import { type TestServer } from './test-server.ts';
import { device, type Network, manualSync } from './devices.ts';

/** Opens a device with a new map that is not sent yet. No round is under way. */
export async function openPhoneWithWaitingMap(
  server: TestServer,
  net: Network,
): Promise<{ token: string; phone: Gemba }> {
  const token = await server.newAccount();
  const phone = await device({ url: server.url, token, ...manualSync(net) });
  await phone.sync();
  net.online = false;
  await phone.createMap({ name: 'Saw' });
  await phone.sync();
  net.online = true;
  return { token, phone };
}
