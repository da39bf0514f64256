/**
 * The objects of a bucket. A request that fails for the moment is sent again a few times; each method rejects with
 * `StoreUnavailable` when the service cannot do it.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { randomFraction, type World } from '../../core/world.ts';
import { StoreUnavailable } from '../../store/store.ts';
import type { ByteRange } from '../photo-storage.ts';
import type { BucketSettings } from './bucket-settings.ts';
import { describeFailure, isTransient } from './failures.ts';
import { signedRequests, type S3Request } from './signed-request.ts';
import { errorCodeOf, parseListPage } from './xml.ts';

export interface Bucket {
  /** Resolves once the service has stored the object. */
  put(name: string, bytes: Uint8Array): Promise<void>;
  /** Resolves with the bytes of the range that are there; `null` if there is no such object. */
  get(name: string, range: ByteRange): Promise<Uint8Array | null>;
  /** Resolves with the bytes of an object; undefined if there is none. */
  size(name: string): Promise<number | undefined>;
  /** Lists the names of all objects whose name begins with `prefix`. */
  list(prefix: string): Promise<string[]>;
  /** Removes an object. Has no effect if there is none. */
  remove(name: string): Promise<void>;
}

export interface RetryLimits {
  attemptsMax: number;
  /** The wait before the second attempt, at most; it doubles with each one. */
  backoffMs: number;
  /** Limits the wait for one answer, besides the time that the bytes of the request take. */
  answerMsMax: number;
  /** No attempt begins later than this after the first one. */
  retryMsMax: number;
}

const retryLimitsDefault: RetryLimits = { attemptsMax: 4, backoffMs: 200, answerMsMax: 10_000, retryMsMax: 15_000 };

/** A slower line to the service does not do. */
const bytesPerSecMin = 128 * 1024;

/** An upload has some 50 chunks, and a page of a list 1,000. */
const listPagesMax = 100;

interface BucketParts {
  world: World;
  limits?: Partial<RetryLimits>;
}

interface Answer {
  status: number;
  contentRange: string | undefined;
  code: string;
  body: Buffer;
}

type Asked = Pick<S3Request, 'method' | 'url' | 'headers' | 'body'>;

export function openBucket(settings: BucketSettings, { world, limits }: BucketParts): Bucket {
  const send = signedRequests(settings);
  const { origin, bucket, prefix: folder } = settings.location;
  const retry = { ...retryLimitsDefault, ...limits };
  const urlOf = (name: string) => new URL(`${origin}/${bucket}/${folder}${name}`);

  async function ask(asked: Asked): Promise<Answer> {
    const timeoutMs = retry.answerMsMax + Math.ceil(((asked.body?.length ?? 0) / bytesPerSecMin) * 1000);
    const started = performance.now();
    for (let attempt = 1; ; attempt++) {
      const answer = await send({ ...asked, now: world.now(), timeoutMs });
      const code = answer.ok && answer.status >= 300 ? errorCodeOf(answer.body.toString('utf8')) : '';
      if (answer.ok && !isTransient({ status: answer.status, code })) return { ...answer, code };
      if (attempt >= retry.attemptsMax || performance.now() - started >= retry.retryMsMax) {
        throw new StoreUnavailable(
          answer.ok
            ? describeFailure(asked.method, { status: answer.status, code })
            : `S3 at ${origin} gave no answer to ${asked.method}: ${answer.failure}`,
        );
      }
      const backoffMs = retry.backoffMs * 2 ** (attempt - 1);
      await wait((backoffMs * (1 + randomFraction(world))) / 2);
    }
  }

  return {
    async put(name, body) {
      const answer = await ask({ method: 'PUT', url: urlOf(name), body });
      if (answer.status !== 200) throw unavailable('PUT', answer);
    },
    async get(name, { start, end }) {
      // S3 has no empty range.
      const headers = { range: `bytes=${start}-${Math.max(start, end - 1)}` };
      const answer = await ask({ method: 'GET', url: urlOf(name), headers });
      if (answer.status === 206) return answer.body.subarray(0, end - start);
      if (answer.status === 200) return answer.body.subarray(start, end);
      if (answer.status === 416) return new Uint8Array();
      // A bucket that is missing says nothing of its photos.
      if (answer.status === 404 && answer.code === 'NoSuchKey') return null;
      throw unavailable('GET', answer);
    },
    async size(name) {
      // The answer to HEAD has no code, so that a missing bucket would look like a missing object.
      const answer = await ask({ method: 'GET', url: urlOf(name), headers: { range: 'bytes=0-0' } });
      const size = /\/(\d+)$/.exec(answer.contentRange ?? '')?.[1];
      if (answer.status === 206 && size !== undefined) return Number(size);
      if (answer.status === 200) return answer.body.length;
      if (answer.status === 416) return 0;
      if (answer.status === 404 && answer.code === 'NoSuchKey') return undefined;
      throw unavailable('GET', answer);
    },
    async list(prefix) {
      const names: string[] = [];
      let continuation: string | undefined;
      for (let page = 0; page < listPagesMax; page++) {
        const url = new URL(`${origin}/${bucket}`);
        url.searchParams.set('list-type', '2');
        url.searchParams.set('prefix', folder + prefix);
        if (continuation !== undefined) url.searchParams.set('continuation-token', continuation);
        const answer = await ask({ method: 'GET', url });
        if (answer.status !== 200) throw unavailable('GET of a list', answer);
        const listed = parseListPage(answer.body.toString('utf8'));
        if (!listed) throw new StoreUnavailable('S3 answered with no list: check GEMBA_S3_URL');
        names.push(...listed.keys.map((key) => key.slice(folder.length)));
        continuation = listed.continuation;
        if (continuation === undefined) return names;
      }
      throw new StoreUnavailable(`S3 answered with a list of more than ${listPagesMax} pages`);
    },
    async remove(name) {
      const answer = await ask({ method: 'DELETE', url: urlOf(name) });
      const isGone = answer.status === 204 || answer.status === 200 || answer.code === 'NoSuchKey';
      if (!isGone) throw unavailable('DELETE', answer);
    },
  };
}

const unavailable = (method: string, answer: Answer): StoreUnavailable =>
  new StoreUnavailable(describeFailure(method, answer));
