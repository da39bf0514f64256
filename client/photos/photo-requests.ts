/** Sends photos to the server and reads them from it: `POST /photos`, tus 1.0 and `GET /photos/{id}`. */
import { protocolHeader, protocolVersion } from '../../shared/protocol/version.ts';
import { isObject } from '../core/json-object.ts';
import { apiAddress } from '../core/api-address.ts';
import type { Clock } from '../core/clock.ts';
import type { Fetch } from '../sync/net/transport.ts';
import { errorOfResponse, notFromGembaError, unreachableError } from '../sync/net/read-response.ts';
import { RequestTimeouts, uploadTimeoutMsOf } from '../sync/net/timeouts.ts';
import type { RateLimiter } from './request-rate.ts';
import type { NewPhotoBody, PhotoUpload } from '../../shared/schema/photos/photo.ts';

interface PhotoRequestsOptions {
  url: string;
  fetch: Fetch;
  token: () => string | null;
  /**
   * The account of the device's work, and the cursor of the device's last pull. Undefined if the account is unknown, or
   * if the token is the device's own, which always belongs to the account.
   */
  ownAccount: () => { accountId: string; cursor: string } | undefined;
  schedule: Clock['schedule'];
  limiter: Pick<RateLimiter, 'wait'>;
  readLimiter: Pick<RateLimiter, 'wait'>;
  /** The maximum bytes of one piece of a photo. The server's limit applies, too. */
  pieceBytesMax: () => number;
}

/** The requests for photos. Each rejects with a `RequestError`. */
export interface PhotoRequests {
  declare(
    photo: NewPhotoBody,
    signal: AbortSignal,
  ): Promise<Pick<PhotoUpload, 'status' | 'offset' | 'chunk_bytes_max'>>;
  /**
   * Sends bytes to the tus upload at `offset`, and resolves to the server's new offset. If the server expected another
   * offset, the server appends nothing; `isMoved` is then true, and `offset` is the offset that the server expects.
   */
  append(id: string, chunk: { offset: number; bytes: Blob }, signal: AbortSignal): Promise<AppendResult>;
  read(id: string, size: 'photo' | 'thumbnail', signal: AbortSignal): Promise<Blob>;
  pieceBytesMax(): number;
}

export interface AppendResult {
  offset: number;
  isMoved: boolean;
}

const tusHeader = { 'Tus-Resumable': '1.0.0' };

