/**
 * Counts requests in an unlogged table, so that counting does not wait for a disk. Counting has its own connections, so
 * that it does not wait for transactions of the store.
 */
import type { SharedRequestCounts } from '../limits/shared-counts.ts';
import { openConnections, type Pooler } from './connections.ts';
import { statement } from './statement.ts';

const connectionsMax = 4;

const addRequestStatement = statement({
  name: 'add-counted-request',
  text: `
    INSERT INTO rate_limits AS counted (key, points, expire) VALUES ($1, 1, $2)
    ON CONFLICT (key) DO UPDATE SET
      points = CASE WHEN counted.expire <= $3 THEN 1 ELSE counted.points + 1 END,
      expire = CASE WHEN counted.expire <= $3 THEN excluded.expire ELSE least(counted.expire, excluded.expire) END
    RETURNING points, expire`,
});

const refundStatement = statement({
  name: 'refund-counted-request',
  text: 'UPDATE rate_limits SET points = points - 1 WHERE key = $1 AND points > 0',
});

const sweepStatement = statement({ text: 'DELETE FROM rate_limits WHERE expire < $1' });

export function openPostgresCounts(url: string, pooler?: Pooler): SharedRequestCounts {
  const connections = openConnections({ url, pooler, connectionsMax });
  return {
    async add({ key, now, endsAt }) {
      const [row] = await connections.query<{ points: number; expire: number }>(addRequestStatement, [
        key,
        endsAt,
        now,
      ]);
      return { requests: row!.points, endsAt: row!.expire };
    },
    refund: async (key) => void (await connections.query(refundStatement, [key])),
    sweep: async (now) => void (await connections.query(sweepStatement, [now])),
    close: () => connections.close(),
  };
}
