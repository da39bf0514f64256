/** Reads and writes the photos that runs refer to. */
import type { RunRow } from '../rows/documents.ts';
import type { Database, ExecuteForAccount } from '../sqlite/database.ts';
import {
  referencesOf,
  type AwaitedPhoto,
  type ReferencedPhoto,
  type ReferencePosition,
  type UnreferencedPhotoClaim,
} from './photo-reference.ts';

const insertReferenceSql = `
  INSERT INTO photo_references (account_id, photo_id, run_id, referenced_at)
  VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING`;

export function saveReferences(execute: ExecuteForAccount, run: RunRow): void {
  if (!run.doc) execute('DELETE FROM photo_references WHERE account_id = ? AND run_id = ?', run.id);
  for (const { photo_id, run_id, referenced_at } of referencesOf(run)) {
    execute(insertReferenceSql, photo_id, run_id, referenced_at);
  }
}

export function isPhotoReferenced(database: Database, accountId: string, id: string): boolean {
  const sql = 'SELECT 1 FROM photo_references WHERE account_id = ? AND photo_id = ? LIMIT 1';
  return database.get(sql, accountId, id) !== undefined;
}

const selectPhotosOfRunSql = `
  SELECT photo.id, content_type, bytes, width, height, stored_at
    FROM photo_references AS reference
    JOIN photos AS photo ON photo.account_id = reference.account_id AND photo.id = reference.photo_id
   WHERE reference.account_id = ? AND reference.run_id = ?`;

export function listPhotosOfRun(database: Database, accountId: string, runId: number): ReferencedPhoto[] {
  return database.all<ReferencedPhoto>(selectPhotosOfRunSql, accountId, runId).map((row) => ({ ...row }));
}

const selectAwaitedSql = `
  SELECT reference.photo_id, reference.run_id, reference.referenced_at, run.map_id,
         run.record ->> '$.device_id' AS device_id
    FROM photo_references AS reference
    JOIN runs AS run ON run.account_id = reference.account_id AND run.id = reference.run_id
    LEFT JOIN photos AS photo ON photo.account_id = reference.account_id AND photo.id = reference.photo_id
   WHERE reference.account_id = ?1 AND (reference.photo_id, reference.run_id) > (?2, ?3) AND photo.stored_at IS NULL
   ORDER BY reference.photo_id, reference.run_id LIMIT ?4`;

export function listAwaitedPhotos(
  database: Database,
  accountId: string,
  { after, limit }: { after: ReferencePosition | undefined; limit: number },
): AwaitedPhoto[] {
  const { photo_id, run_id } = after ?? { photo_id: '', run_id: 0 };
  const rows = database.all<AwaitedPhoto>(selectAwaitedSql, accountId, photo_id, run_id, limit);
  return rows.map((row) => ({ ...row }));
}

const isReferencedSql =
  'EXISTS (SELECT 1 FROM photo_references AS r WHERE r.account_id = photos.account_id AND r.photo_id = photos.id)';

const selectStoredSql =
  'SELECT id FROM photos WHERE account_id = ?1 AND id > ?2 AND stored_at IS NOT NULL ORDER BY id LIMIT ?3';

export function listStoredIds(
  database: Database,
  accountId: string,
  { after = '', limit }: { after: string | undefined; limit: number },
): string[] {
  return database.all<{ id: string }>(selectStoredSql, accountId, after, limit).map(({ id }) => id);
}

const markSql = `
  UPDATE photos SET unreferenced_since = iif(${isReferencedSql}, NULL, ?4)
   WHERE account_id = ?1 AND id BETWEEN ?2 AND ?3 AND stored_at IS NOT NULL
     AND (unreferenced_since IS NULL) <> ${isReferencedSql}`;

export function markUnreferenced(
  database: Database,
  accountId: string,
  { from, to, now }: { from: string; to: string; now: string },
): void {
  database.run(markSql, accountId, from, to, now);
}

export function unmarkPhoto(database: Database, accountId: string, id: string): void {
  const sql = `
    UPDATE photos SET unreferenced_since = NULL WHERE account_id = ? AND id = ? AND unreferenced_since IS NOT NULL`;
  database.run(sql, accountId, id);
}

const selectUnreferencedSql = `
  SELECT id FROM photos
   WHERE account_id = ?1 AND stored_at IS NOT NULL AND unreferenced_since <= ?2
   ORDER BY unreferenced_since LIMIT ?3`;

export function listUnreferencedPhotos(
  database: Database,
  accountId: string,
  { unreferencedBefore, limit }: { unreferencedBefore: string; limit: number },
): string[] {
  const rows = database.all<{ id: string }>(selectUnreferencedSql, accountId, unreferencedBefore, limit);
  return rows.map(({ id }) => id);
}

const claimUnreferencedSql = `
  UPDATE photos SET stored_at = NULL, unreferenced_since = NULL, received_bytes = 0, received_at = ?5,
         claim = ?4, claimed_until = ?6
   WHERE account_id = ?1 AND id = ?2 AND stored_at IS NOT NULL AND unreferenced_since <= ?3 AND NOT ${isReferencedSql}
  RETURNING 1`;

export function claimUnreferenced(
  database: Database,
  accountId: string,
  id: string,
  { unreferencedBefore, claim, now, until }: UnreferencedPhotoClaim,
): boolean {
  return database.all(claimUnreferencedSql, accountId, id, unreferencedBefore, claim, now, until).length > 0;
}
