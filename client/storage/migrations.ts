/**
 * Migrates the rows of the outbox and the drafts to a new shape. These rows hold work that exists only on the device.
 * Pulled records are not migrated, but pulled again.
 *
 * RxDB's migration plugin is not used, since it weighs 11 kB gzip and does not migrate the journal.
 */
import type { RowStorage, StoredRow } from './row-store.ts';
import { deviceRowId, type TapBody, type OutboxBody } from './rows.ts';
import type { Table } from './table.ts';

export type TableName = 'outbox' | 'drafts';

/** Converts a row's body to the next version. */
export type Migration = (table: TableName, body: unknown) => unknown;

/** The migration at index n converts version n to n + 1; the number of migrations is the version of the rows. */
export const migrations: readonly Migration[] = [];

export function migrateBody(table: TableName, body: unknown, steps: readonly Migration[]): unknown {
  return steps.reduce((before, step) => step(table, before), body);
}

interface MigrationOptions {
  storage: RowStorage;
  outbox: Table<OutboxBody>;
  drafts: Table<TapBody>;
  steps: readonly Migration[];
}

/**
 * Copies the rows of the latest older version, then drops the old collections. The device row is written in the last
 * transaction. After a crash before that transaction, the next opening repeats the migration.
 */
export async function migrate({ storage, outbox, drafts, steps }: MigrationOptions): Promise<void> {
  if (steps.length === 0 || (await outbox.refresh(deviceRowId))) return;
  for (let version = steps.length - 1; version >= 0; version--) {
    const open = (name: TableName) =>
      storage.open<unknown>({ name, version, isShared: false, bodySchema: anyBodySchema });
    const [oldDrafts, oldOutbox] = [await open('drafts'), await open('outbox')];
    const rows = await oldOutbox.readAll();
    const isOurs = rows.some(({ id }) => id === deviceRowId);
    if (isOurs) {
      const after = steps.slice(version);
      await copyRows('drafts', drafts, await oldDrafts.readAll(), after);
      await copyRows('outbox', outbox, rows, after);
    }
    await oldDrafts.drop();
    await oldOutbox.drop();
    if (isOurs) return;
  }
}

const anyBodySchema = { type: 'object' };

async function copyRows<Body>(
  name: TableName,
  table: Table<Body>,
  rows: StoredRow<unknown>[],
  steps: readonly Migration[],
): Promise<void> {
  await table.write(rows.map(({ id, body }) => ({ id, body: migrateBody(name, body, steps) as Body })));
}
