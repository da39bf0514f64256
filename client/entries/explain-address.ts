/**
 * Adds to `status$` why a device that never reached its server stays offline: another program answers at the address,
 * or the server does not allow requests from pages of this origin. Adds nothing if the device has synced before, since
 * the address was right then and a network on the way may give the wrong answer.
 */
import { concat, from, of } from 'rxjs';
import { filter, map, switchMap } from 'rxjs/operators';
import type { Problem } from '../../shared/protocol/problem.ts';
import { apiAddress } from '../core/api-address.ts';
import { deviceProblemOf } from '../core/device-problem.ts';
import type { GembaOptions } from '../gemba.ts';
import { errorOfResponse } from '../sync/net/read-response.ts';
import type { Status } from '../sync/tabs/status.ts';
import type { ExplainStatus } from './checked-gemba.ts';

const askTimeoutMs = 10_000;

/**
 * Tests the address once after each failed round. If the app passes a `fetch`, tests nothing, since that `fetch` must
 * get only the requests of the documented protocol.
 */
export function createAddressExplainer({ url, fetch }: Pick<GembaOptions, 'url' | 'fetch'>): ExplainStatus {
  if (fetch) return (status$) => status$;
  let asking: Promise<void> | undefined;
  let hasTried = false;
  let reason: Problem | null = null;
  const askForReason = async () => void (reason = await findAddressProblem(url));
  const withReason = (status: Status): Status => (reason ? { ...status, error: reason } : status);
  const explained = (status: Status) => {
    const isSyncing = status.phase === 'syncing';
    if (isSyncing) [asking, hasTried] = [undefined, true];
    if (!hasTried || !mayBeWrongAddress(status)) return of(status);
    const known = withReason(status);
    if (isSyncing) return of(known);
    asking ??= askForReason();
    const later = from(asking).pipe(
      map(() => withReason(status)),
      filter(({ error }) => error !== known.error),
    );
    return concat(of(known), later);
  };
  return (status$) => status$.pipe(switchMap(explained));
}

const mayBeWrongAddress = ({ phase, error, last_synced_at }: Status): boolean =>
  (phase === 'offline' || phase === 'syncing') && error === null && last_synced_at === null;

/** Sends a request without a token. Resolves to null if a Gemba server refuses the request, or if nothing answers. */
async function findAddressProblem(url: string): Promise<Problem | null> {
  try {
    const response = await fetchAccount(url, { redirect: 'manual' });
    if (response.type === 'opaqueredirect' || response.headers.has('Location'))
      return wrongAddressProblem(url, 'It redirects.');
    const { failure } = await errorOfResponse(response);
    return failure.kind === 'unreachable' ? wrongAddressProblem(url, failure.detail) : null;
  } catch {
    return (await answersWithoutCors(url)) ? originRefusedProblem(url) : null;
  }
}

const fetchAccount = (url: string, options: RequestInit): Promise<Response> =>
  fetch(apiAddress(url, 'account'), { ...options, cache: 'no-store', signal: AbortSignal.timeout(askTimeoutMs) });

/**
 * Tells whether a server answers, but without the CORS headers that let this page read the answer
 * (https://fetch.spec.whatwg.org/#concept-cors-check).
 */
async function answersWithoutCors(url: string): Promise<boolean> {
  if (typeof document === 'undefined' || new URL(url).origin === location.origin) return false;
  const answer = await fetchAccount(url, { mode: 'no-cors' }).catch(() => undefined);
  return answer?.type === 'opaque';
}

const originRefusedProblem = (url: string): Problem =>
  deviceProblemOf({
    code: 'unavailable',
    detail: `A server answers at ${url}, but lets no page of ${location.origin} call it. Its GEMBA_CORS_ORIGINS must list that origin.`,
  });

const wrongAddressProblem = (url: string, detail: string): Problem =>
  deviceProblemOf({ code: 'unavailable', detail: `There is no Gemba server at ${url}. ${detail}` });
