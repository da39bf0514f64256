/** Carries out the plan of recovery.ts: restores the rows that a database has lost. */
import { assert } from '../../../shared/domain/assert.ts';
import { hasEqualJson } from '../../../shared/domain/has-equal-json.ts';
import type { TableName } from '../migration/migrations.ts';
import { deviceRowId, type TapBody, type OutboxBody } from '../rows.ts';
import { tableNames, type JournaledTables } from './journaled-tables.ts';
import { deviceRowKey, rowIdOfKey, journalKeyOf, tombstoneKeyOfUnwritten, tableOfKey } from './keys.ts';
import type { JournalRows } from './mirror.ts';
import { planRecovery, type RecoveryPlan } from './recovery.ts';

type DatabaseRows = Map<string, OutboxBody | TapBody>;

interface RowsToCompare {
  journalRows: JournalRows;
  databaseRows: DatabaseRows;
  /** The rows of the journal that the database lacks, or has with another body. */
  differingRows: [key: string, body: unknown][];
}

/** Returns false if the database needs no row of the journal. */
export async function restoreRows(tables: JournaledTables, rows: RowsToCompare): Promise<boolean> {
  const { journalRows, databaseRows } = rows;
  const tombstoneKeys = await findTombstoneKeys(tables, rows);
  const recovery = planRecovery({ journalRows, databaseRows, tombstoneKeys });
  if (!recovery.device && recovery.rowsToPut.size === 0) return false;
  await writeRecovery(tables, recovery, databaseRows);
  return true;
}

/**
 * Returns the keys of rows that the database removed or refused while the journal was behind: those rows are not lost.
 */
async function findTombstoneKeys(
  tables: JournaledTables,
  { differingRows, databaseRows }: RowsToCompare,
): Promise<Set<string>> {
  const keys = differingRows.flatMap(([key, body]) =>
    tableOfKey(key) === 'drafts' && !databaseRows.has(key)
      ? [key, tombstoneKeyOfUnwritten(key, body)]
      : [tombstoneKeyOfUnwritten(key, body)],
  );
  const removed = await Promise.all(
    tableNames.map(async (name) => {
      const ids = keys.filter((key) => tableOfKey(key) === name).map(rowIdOfKey);
      const found = ids.length === 0 ? [] : await tables[name].findRemoved(ids);
      return [...found].map((id) => journalKeyOf(name, id));
    }),
  );
  return new Set(removed.flat());
}

/**
 * Writes the taps first, then the mutations and the device row in one transaction. After a crash in between, the device
 * row is still the old one, so the next opening recovers the rest.
 */
async function writeRecovery(
  tables: JournaledTables,
  { rowsToPut, keysToRemove, device }: RecoveryPlan,
  databaseRows: DatabaseRows,
) {
  const rowsOf = (name: TableName) =>
    [...rowsToPut]
      .filter(([key]) => tableOfKey(key) === name)
      .map(([key, body]) => ({ id: rowIdOfKey(key), body: body as never }));
  const removedOf = (name: TableName) => keysToRemove.filter((key) => tableOfKey(key) === name).map(rowIdOfKey);
  await tables.drafts.write(rowsOf('drafts'), removedOf('drafts'));
  // Stop if another tab stole the lock and numbered new mutations, which can happen while the storage is slow.
  assert(
    hasEqualJson(tables.outbox.get(deviceRowId), databaseRows.get(deviceRowKey)),
    'the device row is as it was read',
  );
  const rows = device ? [...rowsOf('outbox'), { id: deviceRowId, body: device }] : rowsOf('outbox');
  await tables.outbox.write(rows, removedOf('outbox'));
}
