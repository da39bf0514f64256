/** Reads and writes photos. */
import { photoIdOf } from '../../../shared/schema/photos/photo-id.ts';
import { toEventColumns } from '../events/event-row.ts';
import type { Database } from '../sqlite/database.ts';
import { insertEventsSql } from '../events/sqlite-events.ts';
import {
  photoRowBytes,
  type LostPhoto,
  type NewPhoto,
  type PhotoFinish,
  type PhotoRow,
  type UploadAdvance,
  type UploadClaim,
} from './photo-row.ts';

const photoColumnsSql = 'id, content_type, bytes, width, height, thumbnail, received_bytes, received_at, stored_at';

const insertPhotoSql = `
  INSERT INTO photos (account_id, id, content_type, bytes, width, height, thumbnail, received_bytes, received_at)
  SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, 0, ?8
   WHERE (SELECT coalesce(sum(bytes + ${photoRowBytes}), 0) FROM photos WHERE account_id = ?1) + ?4 + ${photoRowBytes} <= ?9
  ON CONFLICT (account_id, id) DO NOTHING`;

export function insertPhoto(
  database: Database,
  accountId: string,
  photo: NewPhoto,
  { bytesMax, now }: { bytesMax: number; now: string },
): PhotoRow | undefined {
  const { id, content_type, bytes, width, height, thumbnail } = photo;
  database.run(insertPhotoSql, accountId, id, content_type, bytes, width, height, thumbnail, now, bytesMax);
  return readPhoto(database, accountId, id);
}

export function readPhoto(database: Database, accountId: string, id: string): PhotoRow | undefined {
  const sql = `SELECT ${photoColumnsSql} FROM photos WHERE account_id = ? AND id = ?`;
  const row = database.get<PhotoRow>(sql, accountId, id);
  return row && { ...row };
}

export interface StoredPhoto {
  account_id: string;
  id: string;
  bytes: number;
  stored_at: string;
}

/** Counts the stored photos of all accounts. Returns 0 for a database of a version without photos. */
export const countStoredPhotos = (database: Database): number =>
  hasPhotos(database)
    ? database.one<{ count: number }>('SELECT count(*) AS count FROM photos WHERE stored_at IS NOT NULL').count
    : 0;

const hasPhotos = (database: Database): boolean =>
  database.get("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'photos'") !== undefined;

/** Lists the stored photos of all accounts, one at a time. */
export function listStoredPhotos(database: Database): Iterable<StoredPhoto> {
  if (!hasPhotos(database)) return [];
  return database.each<StoredPhoto>('SELECT account_id, id, bytes, stored_at FROM photos WHERE stored_at IS NOT NULL');
}

const claimUploadSql = `
  UPDATE photos SET claim = ?3, claimed_until = ?4
   WHERE account_id = ?1 AND id = ?2 AND received_bytes = ?5 AND stored_at IS NULL
     AND (claim IS NULL OR claim = ?3 OR claimed_until <= ?6) AND (?7 IS NULL OR received_at < ?7)
  RETURNING 1`;

export function claimUpload(
  database: Database,
  accountId: string,
  id: string,
  { claim, offset, now, until, receivedBefore }: UploadClaim,
): boolean {
  const values = [accountId, id, claim, until, offset, now, receivedBefore ?? null];
  return database.all(claimUploadSql, ...values).length > 0;
}

const advanceUploadSql = `
  UPDATE photos SET received_bytes = ?4, received_at = ?5,
         claim = iif(?6, claim, NULL), claimed_until = iif(?6, claimed_until, NULL)
   WHERE account_id = ?1 AND id = ?2 AND claim = ?3 AND stored_at IS NULL AND ?4 <= bytes
  RETURNING 1`;

export function advanceUpload(
  database: Database,
  accountId: string,
  id: string,
  { claim, offset, now, keepsClaim = false }: UploadAdvance,
): boolean {
  return database.all(advanceUploadSql, accountId, id, claim, offset, now, keepsClaim ? 1 : 0).length > 0;
}

export function releaseUpload(database: Database, accountId: string, id: string, claim: string): void {
  const sql = 'UPDATE photos SET claim = NULL, claimed_until = NULL WHERE account_id = ? AND id = ? AND claim = ?';
  database.run(sql, accountId, id, claim);
}

const finishPhotoSql = `
  UPDATE photos SET stored_at = ?4, unreferenced_since = NULL, claim = NULL, claimed_until = NULL
   WHERE account_id = ?1 AND id = ?2 AND claim = ?3 AND received_bytes = bytes AND stored_at IS NULL
  RETURNING 1`;

const nextVersionSql = 'UPDATE accounts SET version = version + 1 WHERE account_id = ? RETURNING version';

/** Stores the photo and its event. Returns the event's version, or undefined if the photo cannot be finished. */
export function finishPhoto(
  database: Database,
  accountId: string,
  id: string,
  { claim, now, actor }: PhotoFinish,
): number | undefined {
  if (database.all(finishPhotoSql, accountId, id, claim, now).length === 0) return undefined;
  const { version = 0 } = database.get<{ version: number }>(nextVersionSql, accountId) ?? {};
  const event = { version, type: 'photo.stored', subjectId: photoIdOf(id), actor } as const;
  const { events } = toEventColumns({ last_version: version, created_at: now, events: [event] });
  database.run(insertEventsSql, accountId, version, now, events);
  return version;
}

const correctPhotoSql = `
  UPDATE photos SET width = ?3, height = ?4, thumbnail = ?5
   WHERE account_id = ?1 AND id = ?2 AND stored_at IS NULL AND received_bytes < bytes`;

export function correctPhoto(database: Database, accountId: string, { id, width, height, thumbnail }: NewPhoto): void {
  database.run(correctPhotoSql, accountId, id, width, height, thumbnail);
}

const restartUploadSql = `
  UPDATE photos SET received_bytes = 0, received_at = ?3, stored_at = NULL
   WHERE account_id = ?1 AND id = ?2 AND stored_at = ?4`;

export function restartUpload(database: Database, accountId: string, id: string, { storedAt, now }: LostPhoto): void {
  database.run(restartUploadSql, accountId, id, now, storedAt);
}

/**
 * Sets the ages of uploads and of unreferenced photos back to 0 after a restore, so that sweeps keep them longer.
 * Devices need time to push the runs that the restore undid, and these runs may refer to the photos.
 */
export function restartPhotoAges(database: Database, now: string): void {
  const sql = `
    UPDATE photos SET unreferenced_since = NULL, received_at = iif(stored_at IS NULL, ?, received_at)
     WHERE stored_at IS NULL OR unreferenced_since IS NOT NULL`;
  database.run(sql, now);
}

const deletePhotoSql = `
  DELETE FROM photos WHERE account_id = ?1 AND id = ?2 AND claim = ?3 AND stored_at IS NULL RETURNING 1`;

export function deletePhoto(database: Database, accountId: string, id: string, claim: string): boolean {
  return database.all(deletePhotoSql, accountId, id, claim).length > 0;
}

const selectIdleUploadsSql = `
  SELECT id FROM photos
   WHERE account_id = ?1 AND stored_at IS NULL AND received_at < ?2 ORDER BY received_at, id LIMIT ?3`;

export function listIdleUploads(
  database: Database,
  accountId: string,
  { receivedBefore, limit }: { receivedBefore: string; limit: number },
): string[] {
  return database.all<{ id: string }>(selectIdleUploadsSql, accountId, receivedBefore, limit).map(({ id }) => id);
}
