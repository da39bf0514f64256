import { expect, test } from 'vitest';
import { problemOf } from '../../../../shared/protocol/problem.ts';
import { isContentSuspect } from './sync-failure.ts';

const busy = (status: number) =>
  ({ kind: 'busy', problem: problemOf({ code: 'unavailable', detail: '' }, status), retryAfterMs: null }) as const;

test("[SYNC-72] Gemba's own answers about the device, its token or the load make no mutation suspect", () => {
  for (const status of [401, 403, 408, 409, 413, 426, 429, 503]) {
    expect(isContentSuspect(busy(status)), String(status)).toBe(false);
    expect(isContentSuspect({ kind: 'blocked', problem: busy(status).problem }), String(status)).toBe(false);
    expect(isContentSuspect({ ...busy(status), isNotGemba: true }), `not from Gemba ${status}`).toBe(true);
  }
  for (const status of [500, 502, 504]) expect(isContentSuspect(busy(status)), String(status)).toBe(true);
});
