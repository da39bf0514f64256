/**
 * A pool of pipelining connections. A *flight* is some statements sent together without waiting for answers in between:
 * one round trip. PostgreSQL answers each on its own; inside a transaction, all after the first that fails fail as well.
 */
import pg from 'pg';
import { asStoreFailure, isAftermath } from './failures.ts';
import type { Statement } from './statement.ts';
import { types } from './types.ts';

export interface Call {
  statement: Statement;
  values?: unknown[];
}

export interface Answer {
  /** What PostgreSQL says it did: `COMMIT` answers ROLLBACK after a failure. */
  command: string;
  rows: unknown[];
}

/** Resolves when each call was answered; rejects with what failed first. */
export type Flight = (calls: Call[]) => Promise<Answer[]>;

export interface Connections {
  /** One statement in a transaction of its own. */
  query<Row>(statement: Statement, values?: unknown[]): Promise<Row[]>;
  /** A connection for several flights. One that broke, or that `work` left in a transaction, leaves the pool. */
  borrow<Result>(work: (flight: Flight) => Promise<Result>): Promise<Result>;
  /** Waits for what is under way. */
  close(): Promise<void>;
}

interface ConnectionsOptions {
  url: string;
  connectionsMax: number;
  onStatement?: ((text: string) => void) | undefined;
}

export const connectMsMax = 5_000;
/** Longer than the server's own limits below, so that it answers first unless the network is gone. */
const answerMsMax = 15_000;
const lockMsMax = 10_000;
/** A process that stands still in a transaction must not hold an account's lock for ever. */
const idleInTransactionMsMax = 10_000;

export function openConnections({ url, connectionsMax, onStatement }: ConnectionsOptions): Connections {
  const pool = new pg.Pool({
    connectionString: url,
    pipeline: true,
    types,
    max: connectionsMax,
    connectionTimeoutMillis: connectMsMax,
    query_timeout: answerMsMax,
    lock_timeout: lockMsMax,
    idle_in_transaction_session_timeout: idleInTransactionMsMax,
    application_name: 'gemba',
  });
  // An idle connection broke: the pool drops it and the next use makes a new one.
  pool.on('error', () => {});
  // Heard for as long as a connection lives: it can break in the very read that hands it out, before `borrow` goes on, and
  // an error that nobody hears ends the process.
  const broken = new WeakSet<pg.PoolClient>();
  pool.on('connect', (client) => client.on('error', () => void broken.add(client)));
  const underWay = new Set<Promise<unknown>>();

  const borrow = async <Result>(work: (flight: Flight) => Promise<Result>): Promise<Result> => {
    const client = await pool.connect().catch((error: unknown) => {
      throw asStoreFailure(error);
    });
    try {
      return await work((calls) => fly(client, calls, onStatement));
    } finally {
      client.release(broken.has(client) || client.getTransactionStatus() !== 'I');
    }
  };

  const connections: Connections = {
    async query<Row>(statement: Statement, values: unknown[] = []) {
      const [answer] = await connections.borrow((flight) => flight([{ statement, values }]));
      return answer!.rows as Row[];
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

async function fly(client: pg.PoolClient, calls: Call[], onStatement?: (text: string) => void): Promise<Answer[]> {
  const answers = await Promise.allSettled(
    calls.map(({ statement, values = [] }) => {
      onStatement?.(statement.text);
      return client.query({ ...statement, values });
    }),
  );
  const failures = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as unknown] : []));
  if (failures.length > 0) throw asStoreFailure(failures.find((failure) => !isAftermath(failure)) ?? failures[0]);
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
}
