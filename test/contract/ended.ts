import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'vitest';
import type { RunningServer } from '../../server/app.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/**
 * As when the server's process ended. In the same process the package that stands in for node:sqlite keeps a closed file
 * open until its statements are collected; SQLite removes the log when the last connection is gone.
 */
export async function end(server: RunningServer, dataDir: string): Promise<void> {
  await server.close();
  await expect
    .poll(() => {
      collectGarbage();
      return existsSync(join(dataDir, 'gemba.db-wal'));
    })
    .toBe(false);
}
