/** A server on an embedded database that a test closes, and opens again at the same address. */
import { onTestFinished } from 'vitest';
import { openServer } from '../../../server/app.ts';
import { closeServer } from '../../contract/close-server.ts';
import { accountMaker, operatorToken, type TestServer } from '../../device/test-server.ts';
import { databaseFolders } from '../operations/database-folders.ts';

const rateLimit = { requests: 1_000_000, secs: 60 };

export async function restartableServer() {
  const folders = databaseFolders();
  const { live } = folders;
  const open = (port: number) =>
    openServer({ dataDir: live, port, host: '127.0.0.1', adminToken: operatorToken, rateLimit });
  let running = await open(0);
  onTestFinished(() => running.close());
  const { url } = running;
  const server: TestServer = { ...running, newAccount: accountMaker(url), remove: () => running.close() };
  return {
    ...folders,
    server,
    close: () => closeServer(running, live),
    reopen: async () => void (running = await open(Number(new URL(url).port))),
  };
}
