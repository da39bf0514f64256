/** Decides what the journal holds of the database, and what it lacks. Pure. */
import type { DraftBody, OutboxBody, Row } from '../rows.ts';
import type { TableName } from '../migrations.ts';
import { deviceKey, keyOf } from './keys.ts';
import type { JournalChange, JournalRows } from './mirror.ts';

type Body = OutboxBody | DraftBody;

/** The token is left out, since it opens the account to anyone who reads the files; a device without one is paired again. */
export const journaled = (body: Body): Body => (body.kind === 'device' ? { ...body, token: null } : body);

/** Receipts are left out, since the server has their content. */
const isJournaled = (body: Body): boolean => !(body.kind === 'mutation' && body.state === 'receipt');

export const changesOf = (table: TableName, rows: Row<Body>[], removedIds: string[]): JournalChange[] => [
  ...rows.map(({ id, body }) => [keyOf(table, id), isJournaled(body) ? journaled(body) : null] as const),
  ...removedIds.map((id) => [keyOf(table, id), null] as const),
];

/** The journal's rows for these of the database. */
export const journaledRows = (standing: ReadonlyMap<string, Body>): JournalRows =>
  new Map([...standing].flatMap(([key, body]) => (isJournaled(body) ? [[key, journaled(body)] as const] : [])));

/** Finds rows to add to a journal that may know more than the database; the device row stays, since it may be the later one. */
export const additions = (held: JournalRows, wanted: JournalRows): JournalChange[] =>
  [...wanted].filter(([key]) => !held.has(key) && key !== deviceKey);

export function differences(held: JournalRows, wanted: JournalRows): JournalChange[] {
  const changes: JournalChange[] = [];
  for (const [key, body] of wanted) if (!areEqual(held.get(key), body)) changes.push([key, body]);
  for (const key of held.keys()) if (!wanted.has(key)) changes.push([key, null]);
  return changes;
}

/** Compares every key of two rows. */
export const areEqual = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
