/** Decides which rows the journal must have, and which changes it needs. Pure. */
import { hasEqualJson } from '../../../shared/domain/has-equal-json.ts';
import type { TapBody, OutboxBody, Row } from '../rows.ts';
import type { TableName } from '../migration/migrations.ts';
import { deviceRowKey, journalKeyOf } from './keys.ts';
import type { JournalChange, JournalRows } from './mirror.ts';

type JournaledBody = OutboxBody | TapBody;

/**
 * Removes the device token, so that the journal's files give no access to the account. A recovered device pairs again.
 */
export const withoutToken = (body: JournaledBody): JournaledBody =>
  body.kind === 'device' ? { ...body, token: null } : body;

/** Returns false for a receipt, which the journal does not store, since the server has the recording. */
const isJournaled = (body: JournaledBody): boolean => !(body.kind === 'mutation' && body.state === 'receipt');

export const toJournalChanges = (
  table: TableName,
  rows: Row<JournaledBody>[],
  removedIds: string[],
): JournalChange[] => [
  ...rows.map(({ id, body }) => [journalKeyOf(table, id), isJournaled(body) ? withoutToken(body) : null] as const),
  ...removedIds.map((id) => [journalKeyOf(table, id), null] as const),
];

/** Returns the rows that the journal must have for these database rows. */
export const journalRowsOf = (databaseRows: ReadonlyMap<string, JournaledBody>): JournalRows =>
  new Map([...databaseRows].flatMap(([key, body]) => (isJournaled(body) ? [[key, withoutToken(body)] as const] : [])));

/**
 * Returns the rows that the journal lacks, except the device row. Nothing in the journal is replaced, since the journal
 * may be newer than the database.
 */
export const findRowsToAdd = (journalRows: JournalRows, wantedRows: JournalRows): JournalChange[] =>
  [...wantedRows].filter(([key]) => !journalRows.has(key) && key !== deviceRowKey);

export function changesBetween(journalRows: JournalRows, wantedRows: JournalRows): JournalChange[] {
  const changes: JournalChange[] = [];
  for (const [key, body] of wantedRows) if (!hasEqualJson(journalRows.get(key), body)) changes.push([key, body]);
  for (const key of journalRows.keys()) if (!wantedRows.has(key)) changes.push([key, null]);
  return changes;
}
