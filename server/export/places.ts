/** Bounds the exports of a process: each has a file on the disk until its client has read it. */
import type { RefusedRequest } from '../core/reply.ts';

export interface Places {
  /** Takes a place, or refuses. The caller releases it once. */
  take(accountId: string): { ok: true; release(): void } | RefusedRequest;
  /** Runs `work` once fewer than `readersMax` others run: each has a connection to the database. */
  read<Result>(work: () => Promise<Result>): Promise<Result>;
}

const perAccountMax = 2;
const perProcessMax = 16;
const readersMax = 2;
const retryAfterSecs = 5;

export function createPlaces(): Places {
  const takenBy = new Map<string, number>();
  let taken = 0;
  let readers = 0;
  const waiting: (() => void)[] = [];
  return {
    take(accountId) {
      const ofAccount = takenBy.get(accountId) ?? 0;
      if (ofAccount >= perAccountMax) return accountRefusal;
      if (taken >= perProcessMax) return processRefusal;
      takenBy.set(accountId, ofAccount + 1);
      taken += 1;
      return {
        ok: true,
        release() {
          taken -= 1;
          const left = (takenBy.get(accountId) ?? 0) - 1;
          if (left > 0) takenBy.set(accountId, left);
          else takenBy.delete(accountId);
        },
      };
    },
    async read(work) {
      if (readers >= readersMax) await new Promise<void>((resolve) => void waiting.push(resolve));
      else readers += 1;
      try {
        return await work();
      } finally {
        // The next one takes over this turn.
        const next = waiting.shift();
        if (next) next();
        else readers -= 1;
      }
    },
  };
}

const accountRefusal: RefusedRequest = {
  ok: false,
  error: {
    code: 'rate_limited',
    detail: `The account has ${perAccountMax} exports under way, as many as it may; let one of them end.`,
    members: { retry_after_secs: retryAfterSecs },
  },
};

const processRefusal: RefusedRequest = {
  ok: false,
  error: {
    code: 'unavailable',
    detail: 'The exports under way take all places that there are for them; try again.',
    members: { retry_after_secs: retryAfterSecs },
  },
};
