/** The tables whose rows the journal copies. */
import type { TableName } from '../migration/migrations.ts';
import type { TapBody, OutboxBody } from '../rows.ts';
import type { Table } from '../table.ts';
import { journalKeyOf } from './keys.ts';

export interface JournaledTables {
  outbox: Table<OutboxBody>;
  drafts: Table<TapBody>;
}

export const tableNames: readonly TableName[] = ['outbox', 'drafts'];

/** Reads the database's rows, and returns them by their keys in the journal. */
export async function readDatabaseRows({
  outbox,
  drafts,
}: JournaledTables): Promise<Map<string, OutboxBody | TapBody>> {
  const [outboxRows, draftRows] = await Promise.all([outbox.readAll(), drafts.readAll()]);
  return new Map<string, OutboxBody | TapBody>([
    ...outboxRows.map(([id, body]) => [journalKeyOf('outbox', id), body] as const),
    ...draftRows.map(([id, body]) => [journalKeyOf('drafts', id), body] as const),
  ]);
}
