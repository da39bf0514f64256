/**
 * Removes what an unused account would keep for ever: idempotency keys, and answers to devices that do not come back. An
 * account in use forgets its keys as it makes new ones.
 *
 *   an hour after the start, then daily: each account ─ batch ─ pause ─ batch ─ ... ─ next account
 *
 * Several processes may sweep at once: each removes what it still finds. A client's row and its rejections stay, so that a
 * device that comes back is neither told that refused work was done nor has anything done twice.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Store } from './store.ts';
import type { Retention, RemovedRows } from './queries.ts';

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;
/** Far beyond the 72 hours that are promised, so that a clock that is weeks ahead forgets none of them. */
const keyMsMax = 30 * dayMs;
const unseenMsMax = 365 * dayMs;
/** Stays small, since an answer may have a megabyte. */
const rowsPerBatchDefault = 100;
const accountsPerPage = 100;
/** Lets requests have their turns between batches. */
const pauseMs = 20;

interface SweepOptions {
  store: Store;
  /** Milliseconds since 1970. */
  now: () => number;
  rowsMax?: number;
  /** Told of each batch. */
  onRemoved?: (removed: RemovedRows) => void;
  signal?: AbortSignal;
}

/** Rejects with `StoreUnavailable` while the database is away; the next sweep goes through all again. */
export async function sweepAll(options: SweepOptions): Promise<void> {
  const { store, now, rowsMax = rowsPerBatchDefault, onRemoved, signal } = options;
  const retention: Retention = {
    keysBefore: new Date(now() - keyMsMax).toISOString(),
    unseenBefore: new Date(now() - unseenMsMax).toISOString(),
    rowsMax,
  };
  let after: string | undefined;
  for (;;) {
    const page = await store.accountIds({ limit: accountsPerPage, ...(after === undefined ? {} : { after }) });
    for (const accountId of page) {
      let removed: RemovedRows;
      do {
        if (signal?.aborted) return;
        removed = await store.sweepAccount(accountId, retention);
        onRemoved?.(removed);
        await sleep(pauseMs);
      } while (Math.max(removed.keys, removed.answers) >= rowsMax);
    }
    after = page.at(-1);
    if (page.length < accountsPerPage) return;
  }
}

interface Sweeping extends Omit<SweepOptions, 'signal'> {
  onBug: (error: unknown) => void;
}

/** Returns the stop function, which resolves once no sweep is under way. */
export function sweepDaily({ onBug, ...options }: Sweeping): () => Promise<void> {
  const stopped = new AbortController();
  let underWay = Promise.resolve();
  let timer: NodeJS.Timeout;
  const sweepIn = (ms: number) => {
    timer = setTimeout(() => void (underWay = sweep()), ms);
    timer.unref();
  };
  const sweep = async () => {
    await sweepAll({ ...options, signal: stopped.signal }).catch(onBug);
    if (!stopped.signal.aborted) sweepIn(dayMs);
  };
  sweepIn(hourMs);
  return () => {
    stopped.abort();
    clearTimeout(timer);
    return underWay;
  };
}
