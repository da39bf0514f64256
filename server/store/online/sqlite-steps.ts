/** Online steps on SQLite, over a connection of their own. Each batch blocks the event loop for milliseconds. */
import { join } from 'node:path';
import type { BackfilledBatch, BackfillPosition, Backfill, OnlineStepStore, StepRow } from './online-step.ts';
import { databaseFileName } from '../sqlite/data-folder.ts';
import { inTransaction, openDatabase, type Database, type SqlValue } from '../sqlite/database.ts';

const busyMsMax = 1_000;

export async function openStepDatabase(dataDir: string): Promise<OnlineStepStore> {
  const database = await openDatabase(join(dataDir, databaseFileName), { busyMsMax, synchronous: 'FULL' });
  let isClosed = false;
  return {
    read: async (name) => parseStepRow(database.get<StoredStep>(readSql, name)),
    claim: async (name, { holder, now, until }) =>
      parseStepRow(database.all<StoredStep>(claimSql, name, holder, until, now)[0]),
    save: async (name, holder, { position, seen, filled, doneAt, passedAt }) => {
      const text = position === null ? null : JSON.stringify(position);
      database.run(saveSql, name, holder, text, seen, filled, doneAt, passedAt);
    },
    fill: async (work, position, rowsMax) =>
      inTransaction(database, () => fillBatch(database, work, { position, rowsMax })),
    buildIndex: () => Promise.reject(new Error('SQLite builds no index while it serves')),
    rowCount: async (table) => database.one<{ rows: number }>(`SELECT count(*) AS rows FROM ${table}`).rows,
    close: async () => {
      if (!isClosed) database.close();
      isClosed = true;
    },
  };
}

function fillBatch(
  database: Database,
  { table, id, set, unfilled }: Backfill,
  { position, rowsMax }: { position: BackfillPosition | null; rowsMax: number },
): BackfilledBatch {
  const accountId = position?.id ? position.accountId : findNextAccountId(database, position);
  if (accountId === undefined) return { position: null, seen: 0, filled: 0 };
  const after: SqlValue[] = position?.id ? [position.id] : [];
  // Ids are numbers or text. They are compared as text parameters, which SQLite converts to the column's type.
  const bound = after.length === 0 ? '' : ` AND ${id} > ?3`;
  const pageSql = `SELECT CAST(${id} AS TEXT) AS page_id FROM ${table} WHERE account_id = ?1${bound} ORDER BY ${id} LIMIT ?2`;
  const page = database.all<{ page_id: string }>(pageSql, accountId, rowsMax, ...after);
  const [first, last] = [page[0]?.page_id, page.at(-1)?.page_id];
  if (first === undefined || last === undefined) return { position: { accountId, id: null }, seen: 0, filled: 0 };
  const fillSql = `UPDATE ${table} SET ${set} WHERE account_id = ?1 AND ${id} >= ?2 AND ${id} <= ?3 AND (${unfilled}) RETURNING 1`;
  const filled = database.all(fillSql, accountId, first, last).length;
  return { position: { accountId, id: page.length < rowsMax ? null : last }, seen: page.length, filled };
}

function findNextAccountId(database: Database, position: BackfillPosition | null): string | undefined {
  const sql = 'SELECT account_id AS id FROM accounts WHERE account_id > ? ORDER BY account_id LIMIT 1';
  return database.get<{ id: string }>(sql, position?.accountId ?? '')?.id;
}

const readSql = 'SELECT position, seen, filled, done_at, passed_at FROM online_steps WHERE name = ?';

const claimSql = `
  INSERT INTO online_steps (name, holder, leased_until) VALUES (?1, ?2, ?3)
  ON CONFLICT (name) DO UPDATE SET holder = ?2, leased_until = ?3
   WHERE online_steps.leased_until < ?4 OR online_steps.holder = ?2
  RETURNING position, seen, filled, done_at, passed_at`;

const saveSql = `
  UPDATE online_steps SET position = ?3, seen = ?4, filled = ?5, done_at = ?6, passed_at = ?7
   WHERE name = ?1 AND holder = ?2`;

interface StoredStep {
  position: string | null;
  seen: number;
  filled: number;
  done_at: number | null;
  passed_at: number | null;
}

function parseStepRow(row: StoredStep | undefined): StepRow | undefined {
  if (!row) return undefined;
  const { seen, filled, done_at: doneAt, passed_at: passedAt } = row;
  const position = row.position === null ? null : (JSON.parse(row.position) as BackfillPosition);
  return { position, seen, filled, doneAt, passedAt };
}
