/** Copies of one synced device. Each copy has its own network and stays offline until it is told to sync. */
import { randomUUID } from 'node:crypto';
import type { Gemba } from '../../client/client.ts';
import type { MapRecord } from '../../shared/schema/map.ts';
import type { RunRecord } from '../../shared/schema/run.ts';
import { restClient, type TestServer } from './test-server.ts';
import { copyDatabase } from './databases.ts';
import { device, network, manualSync, type Network } from './devices.ts';
import { recordingOf } from './phones.ts';

export interface Copy {
  phone: Gemba;
  net: Network;
}

export interface Fleet {
  token: string;
  mapId: string;
  /** The copies were made while the device was closed and synced. */
  copies: Copy[];
}

/** The original makes the work of `pending` after its last sync, so that every copy has this unsent work. */
export async function openFleet(
  server: TestServer,
  count: number,
  pending: (phone: Gemba, mapId: string) => Promise<unknown> = async () => {},
): Promise<Fleet> {
  const token = await server.newAccount();
  const names = Array.from({ length: count }, () => `copy-${randomUUID()}`);
  const open = async (name: string): Promise<Copy> => {
    const net = network(false);
    return { net, phone: await device({ url: server.url, token, name, ...manualSync(net) }) };
  };
  const original = await open(names[0]!);
  original.net.online = true;
  const { map_id: mapId } = await original.phone.createMap({ name: 'Saw' });
  await original.phone.sync();
  await original.phone.sync();
  original.net.online = false;
  await pending(original.phone, mapId);
  await original.phone.close();
  for (const name of names.slice(1)) await copyDatabase({ from: names[0]!, to: name });
  const copies: Copy[] = [];
  for (const name of names) copies.push(await open(name));
  return { token, mapId, copies };
}

export async function syncCopy({ phone, net }: Copy): Promise<void> {
  net.online = true;
  for (let round = 0; round < 3; round++) await phone.sync();
  net.online = false;
}

export async function readServerContent(
  server: TestServer,
  token: string,
): Promise<{ maps: string[]; sessions: string[] }> {
  const rest = restClient(server.url, token);
  const maps = await rest.list<MapRecord>('/maps');
  const runs = await Promise.all(maps.map(({ id }) => rest.list<RunRecord>(`/maps/${id}/runs`)));
  const sessions = runs.flat().map(({ recording_session_id }) => recording_session_id);
  return { maps: maps.map(({ name }) => name).toSorted(), sessions: sessions.toSorted() };
}

export const record = (phone: Gemba, mapId: string, session: string) =>
  phone.importRecording({ mapId, recording: recordingOf(session) });
