/** Tells what a failed request says about a photo, and about those that come after it. */
import type { Problem } from '../../shared/protocol/problem.ts';
import type { RequestFailure } from '../sync/net/failure.ts';
import type { PhotoHold } from './row-shapes.ts';

const holdMs = 60 * 60_000;

/** Returns what holds all photos back: a full account, or a server that keeps none. */
export function holdOf(failure: RequestFailure): { by: PhotoHold['by']; ms: number } | undefined {
  if (!('problem' in failure)) return undefined;
  const { code } = failure.problem;
  if (code === 'photo_quota_reached') return { by: 'quota', ms: holdMs };
  // A server of an earlier version has no such address.
  if (code === 'photos_not_kept' || code === 'not_found') return { by: 'server', ms: holdMs };
  return undefined;
}

/** A hold that is longer was set by a clock that was wrong. */
export const isHeldBy = (hold: PhotoHold | undefined, nowMs: number): hold is PhotoHold => {
  const leftMs = hold === undefined ? 0 : Date.parse(hold.until) - nowMs;
  return leftMs > 0 && leftMs <= holdMs;
};

/** Returns how long the server asks this device to wait with everything; undefined if it does not. */
export function waitOf(failure: RequestFailure): number | undefined {
  if (failure.kind !== 'busy' || failure.retryAfterMs === null) return undefined;
  const isForAll = failure.problem.status === 429 || failure.problem.status === 503;
  return isForAll ? Math.min(failure.retryAfterMs, holdMs) : undefined;
}

export const isNotFound = (failure: RequestFailure): boolean =>
  'problem' in failure && failure.problem.code === 'photo_not_found';

/** Whether there was no answer at all. Something on the way may refuse one photo, and a large one may take too long. */
export const isServerUnreachable = (failure: RequestFailure): boolean =>
  failure.kind === 'unreachable' && failure.status === undefined && !failure.timedOut;

/** Whether the server will not take this photo, however often it is sent. */
export const isRefusal = (failure: RequestFailure): failure is Extract<RequestFailure, { problem: Problem }> =>
  'problem' in failure && refusalCodes.has(failure.problem.code);

const refusalCodes: ReadonlySet<string> = new Set([
  'photo_corrupt',
  'photo_has_metadata',
  'photo_mismatch',
  'validation_failed',
]);
