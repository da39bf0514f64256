/** Reads and writes photos. */
import { photoIdOf } from '../../../shared/schema/photos/photo-id.ts';
import { toEventColumns } from '../events/event-row.ts';
import { insertEventsStatement } from '../events/postgres-events.ts';
import { runTransaction } from '../postgres/run-transaction.ts';
import type { Connections } from '../postgres/connections.ts';
import { ownAccountRowSql, statement } from '../postgres/statement.ts';
import {
  photoRowBytes,
  type LostPhoto,
  type NewPhoto,
  type PhotoFinish,
  type PhotoRow,
  type UploadAdvance,
  type UploadClaim,
} from './photo-row.ts';

const insertPhotoStatement = statement({
  text: `
    INSERT INTO photos (account_id, id, content_type, bytes, width, height, thumbnail, received_bytes, received_at)
    SELECT account.account_id, $2, $3, $4::bigint, $5::bigint, $6::bigint, $7, 0, $8::timestamptz
      FROM ${ownAccountRowSql}
     WHERE (SELECT coalesce(sum(bytes + ${photoRowBytes}), 0) FROM photos WHERE account_id = $1)
           + $4::bigint + ${photoRowBytes} <= $9::bigint
    ON CONFLICT (account_id, id) DO NOTHING`,
});

export async function insertPhoto(
  connections: Connections,
  accountId: string,
  photo: NewPhoto,
  { bytesMax, now }: { bytesMax: number; now: string },
): Promise<PhotoRow | undefined> {
  const { id, content_type, bytes, width, height, thumbnail } = photo;
  const values = [accountId, id, content_type, bytes, width, height, thumbnail, now, bytesMax];
  await connections.query(insertPhotoStatement, values);
  return readPhoto(connections, accountId, id);
}

const selectPhotoStatement = statement({
  text: `
    SELECT id, content_type, bytes, width, height, thumbnail, received_bytes, received_at, stored_at
      FROM photos WHERE account_id = $1 AND id = $2`,
});

export async function readPhoto(
  connections: Connections,
  accountId: string,
  id: string,
): Promise<PhotoRow | undefined> {
  const [row] = await connections.query<PhotoRow>(selectPhotoStatement, [accountId, id]);
  return row;
}

const claimUploadStatement = statement({
  text: `
    UPDATE photos SET claim = $3, claimed_until = $4::timestamptz
     WHERE account_id = $1 AND id = $2 AND received_bytes = $5::bigint AND stored_at IS NULL
       AND (claim IS NULL OR claim = $3 OR claimed_until <= $6::timestamptz)
       AND ($7::timestamptz IS NULL OR received_at < $7::timestamptz)
    RETURNING 1`,
});

export async function claimUpload(
  connections: Connections,
  accountId: string,
  id: string,
  { claim, offset, now, until, receivedBefore }: UploadClaim,
): Promise<boolean> {
  const values = [accountId, id, claim, until, offset, now, receivedBefore ?? null];
  return (await connections.query(claimUploadStatement, values)).length > 0;
}

const advanceUploadStatement = statement({
  text: `
    UPDATE photos SET received_bytes = $4::bigint, received_at = $5::timestamptz,
           claim = CASE WHEN $6::boolean THEN claim END, claimed_until = CASE WHEN $6::boolean THEN claimed_until END
     WHERE account_id = $1 AND id = $2 AND claim = $3 AND stored_at IS NULL AND $4::bigint <= bytes
    RETURNING 1`,
});

export async function advanceUpload(
  connections: Connections,
  accountId: string,
  id: string,
  { claim, offset, now, keepsClaim = false }: UploadAdvance,
): Promise<boolean> {
  const values = [accountId, id, claim, offset, now, keepsClaim];
  return (await connections.query(advanceUploadStatement, values)).length > 0;
}

const releaseUploadStatement = statement({
  text: `
    UPDATE photos SET claim = NULL, claimed_until = NULL WHERE account_id = $1 AND id = $2 AND claim = $3`,
});

export async function releaseUpload(
  connections: Connections,
  accountId: string,
  id: string,
  claim: string,
): Promise<void> {
  await connections.query(releaseUploadStatement, [accountId, id, claim]);
}

