/** Watches without a network, and phones of other accounts that carry for them. */
import { firstValueFrom } from 'rxjs';
import {
  createCarrier,
  createHandOver,
  type Carrier,
  type Gemba,
  type GembaOptions,
  type HandOver,
  type HandOverResult,
} from '../../../client/client.ts';
import type { Network } from '../../device/devices.ts';
import { device, manualSync, memoryStorage, network } from '../../device/devices.ts';
import { phonesOf } from '../../device/phones.ts';
import { restClient, type RestClient, type TestServer } from '../../device/test-server.ts';
import { channelKinds, type ChannelPair } from './channels.ts';

export interface Watch {
  watch: Gemba;
  handOver: HandOver;
  net: Network;
  /** Reads the watch's account as its owner. */
  rest: RestClient;
  mapId: string;
  options: Partial<GembaOptions>;
  /** Closes the watch and opens it again on the same disk. */
  restart(): Promise<void>;
  /** Records one run of some steps, and returns its session. */
  record(name?: string): Promise<string>;
  /** The recordings on the server, oldest first. */
  runs(): Promise<{ recording_session_id: string; started_at: string }[]>;
  custody(session: string): Promise<{ custody: string; carriers: number }>;
}

export interface CarryingPhone {
  phone: Gemba;
  carrier: Carrier;
  net: Network;
}

export async function newWatch(server: TestServer, given: Partial<GembaOptions> = {}): Promise<Watch> {
  const rest = restClient(server.url, await server.newAccount());
  const { body: map } = await rest.send<{ id: string }>('POST', '/maps', { name: 'Weld' });
  const net = network();
  const options = {
    name: `watch-${crypto.randomUUID()}`,
    storage: memoryStorage(),
    kind: 'wearable' as const,
    ...given,
  };
  const open = async () => {
    const handOver = createHandOver();
    return { handOver, watch: await device({ url: server.url, ...manualSync(net), ...options, handOver }) };
  };
  const { body } = await rest.send<{ code: string }>('POST', '/auth/pairing-code', { device_kind: options.kind });
  const made: Watch = {
    ...(await open()),
    net,
    rest,
    mapId: map.id,
    options,
    async restart() {
      await made.watch.close();
      Object.assign(made, await open());
    },
    async record(name = 'Secret weld') {
      const recording = await made.watch.startRecording({ mapId: map.id });
      await recording.step({ stage_name: name });
      const { recording_session_id } = await recording.finish();
      return recording_session_id;
    },
    runs: async () =>
      (await rest.list<{ recording_session_id: string; started_at: string }>(`/maps/${map.id}/runs`)).toReversed(),
    custody: async (session) => ({
      custody: await firstValueFrom(made.watch.custody$(session)),
      carriers: (await firstValueFrom(made.handOver.carriers$(session))).length,
    }),
  };
  await made.watch.pair(body.code, 'Watch');
  await made.watch.sync();
  net.online = false;
  return made;
}

export async function newCarryingPhone(server: TestServer, given: Partial<GembaOptions> = {}): Promise<CarryingPhone> {
  const carrier = createCarrier();
  return { ...(await (await phonesOf(server)).newPhone({ ...given, carrier })), carrier };
}

/** Lets the watch and the phone meet until the watch has nothing more to say. */
export async function meet(
  { handOver }: Pick<Watch, 'handOver'>,
  { carrier }: Pick<CarryingPhone, 'carrier'>,
  { near, far }: ChannelPair = channelKinds['Node streams']!(),
): Promise<HandOverResult> {
  const [result] = await Promise.all([handOver.handOver(far), carrier.carry(near)]);
  return result;
}

/** Lets the phone deliver what it carries, as far as the server answers. */
export async function deliver({ phone, net, carrier }: CarryingPhone): Promise<void> {
  net.online = true;
  await phone.sync();
  await firstValueFrom(carrier.carrying$);
}

/** Revokes the watch on the server, which the watch does not know. */
export async function revoke({ rest }: Watch): Promise<void> {
  const devices = await rest.list<{ id: string; name: string }>('/devices');
  const { id } = devices.find(({ name }) => name === 'Watch')!;
  await rest.send('POST', `/devices/${id}/revoke`);
}

/** Pairs the watch again over a network that lets no sync through. */
export async function pairAgain({ watch, net, rest }: Watch): Promise<void> {
  const { body } = await rest.send<{ code: string }>('POST', '/auth/pairing-code', { device_kind: 'wearable' });
  for (const path of ['sync/push', 'sync/pull']) net.answers(path, () => Promise.reject(new TypeError('lost')));
  net.online = true;
  await watch.pair(body.code, 'Watch');
  net.online = false;
}
