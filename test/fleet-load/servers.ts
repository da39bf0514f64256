/** Starts the server processes of the load: two on one PostgreSQL, or one on SQLite. They log each request to a file. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { startChildServer, type ChildServer } from '../bench/child-server.ts';
import { programArgs } from '../programs.ts';
import { findPostgresPid } from './measure/postgres-pid.ts';

export interface LoadServers {
  urls: string[];
  pids: number[];
  adminToken: string;
  /** The process of PostgreSQL, if it runs on this machine. */
  postgresPid: number | undefined;
  stop(): Promise<void>;
}

export async function startServers({
  folder,
  databaseUrl,
}: {
  folder: string;
  databaseUrl: string | undefined;
}): Promise<LoadServers> {
  const adminToken = randomBytes(16).toString('hex');
  const servers: ChildServer[] = [];
  const stop = async () => void (await Promise.all(servers.map((server) => server.stop())));
  try {
    for (let number = 1; number <= (databaseUrl === undefined ? 1 : 2); number++) {
      servers.push(await startServer({ folder, databaseUrl, adminToken, number }));
    }
    const postgresPid = databaseUrl === undefined ? undefined : await findPostgresPid(databaseUrl);
    return { urls: servers.map(({ url }) => url), pids: servers.map(({ pid }) => pid), adminToken, postgresPid, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

interface ServerSetting {
  folder: string;
  databaseUrl: string | undefined;
  adminToken: string;
  number: number;
}

function startServer({ folder, databaseUrl, adminToken, number }: ServerSetting): Promise<ChildServer> {
  return startChildServer(programArgs('server/main'), {
    isComplete: true,
    logFile: join(folder, `server-${number}.log`),
    env: {
      PORT: '0',
      HOST: '127.0.0.1',
      DATA_DIR: join(folder, `data-${number}`),
      DATABASE_URL: databaseUrl ?? '',
      GEMBA_ADMIN_TOKEN: adminToken,
      // The devices name addresses of their own, so the default limits count them apart.
      TRUST_PROXY: 'loopback',
      LOG_LEVEL: 'info',
    },
  });
}
