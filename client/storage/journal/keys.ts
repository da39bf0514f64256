/**
 * Makes the keys of rows in the journal, and ids by which a mutation is recognized even under another sequence number.
 */
import type { TableName } from '../migration/migrations.ts';
import { deviceRowId, originOf, type TapBody, type MutationBody, type OutboxBody, type Row } from '../rows.ts';

export const journalKeyOf = (table: TableName, id: string): string => `${table}|${id}`;
export const tableOfKey = (key: string) => key.slice(0, key.indexOf('|')) as TableName;
export const rowIdOfKey = (key: string) => key.slice(key.indexOf('|') + 1);

export const deviceRowKey = journalKeyOf('outbox', deviceRowId);
/** The key under which the journal stores the version of its rows. */
export const versionKey = 'version';

export const isMutation = (body: unknown): body is MutationBody => (body as { kind?: unknown })?.kind === 'mutation';

/** Returns an id that survives a renumbering: the mutation's original client id and sequence number, and its time. */
export const stableIdOf = (body: MutationBody): string => `${originOf(body)} ${body.recorded_at}`;

/**
 * Returns the id of the tombstone for a row that the database refused. A mutation's row id does not suffice, since
 * another mutation may get the same sequence number.
 */
export function tombstoneIdOfUnwritten({ id, body }: Row<OutboxBody | TapBody>): string {
  if (body.kind === 'mutation') return `refused|${stableIdOf(body)}`;
  if (body.kind === 'device') return `refused|${id}|${body.client_id}|${body.last_seq}|${body.offered_seq ?? 0}`;
  if (body.kind === 'moved') return `refused|${id}`;
  return `refused|${id}|${body.at.wall_ms}|${body.at.monotonic_ms}`;
}

export const tombstoneKeyOfUnwritten = (key: string, body: unknown): string =>
  journalKeyOf(tableOfKey(key), tombstoneIdOfUnwritten({ id: rowIdOfKey(key), body: body as OutboxBody | TapBody }));
