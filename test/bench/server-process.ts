/** The real server in a process of its own, as `npm start` runs it, and accounts on it. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { PushResponse } from '../../shared/protocol/push.ts';
import { protocolHeader, protocolVersion } from '../../shared/protocol/version.ts';
import type { RecordingBatch } from './recordings.ts';
import { startChildServer, type ChildServer } from './child-server.ts';

export interface ServerProcess extends ChildServer {
  /** Makes an account and returns the headers with its API key. */
  newAccount(): Promise<Record<string, string>>;
}

interface ServerLocation {
  dataDir: string;
  databaseUrl?: string;
  /** The built app, if the server shall serve it. */
  webDir?: string;
  /** The file for a log line of each request. Default: only warnings are logged. */
  logFile?: string;
}

/** Uses PostgreSQL if there is a URL, otherwise the embedded database in the folder. */
export async function startServerProcess(where: ServerLocation): Promise<ServerProcess> {
  const adminToken = randomBytes(16).toString('hex');
  const server = await startChildServer([join(import.meta.dirname, '../../server/main.ts')], {
    env: {
      PORT: '0',
      HOST: '127.0.0.1',
      DATA_DIR: where.dataDir,
      DATABASE_URL: where.databaseUrl ?? '',
      ...(where.webDir ? { WEB_DIR: where.webDir } : {}),
      GEMBA_ADMIN_TOKEN: adminToken,
      // The rate limit is not measured.
      GEMBA_RATE_LIMIT: '1000000/60',
      LOG_LEVEL: where.logFile ? 'info' : 'warn',
    },
    logFile: where.logFile,
  });
  return { ...server, newAccount: () => newAccount(server.url, adminToken) };
}

export type SiegedServer = ServerProcess;

/**
 * Starts the server with the default limits, behind a trusted proxy on this machine that names the client addresses.
 */
export async function startSiegedServer(dataDir: string): Promise<SiegedServer> {
  const adminToken = randomBytes(16).toString('hex');
  const server = await startChildServer([join(import.meta.dirname, '../../server/main.ts')], {
    env: {
      PORT: '0',
      HOST: '127.0.0.1',
      DATA_DIR: dataDir,
      DATABASE_URL: '',
      GEMBA_ADMIN_TOKEN: adminToken,
      TRUST_PROXY: 'loopback',
      LOG_LEVEL: 'error',
    },
  });
  return { ...server, newAccount: () => newAccount(server.url, adminToken) };
}

export async function pushOver(url: string, headers: Record<string, string>, request: RecordingBatch): Promise<void> {
  const response = await fetch(`${url}/api/v1/sync/push`, { method: 'POST', headers, body: JSON.stringify(request) });
  if (!response.ok) throw new Error(`push: ${response.status} ${await response.text()}`);
  const { results } = (await response.json()) as PushResponse;
  const refused = results.find(({ status }) => status === 'rejected');
  if (refused) throw new Error(`push: refused ${JSON.stringify(refused)}`);
}

async function newAccount(url: string, adminToken: string): Promise<Record<string, string>> {
  const json = { 'Content-Type': 'application/json' };
  const response = await fetch(`${url}/api/v1/admin/accounts`, {
    method: 'POST',
    headers: { ...json, Authorization: `Bearer ${adminToken}` },
    body: JSON.stringify({ name: 'Bench', plan: 'team' }),
  });
  if (response.status !== 201) throw new Error(`no account: ${response.status} ${await response.text()}`);
  const { api_key } = (await response.json()) as { api_key: string };
  return { ...json, Authorization: `Bearer ${api_key}`, [protocolHeader]: String(protocolVersion) };
}
