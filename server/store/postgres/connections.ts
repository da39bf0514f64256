/**
 * A pool of connections with pipelining: all statements of a batch are sent before the first result arrives, so a batch
 * costs one round trip. Each statement gets a result. After a failed statement, all later statements of its transaction
 * fail, too.
 */
import pg from 'pg';
import { StoreUnavailable } from '../store.ts';
import { translatePgError, isInFailedTransaction } from './failures.ts';
import type { Statement } from './statement.ts';
import { pgTypes } from './types.ts';

export interface StatementCall {
  statement: Statement;
  values?: unknown[];
}

export interface StatementResult {
  /** The command that PostgreSQL executed. For COMMIT of a failed transaction, this is ROLLBACK. */
  command: string;
  rows: unknown[];
}

/** A pooler in transaction mode, such as PgBouncer, lends a session to a connection for one transaction. */
export type Pooler = 'transaction';

/** Sends a batch of statements. Resolves with one result for each statement, or rejects with the first failure. */
export type SendBatch = (calls: StatementCall[]) => Promise<StatementResult[]>;

export interface Connections {
  /** Runs one statement in a transaction of its own. */
  query<Row>(statement: Statement, values?: unknown[]): Promise<Row[]>;
  /** Lends a connection for several batches. The pool closes a connection that is broken or left in a transaction. */
  borrow<Result>(work: (sendBatch: SendBatch) => Promise<Result>): Promise<Result>;
  /** Waits for the borrowed connections, then closes all connections. */
  close(): Promise<void>;
}

interface ConnectionsOptions {
  url: string;
  /** The pooler between this process and PostgreSQL. Default: none. */
  pooler?: Pooler | undefined;
  connectionsMax: number;
  onStatement?: ((text: string) => void) | undefined;
}

export const connectMsMax = 5_000;
/**
 * Limits the wait for a result. PostgreSQL itself ends waits at the two lower limits below, so a longer wait means that
 * the network is broken.
 */
const resultWaitMsMax = 15_000;
const lockWaitMsMax = 10_000;
/** Ends the transaction of a stalled server process, so that the account's lock is released. */
const idleInTransactionMsMax = 10_000;

/**
 * PostgreSQL's code for warnings without a code of their own. A COMMIT whose wait for the standby was cancelled
 * succeeds with such a warning. Only the primary has that commit, so a failover may lose it.
 */
const uncategorizedWarningCode = '01000';

export function openConnections({ url, pooler, connectionsMax, onStatement }: ConnectionsOptions): Connections {
  const pool = new pg.Pool({
    connectionString: url,
    pipeline: true,
    types: pgTypes,
    max: connectionsMax,
    connectionTimeoutMillis: connectMsMax,
    query_timeout: resultWaitMsMax,
    // Behind a pooler, a session's settings do not apply to the next transaction. The database role must have these
    // settings.
    ...(pooler ? {} : { lock_timeout: lockWaitMsMax, idle_in_transaction_session_timeout: idleInTransactionMsMax }),
    application_name: 'gemba',
  });
  // The pool replaces an idle connection that broke, so there is nothing to do.
  pool.on('error', () => {});
  const broken = new WeakSet<pg.PoolClient>();
  const warned = new WeakMap<pg.PoolClient, string>();
  pool.on('connect', (client) => {
    // Without a listener for its error event, a broken connection would end the process.
    client.on('error', () => void broken.add(client));
    client.on('notice', ({ code, message }) => {
      if (code === uncategorizedWarningCode) warned.set(client, message ?? '');
    });
  });
  const underWay = new Set<Promise<unknown>>();

  const borrow = async <Result>(work: (sendBatch: SendBatch) => Promise<Result>): Promise<Result> => {
    const client = await pool.connect().catch((error: unknown) => {
      throw translatePgError(error);
    });
    const sendBatch: SendBatch = async (calls) => {
      warned.delete(client);
      const results = await sendCalls(client, calls, { pooler, onStatement });
      if (warned.has(client)) throw new StoreUnavailable(`PostgreSQL warned: ${warned.get(client)}`);
      return results;
    };
    try {
      return await work(sendBatch);
    } finally {
      client.release(broken.has(client) || client.getTransactionStatus() !== 'I');
    }
  };

  const connections: Connections = {
    async query<Row>(statement: Statement, values: unknown[] = []) {
      const [result] = await connections.borrow((sendBatch) => sendBatch([{ statement, values }]));
      return (result?.rows ?? []) as Row[];
    },
    borrow(work) {
      const done = borrow(work);
      underWay.add(done);
      const forget = () => underWay.delete(done);
      done.then(forget, forget);
      return done;
    },
    async close() {
      await Promise.allSettled(underWay);
      await pool.end();
    },
  };
  return connections;
}

async function sendCalls(
  client: pg.PoolClient,
  calls: StatementCall[],
  { pooler, onStatement }: Pick<ConnectionsOptions, 'pooler' | 'onStatement'>,
): Promise<StatementResult[]> {
  const results = await Promise.allSettled(
    calls.map(({ statement, values = [] }) => {
      onStatement?.(statement.text);
      // Prepare no statement behind a pooler. A prepared statement belongs to a session, and the pooler may change the
      // session.
      return client.query({ ...statement, ...(pooler ? { name: undefined } : {}), values });
    }),
  );
  const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
  if (failures.length > 0)
    throw translatePgError(failures.find((failure) => !isInFailedTransaction(failure)) ?? failures[0]);
  return results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
}
