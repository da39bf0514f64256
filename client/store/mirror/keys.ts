/** How a row is named in the second copy: by its table and its id. */
import type { TableName } from '../migrations.ts';
import { deviceRowId, type MutationBody } from '../rows.ts';

export const keyOf = (table: TableName, id: string): string => `${table}|${id}`;
export const tableOf = (key: string) => key.slice(0, key.indexOf('|')) as TableName;
export const idOf = (key: string) => key.slice(key.indexOf('|') + 1);

export const deviceKey = keyOf('outbox', deviceRowId);
/** Of the version of the rows. */
export const versionKey = 'version';

export const isMutation = (body: unknown): body is MutationBody => (body as { kind?: unknown })?.kind === 'mutation';
