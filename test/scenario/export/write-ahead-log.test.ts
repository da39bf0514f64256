/** Exports that follow on each other without a gap, while devices write. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openServer } from '../../../server/app.ts';
import { databaseFileName } from '../../../server/store/sqlite/data-folder.ts';
import { newApi, temporaryFolder } from '../../contract/fixture.ts';

const mebibyte = 1024 * 1024;

test('[EXPORT-39] snapshots that overlap without end do not keep SQLite from reusing its log', async () => {
  const { dataDir, remove } = temporaryFolder();
  const server = await openServer({ dataDir, port: 0, host: '127.0.0.1' });
  try {
    const api = await newApi(server);
    const map = await api.createMap();
    /** Opens a snapshot that reads once, and ends when it is told to. */
    const openSnapshot = () => {
      let end = () => {};
      const promise = new Promise<void>((resolve) => (end = resolve));
      const ended = server.services.store.withRunSnapshot(api.accountId, async (snapshot) => {
        await snapshot.runsOfAccount({ limit: 1 });
        await promise;
      });
      return { end, ended };
    };
    const notes = 'n'.repeat(9_000);
    const steps = Array.from({ length: 100 }, (_, order) => ({ stage_name: 'Cut', order, duration_secs: 1, notes }));
    let current = openSnapshot();
    let logBytes = 0;
    for (let runs = 0; runs < 24; runs += 1) {
      const next = openSnapshot();
      await api.record(map.id, { steps });
      logBytes = Math.max(logBytes, statSync(join(dataDir, `${databaseFileName}-wal`)).size);
      current.end();
      await current.ended;
      current = next;
    }
    current.end();
    await current.ended;
    // The runs alone have 20 MiB.
    expect(logBytes / mebibyte).toBeLessThan(12);
  } finally {
    await server.close();
    remove();
  }
});
