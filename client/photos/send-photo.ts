/**
 * Sends one photo to the server: first its declaration with the thumbnail, then its bytes from the server's offset on.
 */
import { photoIdOf } from '../../shared/schema/photos/photo-id.ts';
import { RequestError } from '../sync/net/failure.ts';
import { base64Of, thumbnailNameOf, type PhotoFiles } from './photo-files.ts';
import type { AppendResult, PhotoRequests } from './photo-requests.ts';
import type { KnownPhoto } from './photo-rows.ts';

interface PhotoSenderParts {
  files: Pick<PhotoFiles, 'read'>;
  requests: PhotoRequests;
}

export interface DeclaredPhoto {
  /** True if the server has the whole photo and has verified it. */
  isStored: boolean;
  offset: number;
  chunkBytesMax: number;
}

/** If another sender moves the offset more often than this, the photo waits for its next attempt. */
const offsetMovesMax = 5;
/** Pieces of this size are not halved. A proxy that refuses even such pieces lets no photo through. */
const pieceBytesMin = 16 * 1024;

export async function declarePhoto(
  { files, requests }: PhotoSenderParts,
  { hex, bytes, content_type, width, height }: KnownPhoto,
  signal: AbortSignal,
): Promise<DeclaredPhoto> {
  const thumbnail = await files.read(thumbnailNameOf(hex));
  const described = { id: photoIdOf(hex), bytes, content_type, width, height };
  const declaration = await requests.declare(
    thumbnail ? { ...described, thumbnail: await base64Of(thumbnail) } : described,
    signal,
  );
  return {
    isStored: declaration.status === 'stored',
    offset: declaration.offset,
    chunkBytesMax: declaration.chunk_bytes_max,
  };
}

/** Tells whether a piece was too large, for example for a proxy whose limit is smaller than the server's. */
const isTooLarge = (error: unknown): boolean => error instanceof RequestError && error.failure.kind === 'too_large';

interface SendOptions {
  content: Blob;
  signal: AbortSignal;
  onOffset(offset: number): void;
}

/**
 * Sends the bytes. Resolves once the server confirms that the photo is stored. An offset at the photo's end does not
 * prove this, since the server may have stopped before it verified the photo.
 */
export async function sendPhoto(
  parts: PhotoSenderParts,
  photo: KnownPhoto,
  from: DeclaredPhoto,
  { content, signal, onOffset }: SendOptions,
): Promise<void> {
  let declared = from;
  let pieceBytesMax = Infinity;
  for (let moves = 0; moves <= offsetMovesMax;) {
    const { isStored, offset, chunkBytesMax } = declared;
    if (isStored) return;
    if (offset >= photo.bytes) throw new Error('the server has not verified the photo yet');
    onOffset(offset);
    const pieceBytes = Math.min(chunkBytesMax, pieceBytesMax, parts.requests.pieceBytesMax());
    const bytes = content.slice(offset, Math.min(photo.bytes, offset + pieceBytes));
    let appended: AppendResult;
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