export function createPhotoRequests(options: PhotoRequestsOptions): PhotoRequests {
  const { url, fetch, token, ownAccount, schedule, limiter, readLimiter, pieceBytesMax } = options;
  const timeouts = new RequestTimeouts(schedule);

  /** Sends a request and reads its response, both within the timeout. */
  async function request<Result>(
    path: string,
    init: RequestInit & { signal: AbortSignal; sentBytes: number },
    read: (response: Response) => Promise<Result>,
  ): Promise<Result> {
    const { signal, sentBytes, ...given } = init;
    const sentToken = token();
    const headers = {
      ...(sentToken === null ? {} : { Authorization: `Bearer ${sentToken}` }),
      ...(given.headers as Record<string, string>),
    };
    return timeouts.run({ signal, sendingMs: uploadTimeoutMsOf(sentBytes, true) }, async (timed) => {
      try {
        const response = await fetch(apiAddress(url, path), {
          ...given,
          headers,
          redirect: 'error',
          signal: timed.signal,
        });
        timed.onAlive();
        const result = await read(response);
        // An unread body would keep the connection busy.
        if (!response.bodyUsed) await response.body?.cancel();
        return result;
      } catch (error) {
        throw unreachableError(error);
      }
    });
  }

  let provenToken: string | null = null;

  /**
   * Rejects as `unreachable` if the token's account is not the account of the device's work. Tabs of a device may have
   * different tokens, and a push or a pull checks only the token of the tab that syncs.
   */
  async function requireOwnAccount(signal: AbortSignal): Promise<void> {
    const own = ownAccount();
    const sentToken = token();
    if (!own || sentToken === provenToken) return;
    const query = new URLSearchParams({ cursor: own.cursor, limit: '1', account_id: own.accountId });
    const headers = { [protocolHeader]: String(protocolVersion) };
    await request(`sync/pull?${query}`, { headers, signal, sentBytes: 0 }, async (response) => {
      if (response.ok) return;
      const error = await errorOfResponse(response);
      const isOtherAccount = 'problem' in error.failure && error.failure.problem.code === 'account_mismatch';
      throw isOtherAccount ? unreachableError(error.failure.problem.detail) : error;
    });
    provenToken = sentToken;
  }

  return {
    declare: async (photo, signal) => {
      await requireOwnAccount(signal);
      await limiter.wait(signal);
      const body = JSON.stringify(photo);
      const headers = { 'Content-Type': 'application/json' };
      return request('photos', { method: 'POST', body, headers, signal, sentBytes: body.length }, async (response) => {
        if (!response.ok) throw await errorOfResponse(response);
        const upload: unknown = await response.json().catch(() => undefined);
        if (!isPhotoUpload(upload, photo)) throw notFromGembaError(response);
        return upload;
      });
    },
    append: async (id, { offset, bytes }, signal) => {
      await requireOwnAccount(signal);
      await limiter.wait(signal);
      const headers = {
        ...tusHeader,
        'Content-Type': 'application/offset+octet-stream',
        'Upload-Offset': String(offset),
      };
      const sent = { method: 'PATCH', body: bytes, headers, signal, sentBytes: bytes.size };
      return request(`photos/${id}/upload`, sent, async (response) => {
        const at = offsetIn(response);
        // A 409 with an offset tells where to continue, for example if an earlier response was lost.
        const isMoved = response.status === 409 && at !== undefined && at !== offset;
        if (!response.ok && !isMoved) throw await errorOfResponse(response);
        if (at === undefined || (!isMoved && at !== offset + bytes.size)) throw notFromGembaError(response);
        return { offset: at, isMoved };
      });
    },
    pieceBytesMax,
    read: async (id, size, signal) => {
      if (size === 'thumbnail') return (await readPart(`photos/${id}?size=thumbnail`, signal)).part;
      const parts: Blob[] = [];
      let offset = 0;
      for (let total = Infinity; offset < total;) {
        const read = await readPart(`photos/${id}`, signal, offset);
        parts.push(read.part);
        offset += read.part.size;
        total = read.total;
      }
      return new Blob(parts, { type: parts[0]?.type ?? '' });
    },
  };

  /** Reads one piece from `offset` on, and returns it with the photo's total bytes. */
  async function readPart(path: string, signal: AbortSignal, offset = 0): Promise<{ part: Blob; total: number }> {
    await readLimiter.wait(signal);
    const bytesMax = pieceBytesMax();
    const isWhole = bytesMax === Infinity && offset === 0;
    const range = `bytes=${offset}-${bytesMax === Infinity ? '' : offset + bytesMax - 1}`;
    const headers = isWhole ? {} : { Range: range };
    return request(path, { headers, signal, sentBytes: 0 }, async (response) => {
      if (!response.ok) throw await errorOfResponse(response);
      const part = await response.blob();
      const [, start, total] =
        contentRangePattern.exec(response.headers.get('Content-Range') ?? `bytes 0-/${part.size}`) ?? [];
      const isExpected = part.type.startsWith('image/') && Number(start) === offset && part.size > 0;
      if (!isExpected) throw notFromGembaError(response);
      return { part, total: Number(total) };
    });
  }
}

const contentRangePattern = /^bytes (\d+)-\d*\/(\d+)$/;

function isPhotoUpload(upload: unknown, { id, bytes }: NewPhotoBody): upload is PhotoUpload {
  if (!isObject(upload) || upload['id'] !== id) return false;
  const { status, offset, chunk_bytes_max } = upload as Partial<PhotoUpload>;
  const isState = status === 'stored' || status === 'uploading';
  const isOffset = Number.isSafeInteger(offset) && offset! >= 0 && offset! <= bytes;
  return isState && isOffset && Number.isSafeInteger(chunk_bytes_max) && chunk_bytes_max! > 0;
}

function offsetIn({ headers }: Response): number | undefined {
  const text = headers.get('Upload-Offset') ?? '';
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
