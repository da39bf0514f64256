/** Replies with the bytes of a photo: all of them, a range (RFC 9110, 14), or the thumbnail. */
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import rangeParser from 'range-parser';
import { validationRefusal } from '../../../shared/domain/outcome.ts';
import { sha256 } from '../../core/hash.ts';
import { thumbnailTypeOf } from '../../photos/inspect-thumbnail.ts';
import type { ByteRange, PhotoKey, PhotoStorage } from '../../photos/photo-storage.ts';
import type { PhotoRow } from '../../store/photos/photo-row.ts';
import type { ApiRequest } from '../route.ts';
import { isPrematureClose } from '../body/premature-close.ts';
import type { RefusedReply, Reply } from '../route-reply.ts';
import { photoIdOf } from '../../../shared/schema/photos/photo-id.ts';
import { photoNotFoundRefusal } from './find-library.ts';

/** These headers keep a browser that opens a photo as a page from running anything. */
const safetyHeaders = { 'Content-Security-Policy': "sandbox; default-src 'none'", 'X-Content-Type-Options': 'nosniff' };

/** Limits the bytes of a photo in one sealed answer. */
const sealedBytesMax = 1024 * 1024;

/** Limits the bytes of a photo that one response holds in memory. */
const pieceBytes = 256 * 1024;

export async function photoReply(
  storage: PhotoStorage,
  { method, header, caller, isSealed }: ApiRequest,
  photo: PhotoRow,
): Promise<Reply> {
  const etag = `"${photoIdOf(photo.id)}"`;
  const isOfThisPhoto = (header('If-Range') ?? etag) === etag;
  const range = method === 'GET' && isOfThisPhoto ? header('Range') : undefined;
  const wanted = range === undefined ? wholeRangeOf(photo) : parseRange(photo, range);
  if (!wanted) {
    const error = { code: 'range_not_satisfiable', detail: `The photo has ${photo.bytes} bytes.` } as const;
    return { ok: false, error, headers: { 'Content-Range': `bytes */${photo.bytes}` } };
  }
  // A sealed answer is held in memory as a whole, in several copies.
  if (isSealed && wanted.end - wanted.start > sealedBytesMax) return rangeTooLongRefusal;
  const pieces = piecesOf(storage, { accountId: caller.accountId, id: photo.id }, wanted);
  // The first piece is read before the status is sent, so that a photo whose bytes are lost is refused as
  // `photo_awaited`.
  const first = await pieces.next();
  if (first.done) return photoAwaitedRefusal;
  const { start, end } = wanted;
  const isPart = end - start < photo.bytes;
  const headers = {
    ...safetyHeaders,
    'Content-Type': photo.content_type,
    'Content-Length': String(end - start),
    'Accept-Ranges': 'bytes',
    'Cache-Control': 'private, max-age=31536000, immutable',
    ETag: etag,
    ...(isPart ? { 'Content-Range': `bytes ${start}-${end - 1}/${photo.bytes}` } : {}),
  };
  const stream = async (response: ServerResponse) => {
    response.writeHead(isPart ? 206 : 200, headers);
    await sendPieces(response, first.value, pieces);
  };
  return { ok: true, headers, stream };
}

export function thumbnailReply({ thumbnail }: PhotoRow): Reply {
  if (thumbnail === null) return photoNotFoundRefusal;
  const bytes = Buffer.from(thumbnail, 'base64');
  const headers = {
    ...safetyHeaders,
    'Content-Type': thumbnailTypeOf(bytes),
    'Content-Length': String(bytes.length),
    // The ETag is a hash of the bytes, since a thumbnail may be corrected until its photo is stored.
    ETag: `"${sha256(bytes).slice(0, 32)}"`,
  };
  const stream = async (response: ServerResponse) => void response.writeHead(200, headers).end(bytes);
  return { ok: true, headers, stream };
}

const wholeRangeOf = ({ bytes }: PhotoRow): ByteRange => ({ start: 0, end: bytes });

const rangeTooLongRefusal = validationRefusal([
  { path: '', message: `Range must ask for at most ${sealedBytesMax} bytes in a sealed request` },
]);

export const photoAwaitedRefusal: RefusedReply = {
  ok: false,
  error: { code: 'photo_awaited', detail: 'The photo has not arrived yet.' },
};

/**
 * Returns the whole photo for a header that is invalid or names several ranges; undefined for a range after the end of
 * the photo.
 */
function parseRange(photo: PhotoRow, header: string): ByteRange | undefined {
  const ranges = rangeParser(photo.bytes, header);
  if (ranges === -1) return undefined;
  if (ranges === -2 || ranges.type !== 'bytes') return wholeRangeOf(photo);
  const [range, ...more] = ranges;
  return range && more.length === 0 ? { start: range.start, end: range.end + 1 } : wholeRangeOf(photo);
}

/** Yields the range in pieces. Yields nothing if the storage has lost the photo's bytes. */
async function* piecesOf(storage: PhotoStorage, key: PhotoKey, { start, end }: ByteRange): AsyncGenerator<Uint8Array> {
  for (let at = start; at < end;) {
    const piece = await storage.read(key, { start: at, end: Math.min(at + pieceBytes, end) });
    if (!piece && at === start) return;
    if (!piece || piece.length === 0) throw new Error(`The bytes of the stored photo ${key.id} end at ${at}`);
    yield piece;
    at += piece.length;
  }
}

async function sendPieces(
  response: ServerResponse,
  first: Uint8Array,
  rest: AsyncGenerator<Uint8Array>,
): Promise<void> {
  const all = async function* () {
    yield first;
    yield* rest;
  };
  await pipeline(Readable.from(all()), response).catch((error: unknown) => {
    // The client may close the connection before the end.
    if (!response.destroyed || !isPrematureClose(error)) throw error;
  });
}
