/** Copies the rows of an older version of the app into the collections of this version. */
import { migrateBody, type Migration, type TableName } from './migrations.ts';
import type { RowStoreFactory, StoredRow } from '../row-store.ts';
import { deviceRowId, type TapBody, type OutboxBody } from '../rows.ts';
import type { Table } from '../table.ts';

interface MigrationOptions {
  storage: RowStoreFactory;
  outbox: Table<OutboxBody>;
  drafts: Table<TapBody>;
  steps: readonly Migration[];
}

/**
 * Copies the rows of the latest older version, then drops the old collections. The device row is written in the last
 * transaction. After a crash before that transaction, the next opening repeats the migration.
 */
export async function migrate({ storage, outbox, drafts, steps }: MigrationOptions): Promise<void> {
  if (await outbox.refresh(deviceRowId)) return;
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
