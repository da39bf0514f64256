import { onTestFinished } from 'vitest';
import { openServer, type RunningServer, type ServerOptions } from '../../server/app.ts';
import { adminToken } from './fixture.ts';

/** The remaining requests of the window, as the RateLimit header says. */
export const remainingRequests = ({ headers }: { headers: Headers }): number =>
  Number(/^"default";r=(\d+);t=\d+$/.exec(headers.get('RateLimit') ?? '')?.[1]);

/** With the default wait, a server whose database is slow counts in its own memory. These tests need the shared counts. */
export const sharedCountWaitMsMax = 60_000;

export interface RateLimitDatabase {
  database(): Pick<ServerOptions, 'dataDir' | 'databaseUrl'>;
  /** The keys in the table of counts. */
  keys(): Promise<string[]>;
}

/** Opens a server on the database, closed when the test ends. */
export async function openLimitedServer(
  { database }: RateLimitDatabase,
  rateLimit?: { requests: number; secs: number },
  clock: () => number = Date.now,
): Promise<RunningServer> {
  const server = await openServer({
    ...database(),
    port: 0,
    host: '127.0.0.1',
    adminToken,
    rateLimit,
    clock,
    sharedCountWaitMsMax,
  });
  onTestFinished(() => server.close());
  return server;
}
