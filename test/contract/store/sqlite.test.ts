import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteStore } from '../../../server/store/sqlite/sqlite-store.ts';
import { storeContract } from './contract.ts';

storeContract('SQLite', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gemba-sqlite-'));
  return {
    open: () => openSqliteStore({ dataDir: join(folder, 'data') }),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
});
