/** Offline devices of one account, each with its own token, that sync only when a test asks them to. */
import type { Gemba, GembaOptions } from '../../client/client.ts';
import type { PairingCode } from '../../shared/schema/auth.ts';
import { restClient, type RestClient, type TestServer } from './test-server.ts';
import { device, network, manualSync, type Network } from './devices.ts';

export interface Phone {
  phone: Gemba;
  net: Network;
}

interface Phones {
  rest: RestClient;
  newPhone(options?: Partial<GembaOptions>): Promise<Phone>;
}

export async function phonesOf(server: TestServer, plan: 'free' | 'team' = 'team'): Promise<Phones> {
  const rest = restClient(server.url, await server.newAccount(plan));
  return {
    rest,
    newPhone: async ({ kind = 'phone', ...options } = {}) => {
      const net = network();
      const phone = await device({ url: server.url, ...manualSync(net), kind, ...options });
      const { body } = await rest.send<PairingCode>('POST', '/auth/pairing-code', { device_kind: kind });
      await phone.pair(body.code, 'Phone');
      await phone.sync();
      net.online = false;
      return { phone, net };
    },
  };
}

export async function sync({ phone, net }: Phone): Promise<void> {
  net.online = true;
  await phone.sync();
  net.online = false;
}

export const recordingOf = (recording_session_id: string) => ({
  recording_session_id,
  steps: [{ stage_name: 'Cut', order: 1, duration_secs: 1 }],
});
