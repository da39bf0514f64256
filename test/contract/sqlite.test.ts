import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from 'vitest';
import { serverContract } from './contract.ts';
import { openServers, temporaryFolder } from './fixture.ts';

describe('on SQLite', () => {
  serverContract(async () => {
    const { dataDir, remove } = temporaryFolder();
    const servers = await openServers({ dataDir });
    const dump = async () =>
      ['gemba.db', 'gemba.db-wal'].map((file) => readFileSync(join(dataDir, file), 'latin1')).join('');
    return { ...servers, dump, close: () => servers.close().finally(remove) };
  });
});
