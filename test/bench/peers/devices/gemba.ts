/** Gemba: the public engine with memory storage, and the real server on either database. */
import { randomUUID } from 'node:crypto';
import { getRxStorageMemory } from 'rxdb/plugins/storage-memory';
import { filter, firstValueFrom } from 'rxjs';
import { openGemba, type Gemba } from '../../../../client/client.ts';
import type { AnyRxStorage } from '../../../rx-storage.ts';
import { startServerProcess, type ServerProcess } from '../../server-process.ts';
import type { Contender, Device, DeviceAddress, RunningContender } from '../contender.ts';
import { fillAccount, type AccountSize, type Documents } from '../work.ts';

export const gemba = (databaseUrl?: string): Contender => ({
  start: (dataDir) => startGemba(dataDir, databaseUrl),
});

export interface RunningGemba extends RunningContender {
  server: ServerProcess;
  /** Makes an account of this size, whose documents the peers get, too. */
  filledAccount(size: AccountSize): Promise<{ space: string; documents: Documents }>;
}

export async function startGemba(dataDir: string, databaseUrl?: string): Promise<RunningGemba> {
  const server = await startServerProcess({ dataDir, ...(databaseUrl ? { databaseUrl } : {}) });
  const filledAccount = async (size: AccountSize) => {
    const headers = await server.newAccount();
    return { space: tokenOf(headers), documents: await fillAccount(server.url, headers, size) };
  };
  return {
    server,
    url: server.url,
    newSpace: async () => tokenOf(await server.newAccount()),
    filledAccount,
    filledSpace: async ({ maps, runs }) =>
      (await filledAccount({ maps: maps.length, runsPerMap: runs.length / maps.length })).space,
    openDevice,
    stop: () => server.stop(),
  };
}

async function openDevice({ url, space }: DeviceAddress): Promise<Device> {
  const phone = await openGemba({
    name: `bench-${randomUUID()}`,
    url,
    token: space,
    storage: getRxStorageMemory() as AnyRxStorage,
  });
  let mapId: string | undefined;
  return {
    async record(recordings) {
      mapId ??= (await phone.createMap({ name: 'Receipt phase' })).map_id;
      for (const recording of recordings) await phone.importRecording({ mapId, recording });
    },
    settle: () => settle(phone),
    count: async () => {
      const counts = (await firstValueFrom(phone.maps$)).map(async ({ id }) => {
        return (await firstValueFrom(phone.runs$(id))).length;
      });
      return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
    },
    close: () => phone.close(),
  };
}

async function settle(phone: Gemba): Promise<void> {
  await phone.sync();
  await firstValueFrom(
    phone.status$.pipe(
      filter(({ phase, pending, last_synced_at }) => phase === 'idle' && pending === 0 && last_synced_at !== null),
    ),
  );
}

export const tokenOf = (headers: Record<string, string>): string => headers['Authorization']!.slice('Bearer '.length);
