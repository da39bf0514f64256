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
  const differingRows = [...journalRows].filter(([key, body]) => !isStanding(databaseRows.get(key), body));
  if (differingRows.length === 0) return databaseRows;
  // Load this code on demand, since a database has nearly always all rows of its journal.
  const { restoreRows } = await import('./restore-rows.ts');
  const isChanged = await restoreRows(tables, { journalRows, databaseRows, differingRows });
  return isChanged ? readDatabaseRows(tables) : databaseRows;
}

/** Tells whether the database has a row of the journal, apart from the token, which the journal never has. */
const isStanding = (here: OutboxBody | TapBody | undefined, journaled: unknown): boolean =>
  here !== undefined && hasEqualJson(withoutToken(here), withoutToken(journaled as OutboxBody | TapBody));
