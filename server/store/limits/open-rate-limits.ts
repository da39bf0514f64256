/** Opens the counts that the configuration names: beside the records, on PostgreSQL or in the data folder. */
import { openPostgresCounts } from '../postgres/rate-limits.ts';
import { openSqliteCounts } from '../sqlite/rate-limits.ts';
import { createRateLimits, type RateLimit, type RateLimits } from './rate-limits.ts';

/**
 * How long a request waits for the count that all processes share. After that, this process counts the request on its
 * own.
 */
const sharedCountMsMaxDefault = 500;

export async function openRateLimits(
  where: { databaseUrl?: string | undefined; dataDir: string; sharedCountMsMax?: number | undefined },
  limit: RateLimit,
): Promise<RateLimits> {
  const { databaseUrl, dataDir, sharedCountMsMax = sharedCountMsMaxDefault } = where;
  const shared = databaseUrl ? openPostgresCounts(databaseUrl) : await openSqliteCounts(dataDir);
  return createRateLimits(limit, shared, sharedCountMsMax);
}
