/**
 * The real `server/main.ts` with the built app, in a process of its own. A test can kill the server, and start it again
 * at the same address.
 */
import { rm } from 'node:fs/promises';
import { onTestFinished } from 'vitest';
import type { NewAccount, NewAccountResult } from '../../../shared/schema/account.ts';
import type { DeviceKind } from '../../../shared/schema/auth.ts';
import { operatorToken, restClient, type RestClient } from '../../device/test-server.ts';
import { makeFolderOfRun } from '../../made-once.ts';
import { findFreePort } from '../../free-port.ts';
import { startServerProcess, type ServerProcess } from '../../contract/server-process.ts';

export interface AppServer {
  url: string;
  dataDir: string;
  /** Sends requests with an API key of the test's account. */
  rest: RestClient;
  /** The link that pairs the first phone. */
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

/** A server of the app, with the web folder that it serves. */
interface RunningServer {
  url: string;
  dataDir: string;
  webDir: string;
  process: ServerProcess;
  begin(webDir: string): void;
}

let running: RunningServer | undefined;

/**
 * The server of the tests of a worker: one for all, since the start of another would take most of a second of the processor.
 * Each test has an account of its own. A test that leaves the server dead, or with another app, leaves none to the next.
 */
export async function appServer(webDir: string): Promise<AppServer> {
  if (running?.webDir !== webDir || running.process.child.exitCode !== null || running.process.child.killed) {
    await endAppServer();
    running = await startOn(webDir);
  }
  return accountOn(running!, webDir);
}

/** Starts a server beside that of the file, until the test ends. */
export async function otherAppServer(webDir: string): Promise<AppServer> {
  const other = await startOn(webDir);
  onTestFinished(() => end(other));
  return accountOn(other, webDir);
}

async function accountOn(server: RunningServer, webDir: string): Promise<AppServer> {
  const { url, dataDir } = server;
  const operator = restClient(url, operatorToken);
  const newAccount = async (account: NewAccount) => {
    const { body } = await operator.send<NewAccountResult>('POST', '/admin/accounts', account);
    return restClient(url, body.api_key);
  };
  const rest = await newAccount({ name: 'First account', plan: 'team' });
  const newLink = async (device_kind: DeviceKind) => {
    const code = await newCode(rest, device_kind);
    return `${url}${basePaths[device_kind]}/pair#${code}`;
  };
  return {
    url,
    dataDir,
    rest,
    link: await newLink('phone'),
    newAccount: (seats) => newAccount({ name: 'Another', plan: 'team', seats }),
    newLink,
    kill: async () => {
      server.process.child.kill('SIGKILL');
      await server.process.ended;
    },
    start: async (folder = webDir) => {
      server.begin(folder);
      await server.process.until(/Operator.*\n/);
    },
  };
}

async function startOn(firstWebDir: string): Promise<RunningServer> {
  const dataDir = await makeFolderOfRun('app-data-');
  const port = await findFreePort();
  const begin = (webDir: string) => {
    const environment = {
      DATA_DIR: dataDir,
      PORT: String(port),
      WEB_DIR: webDir,
      GEMBA_RATE_LIMIT: '1000000/60',
      GEMBA_ADMIN_TOKEN: operatorToken,
    };
    server.webDir = webDir;
    server.process = startServerProcess(environment, { outlivesTest: true });
  };
  const server = { url: `http://127.0.0.1:${port}`, dataDir, begin } as RunningServer;
  begin(firstWebDir);
  await server.process.until(/Operator.*\n/);
  return server;
}

/** Must be called at the end of a file whose app is removed. */
export async function endAppServer(): Promise<void> {
  const last = running;
  running = undefined;
  if (last) await end(last);
}

async function end({ process: { child, ended }, dataDir }: RunningServer): Promise<void> {
  child.kill('SIGKILL');
  await ended;
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
}

/** Makes a pairing code for the account of `rest`. */
export const newCode = async (rest: RestClient, device_kind: DeviceKind): Promise<string> =>
  (await rest.send<{ code: string }>('POST', '/auth/pairing-code', { device_kind })).body.code;
