/**
 * The real `server/main.ts` with the built app, in a process of its own. A test can kill the server, and start it again
 * at the same address.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { DeviceKind } from '../../../shared/schema/auth.ts';
import { operatorToken, restClient, type RestClient } from '../../device/test-server.ts';
import { findFreePort } from '../../free-port.ts';
import { startServerProcess, type ServerProcess } from '../../contract/server-process.ts';

export interface AppServer {
  url: string;
  dataDir: string;
  /** Sends requests with an API key of the first account. */
  rest: RestClient;
  /** The link that the server printed for the first phone. */
  link: string;
  /** Makes another account that may pair one phone and `seats` more. */
  newAccount(seats: number): Promise<RestClient>;
  /** Makes a link that pairs another device. */
  newLink(kind: DeviceKind): Promise<string>;
  /** Kills the server until it is started again. */
  kill(): Promise<void>;
  /** Starts the server at the same address, with the same data. */
  start(webDir?: string): Promise<void>;
}

export const basePaths: Record<DeviceKind, string> = { phone: '', wearable: '/watch', desk: '/desk' };

export async function appServer(webDir: string): Promise<AppServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'gemba-app-data-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true, maxRetries: 5 }));
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const begin = (folder: string) =>
    startServerProcess({
      DATA_DIR: dataDir,
      PORT: String(port),
      WEB_DIR: folder,
      GEMBA_RATE_LIMIT: '1000000/60',
      GEMBA_ADMIN_TOKEN: operatorToken,
    });
  let process: ServerProcess = begin(webDir);
  const [, key] = await process.until(/\s(gk_\S+)/);
  const [link] = await process.until(/http\S+\/pair#[0-9A-Z-]+(?=\s)/);
  const rest = restClient(url, key!);
  const kill = async () => {
    process.child.kill('SIGKILL');
    await process.ended;
  };
  onTestFinished(kill);
  return {
    url,
    dataDir,
    rest,
    link: link!,
    newAccount: async (seats) => {
      const operator = restClient(url, operatorToken);
      const account = { name: 'Another', plan: 'team', seats };
      const { body } = await operator.send<{ api_key: string }>('POST', '/admin/accounts', account);
      return restClient(url, body.api_key);
    },
    newLink: async (device_kind) => {
      const code = await newCode(rest, device_kind);
      return `${url}${basePaths[device_kind]}/pair#${code}`;
    },
    kill,
    start: async (folder = webDir) => {
      process = begin(folder);
      await process.until(/Operator.*\n/);
    },
  };
}

/** Makes a pairing code for the account of `rest`. */
export const newCode = async (rest: RestClient, device_kind: DeviceKind): Promise<string> =>
  (await rest.send<{ code: string }>('POST', '/auth/pairing-code', { device_kind })).body.code;
