/** Interprets the failure of a photo's request: whether it concerns this photo, all photos or the whole server. */
import type { Problem } from '../../shared/protocol/problem.ts';
import type { RequestFailure } from '../sync/net/failure.ts';
import type { PhotoHold } from './row-shapes.ts';

const holdMs = 60 * 60_000;

/** Returns why and for how long all photos must wait, if the account is full or the server stores no photos. */
export function holdAfter(failure: RequestFailure): { by: PhotoHold['by']; ms: number } | undefined {
  if (!('problem' in failure)) return undefined;
  const { code } = failure.problem;
  if (code === 'photo_quota_reached') return { by: 'quota', ms: holdMs };
  // A server of an earlier version answers `not_found`.
  if (code === 'photos_not_kept' || code === 'not_found') return { by: 'server', ms: holdMs };
  return undefined;
}

/** Tells whether the hold still applies. A hold that has more than `holdMs` left was set by a wrong clock, and ends. */
export const isHoldActive = (hold: PhotoHold | undefined, nowMs: number): hold is PhotoHold => {
  const leftMs = hold === undefined ? 0 : Date.parse(hold.until) - nowMs;
  return leftMs > 0 && leftMs <= holdMs;
};

/** Returns for how many ms the server asks the device to send nothing at all; undefined if the server does not ask. */
export function serverWaitMsOf(failure: RequestFailure): number | undefined {
  if (failure.kind !== 'busy' || failure.retryAfterMs === null) return undefined;
  const isForAll = failure.problem.status === 429 || failure.problem.status === 503;
  return isForAll ? Math.min(failure.retryAfterMs, holdMs) : undefined;
}

export const isPhotoNotFound = (failure: RequestFailure): boolean =>
  'problem' in failure && failure.problem.code === 'photo_not_found';

/**
 * Tells whether no server was reached. Returns false for a proxy's response and for a timeout, which may be due to the
 * size of one photo.
 */
export const isServerUnreachable = (failure: RequestFailure): boolean =>
  failure.kind === 'unreachable' && failure.status === undefined && !failure.timedOut;

/** Tells whether the server will never accept this photo. */
export const isRefusal = (failure: RequestFailure): failure is Extract<RequestFailure, { problem: Problem }> =>
  'problem' in failure && refusalCodes.has(failure.problem.code);

const refusalCodes: ReadonlySet<string> = new Set([
  'photo_corrupt',
  'photo_has_metadata',
  'photo_mismatch',
  'validation_failed',
]);
