/** Opens the rate limits. The shared counts are on PostgreSQL if there is a URL, else in a file of the data folder. */
import { openSqliteCounts } from '../sqlite/rate-limits.ts';
import { createRateLimits, type RateLimit, type RateLimits } from './rate-limits.ts';
import type { SharedRequestCounts } from './shared-counts.ts';

/** Limits the wait for the shared counts. After that time, the process counts the request in its own memory. */
const sharedCountWaitMsMaxDefault = 500;

interface OpenRateLimitsOptions {
  databaseUrl?: string | undefined;
  databasePooler?: 'transaction' | undefined;
  dataDir: string;
  sharedCountWaitMsMax?: number | undefined;
  limit: RateLimit;
  /** Returns milliseconds since 1970. */
  now: () => number;
}

export async function openRateLimits(options: OpenRateLimitsOptions): Promise<RateLimits> {
  const { databaseUrl, dataDir, sharedCountWaitMsMax = sharedCountWaitMsMaxDefault, limit, now } = options;
  const shared = databaseUrl ? await openPostgresCounts({ ...options, databaseUrl }) : await openSqliteCounts(dataDir);
  return createRateLimits({ limit, shared, sharedCountWaitMsMax, now });
}

/** Imports the driver of PostgreSQL only if the server uses PostgreSQL. */
async function openPostgresCounts({
  databaseUrl,
  databasePooler,
}: Pick<OpenRateLimitsOptions, 'databasePooler'> & { databaseUrl: string }): Promise<SharedRequestCounts> {
  const postgres = await import('../postgres/rate-limits.ts');
  return postgres.openPostgresCounts(databaseUrl, databasePooler);
}
