/**
 * Online steps on PostgreSQL. `statement` (statement.ts) does not make their SQL, so a separate test checks it for
 * sharding.
 */
import pg from 'pg';
import type {
  BackfilledBatch,
  BackfillPosition,
  Backfill,
  IndexBuild,
  Lease,
  OnlineStepStore,
  StepRow,
} from './online-step.ts';
import { connectMsMax } from '../postgres/connections.ts';
import { translatePgError } from '../postgres/failures.ts';

/** A batch takes milliseconds, so a longer wait for the account's lock means an outage. */
const lockWaitMsMax = 10_000;
const nilUuid = '00000000-0000-0000-0000-000000000000';

/** Opens a connection for the steps. Rejects if `epoch` is given and the database has another epoch or none. */
export async function openStepDatabase(url: string, { epoch }: { epoch?: string } = {}): Promise<OnlineStepStore> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: connectMsMax,
    lock_timeout: lockWaitMsMax,
    application_name: 'gemba online steps',
  });
  // If the connection breaks, the call under way fails and reports the error.
  client.on('error', () => {});
  const query = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> => {
    try {
      const { rows } = await client.query({ text, values });
      return rows as Row[];
    } catch (error) {
      throw translatePgError(error);
    }
  };
  await client.connect().catch((error: unknown) => {
    throw translatePgError(error);
  });
  if (epoch !== undefined && !(await hasEpoch(query, epoch))) {
    await client.end();
    throw new Error('POKE_DATABASE_URL is another database than DATABASE_URL, so no online step is carried out');
  }
  return {
    read: async (name) => parseStepRow((await query<StoredStep>(stepStatements.read, [name]))[0]),
    claim: async (name, { holder, now, until }: Lease) =>
      parseStepRow((await query<StoredStep>(stepStatements.claim, [name, holder, until, now]))[0]),
    async save(name, holder, { position, seen, filled, doneAt, passedAt }) {
      const text = position === null ? null : JSON.stringify(position);
      await query(stepStatements.save, [name, holder, text, seen, filled, doneAt, passedAt]);
    },
    fill: (work, position, rowsMax) => fillBatch(query, work, { position, rowsMax }),
    buildIndex: (work) => buildIndex(query, work),
    async rowCount(table) {
      const [row] = await query<{ rows: number }>(stepStatements.estimate, [table]);
      return Math.max(0, Number(row?.rows ?? 0));
    },
    close: () => client.end(),
  };
}

type Query = <Row>(text: string, values?: unknown[]) => Promise<Row[]>;

async function hasEpoch(query: Query, epoch: string): Promise<boolean> {
  const [schema] = await query<{ is_there: boolean }>(stepStatements.findSchema);
  return schema?.is_there === true && (await query(stepStatements.findEpoch, [epoch])).length > 0;
}

async function fillBatch(
  query: Query,
  work: Backfill,
  { position, rowsMax }: { position: BackfillPosition | null; rowsMax: number },
): Promise<BackfilledBatch> {
  const accountId = position?.id ? position.accountId : await findNextAccountId(query, position);
  if (accountId === undefined) return { position: null, seen: 0, filled: 0 };
  const texts = backfillStatements(work);
  const after = position?.id ?? null;
  const bounds = after === null ? [] : [after];
  const page = await query<{ id: string }>(after === null ? texts.firstPage : texts.nextPage, [
    accountId,
    rowsMax,
    ...bounds,
  ]);
  const last = page.at(-1)?.id;
  if (last === undefined) return { position: { accountId, id: null }, seen: 0, filled: 0 };
  await query('BEGIN');
  try {
    await query(texts.lock, [accountId]);
    const filled = await query(texts.fill, [accountId, page[0]?.id, last]);
    await query('COMMIT');
    const id = page.length < rowsMax ? null : last;
    return { position: { accountId, id }, seen: page.length, filled: filled.length };
  } catch (error) {
    await query('ROLLBACK').catch(() => {});
    throw error;
  }
}

async function findNextAccountId(query: Query, position: BackfillPosition | null): Promise<string | undefined> {
  const rows = await query<{ id: string }>(stepStatements.nextAccount, [position?.accountId ?? nilUuid]);
  return rows[0]?.id;
}

/**
 * Builds the index. First drops the invalid index that a killed PostgreSQL left: such an index slows writers and serves
 * no reader. Returns false while another connection builds the index, even a connection of a killed server process.
 */
async function buildIndex(query: Query, { index, create }: IndexBuild): Promise<boolean> {
  // CONCURRENTLY waits for older transactions, however long they take, so this wait has no limit.
  await query('SET lock_timeout = 0');
  const [found] = await query<{ valid: boolean; building: boolean }>(stepStatements.findIndex, [index]);
  if (found?.valid) return true;
  if (found?.building) return false;
  if (found) await query(`DROP INDEX CONCURRENTLY IF EXISTS ${index}`);
  await query(create);
  return true;
}

/** The statements of a backfill. A test checks them for sharding. */
export function backfillStatements({ table, id, set, unfilled }: Backfill) {
  const page = (bound: string) =>
    `SELECT ${id}::text AS id FROM ${table} WHERE account_id = $1${bound} ORDER BY ${table}.${id} LIMIT $2`;
  return {
    firstPage: page(''),
    nextPage: page(` AND ${id} > $3`),
    /**
     * Takes the account's lock, as each transaction does, so that no row changes between a transaction's load and its
     * save.
     */
    lock: 'UPDATE accounts SET version = version WHERE account_id = $1',
    fill: `UPDATE ${table} SET ${set} WHERE account_id = $1 AND ${id} >= $2 AND ${id} <= $3 AND (${unfilled}) RETURNING 1`,
  };
}

export const stepStatements = {
  read: 'SELECT position, seen, filled, done_at, passed_at FROM online_steps WHERE name = $1',
  claim: `
    INSERT INTO online_steps (name, holder, leased_until) VALUES ($1, $2, $3)
    ON CONFLICT (name) DO UPDATE SET holder = $2, leased_until = $3
     WHERE online_steps.leased_until < $4 OR online_steps.holder = $2
    RETURNING position, seen, filled, done_at, passed_at`,
  save: `
    UPDATE online_steps SET position = $3, seen = $4, filled = $5, done_at = $6, passed_at = $7
     WHERE name = $1 AND holder = $2`,
  nextAccount: 'SELECT account_id AS id FROM accounts WHERE account_id > $1 ORDER BY account_id LIMIT 1',
  estimate: 'SELECT reltuples::bigint AS rows FROM pg_class WHERE oid = to_regclass($1)',
  findSchema: "SELECT to_regclass('store_info') IS NOT NULL AS is_there",
  findEpoch: 'SELECT 1 FROM store_info WHERE epoch = $1',
  findIndex: `
    SELECT indisvalid AS valid,
           EXISTS (SELECT 1 FROM pg_stat_progress_create_index WHERE index_relid = indexrelid) AS building
      FROM pg_index WHERE indexrelid = to_regclass($1)`,
};

interface StoredStep {
  position: string | null;
  seen: string;
  filled: string;
  done_at: string | null;
  passed_at: string | null;
}

/** Converts the texts that `pg` returns for bigints. */
function parseStepRow(row: StoredStep | undefined): StepRow | undefined {
  if (!row) return undefined;
  const time = (text: string | null) => (text === null ? null : Number(text));
  return {
    position: row.position === null ? null : (JSON.parse(row.position) as BackfillPosition),
    seen: Number(row.seen),
    filled: Number(row.filled),
    doneAt: time(row.done_at),
    passedAt: time(row.passed_at),
  };
}
