/** A phone that carries, and a watch of another account that has no network. */
import { firstValueFrom } from 'rxjs';
import { expect } from 'vitest';
import {
  createCarrier,
  type Carrier,
  type CarryResult,
  type Carrying,
  type Gemba,
  type GembaOptions,
} from '../../../client/client.ts';
import { messageIdOf, serverNameOf, type Frame } from '../../../shared/relay/frames.ts';
import { newApi, steps, type Api } from '../../contract/fixture.ts';
import { pairedDevice } from '../../contract/pairing.ts';
import { relayKeys, sealTo, type SealedSend } from '../../contract/sealed-client.ts';
import { SyncClient } from '../../contract/sync-client.ts';
import type { Network } from '../../device/devices.ts';
import { phonesOf } from '../../device/phones.ts';
import type { TestServer } from '../../device/test-server.ts';
import { channelKinds, FramesDevice, type ChannelPair } from './channels.ts';

export interface Handed extends SealedSend {
  id: string;
}

export interface Relay {
  phone: Gemba;
  net: Network;
  watch: Api;
  /** Seals a push of one new recording. */
  sealPush(): Promise<Handed>;
  /** The number of runs that the server has of the watch's recordings. */
  runCount(): Promise<number>;
  carrying(): Promise<Carrying>;
  /** Connects the watch and the phone. `greeting` is what the watch says first. */
  meet(pair?: ChannelPair, greeting?: Partial<Frame>): Promise<Meeting>;
}

export interface Meeting {
  device: FramesDevice;
  /** Resolves when the phone has ended its side. */
  ended: Promise<CarryResult>;
}

const hello = async (url: string) =>
  ({ type: 'hello', v: 1, role: 'device', server: await serverNameOf(url), online: false, free_bytes: 0 }) as const;

export async function relayOf(server: TestServer, options: Partial<GembaOptions> = {}): Promise<Relay> {
  const carrier = createCarrier();
  const { phone, net } = await (await phonesOf(server)).newPhone({ ...options, carrier });
  const owner = await newApi(server);
  const watch = await pairedDevice(server, owner);
  const map = await owner.createMap();
  const client = new SyncClient(watch);
  const keys = await relayKeys(server.url);
  return {
    phone,
    net,
    watch,
    async sealPush() {
      const mutation = client.next('upload_recording', { map_id: map.id, steps: steps('Secret weld') });
      const body = { client_id: client.id, acked_seq: 0, mutations: [mutation] };
      const sent = await sealTo(keys, { token: watch.key, body });
      return { ...sent, id: await messageIdOf(sent.sealed) };
    },
    runCount: async () => (await owner.get(`/api/v1/maps/${map.id}/runs`)).body.data.length,
    carrying: () => firstValueFrom(carrier.carrying$),
    meet: (pair = channelKinds['Node streams']!(), greeting = {}) => meet(carrier, server.url, pair, greeting),
  };
}

export async function meet(
  carrier: Carrier,
  url: string,
  { near, far }: ChannelPair = channelKinds['Node streams']!(),
  greeting: Partial<Frame> = {},
): Promise<Meeting> {
  const ended = carrier.carry(near);
  const device = new FramesDevice(far);
  expect(await device.next()).toMatchObject({ type: 'hello', v: 1, role: 'carrier', server: await serverNameOf(url) });
  await device.send({ ...(await hello(url)), ...greeting } as Frame);
  return { device, ended };
}
