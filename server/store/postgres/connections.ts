/**
 * A pool of pipelining connections. A batch of statements is sent without waiting for results in between, which costs one
 * round trip. PostgreSQL returns one result for each statement. Inside a transaction, all statements behind a failed one
 * fail, too.
 */
import pg from 'pg';
import { asStoreFailure, isInFailedTransaction } from './failures.ts';
import type { Statement } from './statement.ts';
import { types } from './types.ts';

export interface StatementCall {
  statement: Statement;
  values?: unknown[];
}

export interface StatementResult {
  /** The command that PostgreSQL executed: `COMMIT` returns ROLLBACK after a failure. */
  command: string;
  rows: unknown[];
}

/** Sends a batch. Resolves with one result for each call, or rejects with the first failure. */
export type SendBatch = (calls: StatementCall[]) => Promise<StatementResult[]>;

export interface Connections {
  /** Runs one statement in a transaction of its own. */
  query<Row>(statement: Statement, values?: unknown[]): Promise<Row[]>;
  /** Lends a connection for several batches. The pool drops it if it broke or is still in a transaction afterwards. */
  borrow<Result>(work: (sendBatch: SendBatch) => Promise<Result>): Promise<Result>;
  /** Waits for borrowed connections, then closes all. */
  close(): Promise<void>;
}

interface ConnectionsOptions {
  url: string;
  connectionsMax: number;
  onStatement?: ((text: string) => void) | undefined;
}

export const connectMsMax = 5_000;
/** Exceeds PostgreSQL's own limits below, so that only a broken network reaches this limit. */
const resultMsMax = 15_000;
const lockMsMax = 10_000;
/** Keeps a stalled process from holding an account's lock for ever. */
const idleInTransactionMsMax = 10_000;

export function openConnections({ url, connectionsMax, onStatement }: ConnectionsOptions): Connections {
  const pool = new pg.Pool({
    connectionString: url,
    pipeline: true,
    types,
    max: connectionsMax,
    connectionTimeoutMillis: connectMsMax,
    query_timeout: resultMsMax,
    lock_timeout: lockMsMax,
    idle_in_transaction_session_timeout: idleInTransactionMsMax,
    application_name: 'gemba',
  });
  // An idle connection broke. The pool drops it, and the next use opens a new one.
  pool.on('error', () => {});
  // Listens from the start, since a connection can break before `borrow` has it, and an unhandled error event ends
  // the process.
  const broken = new WeakSet<pg.PoolClient>();
  pool.on('connect', (client) => client.on('error', () => void broken.add(client)));
  const underWay = new Set<Promise<unknown>>();

  const borrow = async <Result>(work: (sendBatch: SendBatch) => Promise<Result>): Promise<Result> => {
    const client = await pool.connect().catch((error: unknown) => {
      throw asStoreFailure(error);
    });
    try {
      return await work((calls) => sendCalls(client, calls, onStatement));
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
  onStatement?: (text: string) => void,
): Promise<StatementResult[]> {
  const results = await Promise.allSettled(
    calls.map(({ statement, values = [] }) => {
      onStatement?.(statement.text);
      return client.query({ ...statement, values });
    }),
  );
  const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
  if (failures.length > 0)
    throw asStoreFailure(failures.find((failure) => !isInFailedTransaction(failure)) ?? failures[0]);
  return results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
}
