/**
 * Describes the progress of an upload, in a JSON body and in the headers of tus 1.0
 * (https://tus.io/protocols/resumable-upload).
 */
import { photoChunkBytesMax, photoBytesMax, type PhotoUpload } from '../../../shared/schema/photos/photo.ts';
import { uploadIdleMsMax } from '../../photos/sweep-uploads.ts';
import type { PhotoRow } from '../../store/photos/photo-row.ts';
import { photoIdOf } from '../../../shared/schema/photos/photo-id.ts';

export const tusVersion = '1.0.0';

/** Forbids caching, since a cached offset would soon be wrong. */
export const tusHeaders = { 'Tus-Resumable': tusVersion, 'Cache-Control': 'no-store' };

export const tusOptionsHeaders = {
  ...tusHeaders,
  'Tus-Version': tusVersion,
  'Tus-Extension': 'expiration,termination',
  'Tus-Max-Size': String(photoBytesMax),
};

export const uploadPathOf = (photoId: string): string => `/api/v1/photos/${photoId}/upload`;

export function uploadHeaders(photo: PhotoRow): Record<string, string> {
  const expiresAt = expiryOf(photo);
  return {
    ...tusHeaders,
    'Upload-Offset': String(photo.received_bytes),
    ...(expiresAt ? { 'Upload-Expires': expiresAt.toUTCString() } : {}),
  };
}

export function uploadBody(photo: PhotoRow): PhotoUpload {
  const id = photoIdOf(photo.id);
  return {
    id,
    status: photo.stored_at === null ? 'uploading' : 'stored',
    upload_url: uploadPathOf(id),
    offset: photo.received_bytes,
    chunk_bytes_max: photoChunkBytesMax,
    expires_at: expiryOf(photo)?.toISOString() ?? null,
  };
}

const expiryOf = ({ stored_at, received_at }: PhotoRow): Date | undefined =>
  stored_at === null ? new Date(Date.parse(received_at) + uploadIdleMsMax) : undefined;
