/** Restores the rows that a database has lost, from its journal. */
import type { TapBody, OutboxBody } from '../rows.ts';
import { hasEqualJson } from '../../../shared/domain/has-equal-json.ts';
import { withoutToken } from './changes.ts';
import { readDatabaseRows, type JournaledTables } from './journaled-tables.ts';
import { deviceRowKey } from './keys.ts';
import type { JournalRows } from './mirror.ts';

/** Returns the database's rows after the recovery; undefined for a new device, which has no rows. */
export async function recoverDatabase(
  tables: JournaledTables,
  journalRows: JournalRows,
): Promise<Map<string, OutboxBody | TapBody> | undefined> {
  const databaseRows = await readDatabaseRows(tables);
  if (!databaseRows.has(deviceRowKey) && !journalRows.has(deviceRowKey)) return undefined;
  const differingRows = [...journalRows].filter(([key, body]) => !isSameRow(databaseRows.get(key), body));
  if (differingRows.length === 0) return databaseRows;
  // Load this code on demand, since the database rarely lacks a row of the journal.
  const { restoreRows } = await import('./restore-rows.ts');
  const isChanged = await restoreRows(tables, { journalRows, databaseRows, differingRows });
  return isChanged ? readDatabaseRows(tables) : databaseRows;
}

/** Compares a row of the database with the journal's row, without the token, which the journal never has. */
const isSameRow = (inDatabase: OutboxBody | TapBody | undefined, journaled: unknown): boolean =>
  inDatabase !== undefined && hasEqualJson(withoutToken(inDatabase), withoutToken(journaled as OutboxBody | TapBody));
