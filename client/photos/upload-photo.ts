/** Sends one photo to the server: its declaration with the thumbnail, and its bytes from where the server has them on. */
import { photoIdOf } from '../../shared/schema/photos/photo-id.ts';
import { RequestError } from '../sync/net/failure.ts';
import { base64Of, thumbnailName, type PhotoFiles } from './photo-files.ts';
import type { Appended, PhotoRequests } from './photo-requests.ts';
import type { KnownPhoto } from './photo-rows.ts';

interface UploadParts {
  files: Pick<PhotoFiles, 'read'>;
  requests: PhotoRequests;
}

export interface DeclaredPhoto {
  /** Whether the server has the whole photo and has verified it. */
  isStored: boolean;
  offset: number;
  chunkBytesMax: number;
}

/** An upload that something else keeps moving is left to the next attempt. */
const movesMax = 5;
/** A proxy that refuses smaller bodies lets no photo through. */
const pieceBytesMin = 16 * 1024;

export async function declarePhoto(
  { files, requests }: UploadParts,
  { hex, bytes, content_type, width, height }: KnownPhoto,
  signal: AbortSignal,
): Promise<DeclaredPhoto> {
  const thumbnail = await files.read(thumbnailName(hex));
  const described = { id: photoIdOf(hex), bytes, content_type, width, height };
  const upload = await requests.declare(
    thumbnail ? { ...described, thumbnail: await base64Of(thumbnail) } : described,
    signal,
  );
  return { isStored: upload.status === 'stored', offset: upload.offset, chunkBytesMax: upload.chunk_bytes_max };
}

/** A proxy may take smaller bodies than the server. */
const isTooLarge = (error: unknown): boolean => error instanceof RequestError && error.failure.kind === 'too_large';

interface UploadOptions {
  content: Blob;
  signal: AbortSignal;
  onOffset(offset: number): void;
}

/**
 * Resolves once the server says that the photo is stored. All bytes alone prove nothing: a server that died before the
 * verification has them, too.
 */
export async function uploadPhoto(
  parts: UploadParts,
  photo: KnownPhoto,
  from: DeclaredPhoto,
  { content, signal, onOffset }: UploadOptions,
): Promise<void> {
  let declared = from;
  let pieceBytesMax = Infinity;
  for (let moves = 0; moves <= movesMax;) {
    const { isStored, offset, chunkBytesMax } = declared;
    if (isStored) return;
    if (offset >= photo.bytes) throw new Error('the server has not verified the photo yet');
    onOffset(offset);
    const pieceBytes = Math.min(chunkBytesMax, pieceBytesMax, parts.requests.pieceBytesMax());
    const bytes = content.slice(offset, Math.min(photo.bytes, offset + pieceBytes));
    let appended: Appended;
    try {
      appended = await parts.requests.append(photoIdOf(photo.hex), { offset, bytes }, signal);
    } catch (error) {
      if (!isTooLarge(error) || bytes.size <= pieceBytesMin) throw error;
      pieceBytesMax = Math.ceil(bytes.size / 2);
      continue;
    }
    if (!appended.isMoved && appended.offset === photo.bytes) return;
    moves += Number(appended.isMoved);
    declared =
      appended.offset < photo.bytes
        ? { ...declared, offset: appended.offset }
        : await declarePhoto(parts, photo, signal);
  }
  throw new Error('something else keeps moving the upload');
}
