/** The names of rows: in the journal by table and id, and for mutations by the work itself. */
import type { TableName } from '../migrations.ts';
import { deviceRowId, originOf, type DraftBody, type MutationBody, type OutboxBody, type Row } from '../rows.ts';

export const keyOf = (table: TableName, id: string): string => `${table}|${id}`;
export const tableOf = (key: string) => key.slice(0, key.indexOf('|')) as TableName;
export const idOf = (key: string) => key.slice(key.indexOf('|') + 1);

export const deviceKey = keyOf('outbox', deviceRowId);
/** The key of the rows' version. */
export const versionKey = 'version';

export const isMutation = (body: unknown): body is MutationBody => (body as { kind?: unknown })?.kind === 'mutation';

/** Identifies a mutation wherever it goes, and under whichever number. */
export const workOf = (body: MutationBody): string => `${originOf(body)} ${body.recorded_at}`;

/** The id of the tombstone for a row that the database refused: it names the row itself, since its number may be given again. */
export function refusedIdOf({ id, body }: Row<OutboxBody | DraftBody>): string {
  if (body.kind === 'mutation') return `refused|${workOf(body)}`;
  if (body.kind === 'device') return `refused|${id}|${body.client_id}|${body.last_seq}|${body.offered_seq ?? 0}`;
  if (body.kind === 'moved') return `refused|${id}`;
  return `refused|${id}|${body.at.wall_ms}|${body.at.monotonic_ms}`;
}

export const refusedKeyOf = (key: string, body: unknown): string =>
  keyOf(tableOf(key), refusedIdOf({ id: idOf(key), body: body as OutboxBody | DraftBody }));
