/**
 * Rate limits in an unlogged table: one statement a request on connections of their own, without a sync of the log and
 * without waiting behind transactions. While PostgreSQL does not answer, each process counts for itself.
 */
import { RateLimiterPostgres, RLWrapperTimeouts } from 'rate-limiter-flexible';
import { limiterOptions, standingOf, type RateLimit, type RateLimits } from '../rate-limits.ts';
import { openConnections, type Connections } from './connections.ts';
import { statement, type Statement } from './statement.ts';

const connectionsMax = 4;
/** How long a request waits to be counted by all processes before it is counted by this one. */
const countMsMaxDefault = 500;
const sweepMs = 60_000;

const sweepStatement = statement({ text: 'DELETE FROM rate_limits WHERE expire < $1' });

export async function openPostgresRateLimits(
  url: string,
  limit: RateLimit,
  countMsMax = countMsMaxDefault,
): Promise<RateLimits> {
  const connections = openConnections({ url, connectionsMax });
  const options = limiterOptions(limit);
  const shared = new RateLimiterPostgres({
    ...options,
    storeClient: pgClient(connections),
    storeType: 'client',
    tableName: 'rate_limits',
  });
  const limiter = new RLWrapperTimeouts({
    limiter: shared,
    timeoutMs: countMsMax,
    insuranceLimiter: options.insuranceLimiter,
  });
  const sweep = setInterval(() => {
    connections.query(sweepStatement, [Date.now()]).catch(() => {});
  }, sweepMs).unref();
  return {
    limit,
    count: (key) => standingOf({ limiter, store: shared, limit }, key),
    refund: (key) => void limiter.reward(key).catch(() => {}),
    async close() {
      clearInterval(sweep);
      await connections.close();
    },
  };
}

/** What the limiter asks of a `pg` connection. Its SQL is its own, and the lint reads it as it is sent. */
function pgClient(connections: Connections) {
  return {
    query: async ({ values, ...foreign }: { name?: string; text: string; values?: unknown[] }) => ({
      rows: await connections.query(foreign as Statement, values),
    }),
  };
}
