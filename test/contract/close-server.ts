import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'vitest';
import type { RunningServer } from '../../server/app.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/**
 * Closes the server and waits until its database is closed, as when its process ends: SQLite removes the log with the
 * last connection, and the package that stands in for node:sqlite keeps one until its statements are collected.
 */
export async function closeServer(server: RunningServer, dataDir: string): Promise<void> {
  await server.close();
  await expect
    .poll(() => {
      collectGarbage();
      return existsSync(join(dataDir, 'gemba.db-wal'));
    })
    .toBe(false);
}
