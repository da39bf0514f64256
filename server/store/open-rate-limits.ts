/** The counts that the configuration names: beside the records, on PostgreSQL or in the data folder. */
import { openPostgresRateLimits } from './postgres/rate-limits.ts';
import { openSqliteRateLimits } from './sqlite/rate-limits.ts';
import type { RateLimit, RateLimits } from './rate-limits.ts';

export function openRateLimits(
  where: { databaseUrl?: string | undefined; dataDir: string; countMsMax?: number | undefined },
  limit: RateLimit,
): Promise<RateLimits> {
  const { databaseUrl, dataDir, countMsMax } = where;
  return databaseUrl ? openPostgresRateLimits(databaseUrl, limit, countMsMax) : openSqliteRateLimits(dataDir, limit);
}
