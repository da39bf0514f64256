/**
 * Migrates the rows of the outbox and the drafts to a new shape. These rows hold work that exists only on the device.
 * Pulled records are not migrated, but pulled again.
 *
 * RxDB's migration plugin is not used, since it weighs 11 kB gzip and does not migrate the journal.
 */
export type TableName = 'outbox' | 'drafts';

/** Converts a row's body to the next version. */
export type Migration = (table: TableName, body: unknown) => unknown;

/** The migration at index n converts version n to n + 1; the number of migrations is the version of the rows. */
export const migrations: readonly Migration[] = [];

export function migrateBody(table: TableName, body: unknown, steps: readonly Migration[]): unknown {
  return steps.reduce((before, step) => step(table, before), body);
}
