/** Reads and writes the photos that runs refer to. */
import type { Connections, StatementCall } from '../postgres/connections.ts';
import { ownAccountRowSql, statement } from '../postgres/statement.ts';
import type { RunRow } from '../rows/documents.ts';
import {
  referencesOf,
  type AwaitedPhoto,
  type ReferencedPhoto,
  type ReferencePosition,
  type UnreferencedPhotoClaim,
} from './photo-reference.ts';

/** Returns no statement for most transactions, which write no reference and delete no run. */
export function callsToSaveReferences(accountId: string, runs: RunRow[]): StatementCall[] {
  const references = runs.flatMap(referencesOf);
  const deleted = runs.filter(({ doc }) => !doc).map(({ id }) => id);
  return [
    ...(deleted.length > 0 ? [{ statement: deleteReferencesStatement, values: [accountId, deleted] }] : []),
    ...(references.length > 0
      ? [{ statement: insertReferencesStatement, values: [accountId, JSON.stringify(references)] }]
      : []),
  ];
}

const insertReferencesStatement = statement({
  name: 'save_photo_references',
  text: `
    INSERT INTO photo_references (account_id, photo_id, run_id, referenced_at)
    SELECT account.account_id, photo_id, run_id, referenced_at
      FROM ${ownAccountRowSql}, json_to_recordset($2::json) AS written (photo_id text, run_id bigint, referenced_at timestamptz)
    ON CONFLICT (account_id, photo_id, run_id) DO NOTHING`,
});

const deleteReferencesStatement = statement({
  name: 'delete_photo_references',
  text: 'DELETE FROM photo_references WHERE account_id = $1 AND run_id = ANY ($2::bigint[])',
});

const selectReferenceStatement = statement({
  text: 'SELECT 1 FROM photo_references WHERE account_id = $1 AND photo_id = $2 LIMIT 1',
});

export async function isPhotoReferenced(connections: Connections, accountId: string, id: string): Promise<boolean> {
  return (await connections.query(selectReferenceStatement, [accountId, id])).length > 0;
}

const selectPhotosOfRunStatement = statement({
  text: `
    SELECT photo.id, content_type, bytes, width, height, stored_at
      FROM photo_references AS reference
      JOIN photos AS photo ON photo.account_id = $1 AND photo.id = reference.photo_id
     WHERE reference.account_id = $1 AND reference.run_id = $2`,
});

export function listPhotosOfRun(
  connections: Connections,
  accountId: string,
  runId: number,
): Promise<ReferencedPhoto[]> {
  return connections.query<ReferencedPhoto>(selectPhotosOfRunStatement, [accountId, runId]);
}

const selectAwaitedStatement = statement({
  text: `
    SELECT reference.photo_id, reference.run_id, reference.referenced_at, run.map_id, run.record ->> 'device_id' AS device_id
      FROM photo_references AS reference
      JOIN runs AS run ON run.account_id = $1 AND run.id = reference.run_id
      LEFT JOIN photos AS photo ON photo.account_id = $1 AND photo.id = reference.photo_id
     WHERE reference.account_id = $1 AND (reference.photo_id, reference.run_id) > ($2, $3::bigint)
       AND photo.stored_at IS NULL
     ORDER BY reference.photo_id, reference.run_id LIMIT $4`,
});

export function listAwaitedPhotos(
  connections: Connections,
  accountId: string,
  { after, limit }: { after: ReferencePosition | undefined; limit: number },
): Promise<AwaitedPhoto[]> {
  const { photo_id, run_id } = after ?? { photo_id: '', run_id: 0 };
  return connections.query<AwaitedPhoto>(selectAwaitedStatement, [accountId, photo_id, run_id, limit]);
}

const isReferencedSql =
  'EXISTS (SELECT 1 FROM photo_references AS r WHERE r.account_id = $1 AND r.photo_id = photos.id)';

const selectStoredStatement = statement({
  text: 'SELECT id FROM photos WHERE account_id = $1 AND id > $2 AND stored_at IS NOT NULL ORDER BY id LIMIT $3',
});

export async function listStoredIds(
  connections: Connections,
  accountId: string,
  { after = '', limit }: { after: string | undefined; limit: number },
): Promise<string[]> {
  const rows = await connections.query<{ id: string }>(selectStoredStatement, [accountId, after, limit]);
  return rows.map(({ id }) => id);
}

const markUnreferencedStatement = statement({
  text: `
    UPDATE photos SET unreferenced_since = CASE WHEN ${isReferencedSql} THEN NULL ELSE $4::timestamptz END
     WHERE account_id = $1 AND id BETWEEN $2 AND $3 AND stored_at IS NOT NULL
       AND (unreferenced_since IS NULL) <> ${isReferencedSql}`,
});

export async function markUnreferenced(
  connections: Connections,
  accountId: string,
  { from, to, now }: { from: string; to: string; now: string },
): Promise<void> {
  await connections.query(markUnreferencedStatement, [accountId, from, to, now]);
}

const unmarkStatement = statement({
  text: `
    UPDATE photos SET unreferenced_since = NULL
     WHERE account_id = $1 AND id = $2 AND unreferenced_since IS NOT NULL`,
});

export async function unmarkPhoto(connections: Connections, accountId: string, id: string): Promise<void> {
  await connections.query(unmarkStatement, [accountId, id]);
}

const selectUnreferencedStatement = statement({
  text: `
    SELECT id FROM photos
     WHERE account_id = $1 AND stored_at IS NOT NULL AND unreferenced_since <= $2::timestamptz
     ORDER BY unreferenced_since LIMIT $3`,
});

export async function listUnreferencedPhotos(
  connections: Connections,
  accountId: string,
  { unreferencedBefore, limit }: { unreferencedBefore: string; limit: number },
): Promise<string[]> {
  const values = [accountId, unreferencedBefore, limit];
  return (await connections.query<{ id: string }>(selectUnreferencedStatement, values)).map(({ id }) => id);
}

const claimUnreferencedStatement = statement({
  text: `
    UPDATE photos SET stored_at = NULL, unreferenced_since = NULL, received_bytes = 0, received_at = $5::timestamptz,
           claim = $4, claimed_until = $6::timestamptz
     WHERE account_id = $1 AND id = $2 AND stored_at IS NOT NULL AND unreferenced_since <= $3::timestamptz
       AND NOT ${isReferencedSql}
    RETURNING 1`,
});

export async function claimUnreferenced(
  connections: Connections,
  accountId: string,
  id: string,
  { unreferencedBefore, claim, now, until }: UnreferencedPhotoClaim,
): Promise<boolean> {
  const values = [accountId, id, unreferencedBefore, claim, now, until];
  return (await connections.query(claimUnreferencedStatement, values)).length > 0;
}