const nextVersionStatement = statement({
  text: 'UPDATE accounts SET version = version + 1 WHERE account_id = $1 RETURNING version',
});

const finishPhotoStatement = statement({
  text: `
    UPDATE photos SET stored_at = $4::timestamptz, unreferenced_since = NULL, claim = NULL, claimed_until = NULL
     WHERE account_id = $1 AND id = $2 AND claim = $3 AND received_bytes = bytes AND stored_at IS NULL
    RETURNING 1`,
});

/** Stores the photo and its event. Returns the event's version, or undefined if the photo cannot be finished. */
export function finishPhoto(
  connections: Connections,
  accountId: string,
  id: string,
  { claim, now, actor }: PhotoFinish,
): Promise<number | undefined> {
  const first = [
    { statement: nextVersionStatement, values: [accountId] },
    { statement: finishPhotoStatement, values: [accountId, id, claim, now] },
  ];
  return runTransaction(connections, first, ([numbered, finished]) => {
    const [{ version } = { version: undefined }] = (numbered?.rows ?? []) as { version: number }[];
    if (version === undefined || finished?.rows.length !== 1) return undefined;
    const event = { version, type: 'photo.stored', subjectId: photoIdOf(id), actor } as const;
    const row = toEventColumns({ last_version: version, created_at: now, events: [event] });
    const values = [accountId, JSON.stringify([row])];
    return { calls: [{ statement: insertEventsStatement, values }], result: version };
  });
}

const correctPhotoStatement = statement({
  text: `
    UPDATE photos SET width = $3::bigint, height = $4::bigint, thumbnail = $5
     WHERE account_id = $1 AND id = $2 AND stored_at IS NULL AND received_bytes < bytes`,
});

export async function correctPhoto(
  connections: Connections,
  accountId: string,
  { id, width, height, thumbnail }: NewPhoto,
): Promise<void> {
  await connections.query(correctPhotoStatement, [accountId, id, width, height, thumbnail]);
}

const restartUploadStatement = statement({
  text: `
    UPDATE photos SET received_bytes = 0, received_at = $3::timestamptz, stored_at = NULL
     WHERE account_id = $1 AND id = $2 AND stored_at = $4::timestamptz`,
});

export async function restartUpload(
  connections: Connections,
  accountId: string,
  id: string,
  { storedAt, now }: LostPhoto,
): Promise<void> {
  await connections.query(restartUploadStatement, [accountId, id, now, storedAt]);
}

export const restartPhotoAgesSql = `
  UPDATE photos SET unreferenced_since = NULL,
         received_at = CASE WHEN stored_at IS NULL THEN $1::timestamptz ELSE received_at END
   WHERE stored_at IS NULL OR unreferenced_since IS NOT NULL`;

const restartPhotoAgesStatement = statement({ text: restartPhotoAgesSql });

/**
 * Sets the ages of uploads and of unreferenced photos back to 0 after a restore, so that sweeps keep them longer.
 * Devices need time to push the runs that the restore undid, and these runs may refer to the photos.
 */
export async function restartPhotoAges(connections: Connections, now: string): Promise<void> {
  await connections.query(restartPhotoAgesStatement, [now]);
}

const deletePhotoStatement = statement({
  text: 'DELETE FROM photos WHERE account_id = $1 AND id = $2 AND claim = $3 AND stored_at IS NULL RETURNING 1',
});

export async function deletePhoto(
  connections: Connections,
  accountId: string,
  id: string,
  claim: string,
): Promise<boolean> {
  return (await connections.query(deletePhotoStatement, [accountId, id, claim])).length > 0;
}

const selectIdleUploadsStatement = statement({
  text: `
    SELECT id FROM photos
     WHERE account_id = $1 AND stored_at IS NULL AND received_at < $2::timestamptz ORDER BY received_at, id LIMIT $3`,
});

export async function listIdleUploads(
  connections: Connections,
  accountId: string,
  { receivedBefore, limit }: { receivedBefore: string; limit: number },
): Promise<string[]> {
  const rows = await connections.query<{ id: string }>(selectIdleUploadsStatement, [accountId, receivedBefore, limit]);
  return rows.map(({ id }) => id);
}
