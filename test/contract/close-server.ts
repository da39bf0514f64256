import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'vitest';
import type { RunningServer } from '../../server/app.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/**
 * Closes the server and waits until SQLite removes its log file, which it does when the last connection closes. The
 * package that replaces node:sqlite closes a connection only after the garbage collector has freed its statements.
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
