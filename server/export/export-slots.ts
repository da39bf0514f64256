/** Limits the exports of a process, since each export keeps a file on the disk until its client has read the file. */
import type { RefusedRequest } from '../core/reply.ts';

export interface ExportSlots {
  /** Takes a slot, or refuses. The caller releases it once. */
  take(accountId: string): { ok: true; release(): void } | RefusedRequest;
  /**
   * Runs `work` as soon as fewer than `concurrentReadersMax` readers run and none of the account. A reader holds a
   * database connection, and an account must not hold all of them. Call `runReader` only with a slot.
   */
  runReader<Result>(accountId: string, work: () => Promise<Result>): Promise<Result>;
}

const slotsPerAccountMax = 2;
const slotsPerProcessMax = 16;
const concurrentReadersMax = 2;
const retryAfterSecs = 5;

export function createExportSlots(): ExportSlots {
  const takenBy = new Map<string, number>();
  let taken = 0;
  const reading = new Set<string>();
  const waiting: { accountId: string; start: () => void }[] = [];

  const mayRead = (accountId: string): boolean => reading.size < concurrentReadersMax && !reading.has(accountId);
  const startNext = (): void => {
    const index = waiting.findIndex(({ accountId }) => mayRead(accountId));
    const [next] = index < 0 ? [] : waiting.splice(index, 1);
    if (!next) return;
    reading.add(next.accountId);
    next.start();
  };
  return {
    take(accountId) {
      const ofAccount = takenBy.get(accountId) ?? 0;
      if (ofAccount >= slotsPerAccountMax) return accountSlotsRefusal;
      if (taken >= slotsPerProcessMax) return processSlotsRefusal;
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
    async runReader(accountId, work) {
      if (mayRead(accountId)) reading.add(accountId);
      else await new Promise<void>((start) => void waiting.push({ accountId, start }));
      try {
        return await work();
      } finally {
        reading.delete(accountId);
        startNext();
      }
    },
  };
}

const accountSlotsRefusal: RefusedRequest = {
  ok: false,
  error: {
    code: 'rate_limited',
    detail: `The account has ${slotsPerAccountMax} exports under way, as many as it may at one server process; let one of them end.`,
    members: { retry_after_secs: retryAfterSecs },
  },
};

const processSlotsRefusal: RefusedRequest = {
  ok: false,
  error: {
    code: 'unavailable',
    detail: 'The exports under way take all places that there are for them; try again.',
    members: { retry_after_secs: retryAfterSecs },
  },
};
