/** Decides which rows the journal must hold, and which of them it lacks. Pure. */
import type { TapBody, OutboxBody, Row } from '../rows.ts';
import type { TableName } from '../migrations.ts';
import { deviceKey, keyOf } from './keys.ts';
import type { JournalChange, JournalRows } from './mirror.ts';

type Body = OutboxBody | TapBody;

/** Leaves out the token, which would open the account to a reader of the files. A recovered device pairs again. */
export const withoutToken = (body: Body): Body => (body.kind === 'device' ? { ...body, token: null } : body);

/** Leaves out receipts, since the server has their content. */
const isJournaled = (body: Body): boolean => !(body.kind === 'mutation' && body.state === 'receipt');

export const journalChanges = (table: TableName, rows: Row<Body>[], removedIds: string[]): JournalChange[] => [
  ...rows.map(({ id, body }) => [keyOf(table, id), isJournaled(body) ? withoutToken(body) : null] as const),
  ...removedIds.map((id) => [keyOf(table, id), null] as const),
];

/** Makes the journal's rows from the database's rows. */
export const journalRowsOf = (databaseRows: ReadonlyMap<string, Body>): JournalRows =>
  new Map([...databaseRows].flatMap(([key, body]) => (isJournaled(body) ? [[key, withoutToken(body)] as const] : [])));

/** Finds rows to add to a journal that may be newer than the database. It leaves the journal's device row as it is. */
export const rowsToAdd = (journalRows: JournalRows, wantedRows: JournalRows): JournalChange[] =>
  [...wantedRows].filter(([key]) => !journalRows.has(key) && key !== deviceKey);

export function changesBetween(journalRows: JournalRows, wantedRows: JournalRows): JournalChange[] {
  const changes: JournalChange[] = [];
  for (const [key, body] of wantedRows) if (!areEqual(journalRows.get(key), body)) changes.push([key, body]);
  for (const key of journalRows.keys()) if (!wantedRows.has(key)) changes.push([key, null]);
  return changes;
}

/** Compares two rows with all their keys. */
export const areEqual = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
