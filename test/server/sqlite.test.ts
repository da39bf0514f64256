import { describe } from 'vitest';
import { serverContract } from './contract.ts';
import { openServers, temporaryFolder } from './fixture.ts';

describe('on SQLite', () => {
  serverContract(async () => {
    const { dataDir, remove } = temporaryFolder();
    const servers = await openServers({ dataDir });
    return { ...servers, close: () => servers.close().finally(remove) };
  });
});
