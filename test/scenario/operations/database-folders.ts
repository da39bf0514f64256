/** Makes the folders and the servers that tests of backups use. */
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { parseAllowedTargets } from '../../../server/webhooks/send/target.ts';
import { openServer } from '../../../server/app.ts';
import { temporaryFolder } from '../../contract/fixture.ts';

/** Makes a folder for a live database and names one for its backup; both are removed after the test. */
export function databaseFolders() {
  const { dataDir: root, remove } = temporaryFolder();
  onTestFinished(remove);
  return { live: join(root, 'live'), backup: join(root, 'backup'), root };
}

/** Lets a server post to endpoints of a test, and find them at once. */
export const webhooksOnLoopback = { webhookTargets: parseAllowedTargets('127.0.0.0/8,http')!, webhookRoundMs: 50 };

// The recordings made during a backup must not reach the rate limit.
const rateLimit = { requests: 1_000_000, secs: 60 };
export const open = (dataDir: string) =>
  openServer({ dataDir, port: 0, host: '127.0.0.1', rateLimit, ...webhooksOnLoopback });
export const backupTime = new Date('2026-05-04T10:00:00.000Z');
