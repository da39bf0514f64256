/**
 * Reads and writes the objects of a bucket. A request that fails for a transient reason is sent again a few times. If
 * all attempts fail, the method rejects with `StoreUnavailable`.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { randomFraction, type World } from '../../core/world.ts';
import { StoreUnavailable } from '../../store/store.ts';
import type { ByteRange } from '../photo-storage.ts';
import type { BucketSettings } from './bucket-settings.ts';
import { describeFailure, isTransient } from './failures.ts';
import { createSignedSender, type S3Request } from './signed-request.ts';
import { errorCodeOf, parseListPage } from './xml.ts';

export interface Bucket {
  /** Resolves once the service has stored the object. */
  put(name: string, bytes: Uint8Array): Promise<void>;
  /** Resolves with the bytes of the range, up to the end of the object. null if there is no such object. */
  get(name: string, range: ByteRange): Promise<Uint8Array | null>;
  /** Resolves with the object's size in bytes. undefined if there is no such object. */
  size(name: string): Promise<number | undefined>;
  /** Lists the names of all objects whose name begins with `prefix`. */
  list(prefix: string): Promise<string[]>;
  /** Removes an object. Has no effect if there is none. */
  remove(name: string): Promise<void>;
}

export interface RetryLimits {
  attemptsMax: number;
  /** Limits the wait before the second attempt. The limit doubles with each further attempt. */
  backoffMs: number;
  /** Limits the wait for one response, in addition to the time in which the request's bytes are sent. */
  responseMsMax: number;
  /** Limits the time from the beginning of the first attempt to the beginning of the last one. */
  retryMsMax: number;
}

const retryLimitsDefault: RetryLimits = { attemptsMax: 4, backoffMs: 200, responseMsMax: 10_000, retryMsMax: 15_000 };

/** The slowest connection to the service with which an upload does not time out. */
const bytesPerSecMin = 128 * 1024;

/** Limits the pages of a list. One page of 1,000 names is enough for an upload, which has about 50 chunks. */
const listPagesMax = 100;

interface BucketOptions {
  world: World;
  limits?: Partial<RetryLimits>;
}

interface S3Response {
  status: number;
  contentRange: string | undefined;
  code: string;
  body: Buffer;
}

type BucketRequest = Pick<S3Request, 'method' | 'url' | 'headers' | 'body'>;

export function openBucket(settings: BucketSettings, { world, limits }: BucketOptions): Bucket {
  const send = createSignedSender(settings);
  const { origin, bucket, prefix: folder } = settings.location;
  const retry = { ...retryLimitsDefault, ...limits };
  const urlOf = (name: string) => new URL(`${origin}/${bucket}/${folder}${name}`);

  async function sendWithRetries(request: BucketRequest): Promise<S3Response> {
    const timeoutMs = retry.responseMsMax + Math.ceil(((request.body?.length ?? 0) / bytesPerSecMin) * 1000);
    const started = performance.now();
    for (let attempt = 1; ; attempt++) {
      const response = await send({ ...request, now: world.now(), timeoutMs });
      const code = response.ok && response.status >= 300 ? errorCodeOf(response.body.toString('utf8')) : '';
      if (response.ok && !isTransient({ status: response.status, code })) return { ...response, code };
      if (attempt >= retry.attemptsMax || performance.now() - started >= retry.retryMsMax) {
        throw new StoreUnavailable(
          response.ok
            ? describeFailure(request.method, { status: response.status, code })
            : `S3 at ${origin} gave no answer to ${request.method}: ${response.failure}`,
        );
      }
      const backoffMs = retry.backoffMs * 2 ** (attempt - 1);
      await wait((backoffMs * (1 + randomFraction(world))) / 2);
    }
  }

  return {
    async put(name, body) {
      const response = await sendWithRetries({ method: 'PUT', url: urlOf(name), body });
      if (response.status !== 200) throw unavailableError('PUT', response);
    },
    async get(name, { start, end }) {
      // S3 cannot read an empty range, so read at least one byte.
      const headers = { range: `bytes=${start}-${Math.max(start, end - 1)}` };
      const response = await sendWithRetries({ method: 'GET', url: urlOf(name), headers });
      if (response.status === 206) return response.body.subarray(0, end - start);
      if (response.status === 200) return response.body.subarray(start, end);
      if (response.status === 416) return new Uint8Array();
      // Check the code, since a missing bucket also gets 404 and does not show that the photo is missing.
      if (response.status === 404 && response.code === 'NoSuchKey') return null;
      throw unavailableError('GET', response);
    },
    async size(name) {
      // Read one byte instead of sending HEAD. A response to HEAD has no code, so a missing bucket would look like a
      // missing object.
      const response = await sendWithRetries({ method: 'GET', url: urlOf(name), headers: { range: 'bytes=0-0' } });
      const size = /\/(\d+)$/.exec(response.contentRange ?? '')?.[1];
      if (response.status === 206 && size !== undefined) return Number(size);
      if (response.status === 200) return response.body.length;
      if (response.status === 416) return 0;
      if (response.status === 404 && response.code === 'NoSuchKey') return undefined;
      throw unavailableError('GET', response);
    },
    async list(prefix) {
      const names: string[] = [];
      let continuation: string | undefined;
      for (let page = 0; page < listPagesMax; page++) {
        const url = new URL(`${origin}/${bucket}`);
        url.searchParams.set('list-type', '2');
        url.searchParams.set('prefix', folder + prefix);
        if (continuation !== undefined) url.searchParams.set('continuation-token', continuation);
        const response = await sendWithRetries({ method: 'GET', url });
        if (response.status !== 200) throw unavailableError('GET of a list', response);
        const listed = parseListPage(response.body.toString('utf8'));
        if (!listed) throw new StoreUnavailable('S3 answered with no list: check GEMBA_S3_URL');
        names.push(...listed.keys.map((key) => key.slice(folder.length)));
        continuation = listed.continuation;
        if (continuation === undefined) return names;
      }
      throw new StoreUnavailable(`S3 answered with a list of more than ${listPagesMax} pages`);
    },
    async remove(name) {
      const response = await sendWithRetries({ method: 'DELETE', url: urlOf(name) });
      const isGone = response.status === 204 || response.status === 200 || response.code === 'NoSuchKey';
      if (!isGone) throw unavailableError('DELETE', response);
    },
  };
}

const unavailableError = (method: string, response: S3Response): StoreUnavailable =>
  new StoreUnavailable(describeFailure(method, response));
