/** The entry `gemba/server` of the package: starts the server inside another Node program. */
import { fileURLToPath } from 'node:url';
import type { Plan } from '../shared/schema/account.ts';
import { openServer as openWholeServer } from './app.ts';
import { createAccount } from './auth/new-account.ts';

export interface GembaServerOptions {
  /** The folder of the embedded database, which is made if it is missing. Photos are kept there, too. */
  dataDir: string;
  /** The URL of PostgreSQL. Default: the embedded database. */
  databaseUrl?: string;
  /** Default: 8080. 0 means any free port. */
  port?: number;
  /** The address to listen on. Default: `127.0.0.1`. */
  host?: string;
  /** The operator's token, 12 characters or more. Default: the operator routes are off. */
  adminToken?: string;
  /** Origins whose web apps may call the API from a browser. Default: none. */
  corsOrigins?: readonly string[];
  /** A certificate with its chain and its key, as PEM. Default: plain HTTP. */
  tls?: { cert: string; key: string };
  /**
   * The folder of a built app, or `false` for the API alone, without app and guide. Default: the app of this package.
   */
  webDir?: string | false;
}

export interface GembaServer {
  url: string;
  port: number;
  /** Creates an account. The key is not shown again. */
  createAccount(options: { name: string; plan: Plan }): Promise<{ account_id: string; api_key: string }>;
  /** Finishes the requests under way, ends the event streams and closes the database. */
  close(): Promise<void>;
}

const builtWebDir = fileURLToPath(new URL('../dist', import.meta.url));
const builtGuideDir = fileURLToPath(new URL('../site', import.meta.url));
const portDefault = 8080;

/** Starts a server. Rejects with an `Error` if the address is in use or the database cannot be opened. */
export async function openServer({
  port = portDefault,
  host = '127.0.0.1',
  webDir = builtWebDir,
  ...options
}: GembaServerOptions): Promise<GembaServer> {
  const folders = webDir === false ? {} : { webDir, guideDir: builtGuideDir };
  const server = await openWholeServer({ ...options, port, host, ...folders });
  return {
    url: server.url,
    port: server.port,
    createAccount: async (fields) => {
      const { account, api_key } = await createAccount(server, fields);
      return { account_id: account.id, api_key };
    },
    close: () => server.close(),
  };
}
