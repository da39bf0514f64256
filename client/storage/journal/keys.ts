/** The keys of rows: in the journal the table and id, and for mutations also the work itself. */
import type { TableName } from '../migrations.ts';
import { deviceRowId, originOf, type TapBody, type MutationBody, type OutboxBody, type Row } from '../rows.ts';

export const keyOf = (table: TableName, id: string): string => `${table}|${id}`;
export const tableOf = (key: string) => key.slice(0, key.indexOf('|')) as TableName;
export const idOf = (key: string) => key.slice(key.indexOf('|') + 1);

export const deviceKey = keyOf('outbox', deviceRowId);
/** The key under which the journal stores the version of its rows. */
export const versionKey = 'version';

export const isMutation = (body: unknown): body is MutationBody => (body as { kind?: unknown })?.kind === 'mutation';

/** Identifies a mutation on every device, even after it was renumbered. */
export const workIdOf = (body: MutationBody): string => `${originOf(body)} ${body.recorded_at}`;

/**
 * The id of the tombstone for a row that the database refused. It names the work, since the row's number may be used
 * again.
 */
export function refusedIdOf({ id, body }: Row<OutboxBody | TapBody>): string {
  if (body.kind === 'mutation') return `refused|${workIdOf(body)}`;
  if (body.kind === 'device') return `refused|${id}|${body.client_id}|${body.last_seq}|${body.offered_seq ?? 0}`;
  if (body.kind === 'moved') return `refused|${id}`;
  return `refused|${id}|${body.at.wall_ms}|${body.at.monotonic_ms}`;
}

export const refusedKeyOf = (key: string, body: unknown): string =>
  keyOf(tableOf(key), refusedIdOf({ id: idOf(key), body: body as OutboxBody | TapBody }));
