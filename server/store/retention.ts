/**
 * Deletes old idempotency keys and old answers to pushes, which unused accounts would keep for ever. An account in use
 * deletes its old idempotency keys when it makes new ones.
 *
 *   an hour after the start, then daily: each account ─ batch ─ pause ─ batch ─ ... ─ next account
 *
 * Several processes may sweep at once; each deletes the rows that it still finds. The sweep keeps the row of each client and
 * its rejections, so that a device that returns gets correct answers and nothing is applied twice.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Store } from './store.ts';
import type { Retention, RemovedRows } from './queries.ts';

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;
/** Exceeds the promised 72 hours by far, so that even a clock that is weeks ahead deletes no key too early. */
const idempotencyKeyAgeMsMax = 30 * dayMs;
const unseenClientAgeMsMax = 365 * dayMs;
/** Kept small, since a single answer may have a megabyte. */
const rowsPerBatchDefault = 100;
const accountsPerPage = 100;
/** Lets requests run between batches. */
const batchPauseMs = 20;

interface SweepOptions {
  store: Store;
  /** Milliseconds since 1970. */
  now: () => number;
  rowsMax?: number;
  /** Called after each batch. */
  onRemoved?: (removed: RemovedRows) => void;
  signal?: AbortSignal;
}

/** Rejects with `StoreUnavailable` while the database is unavailable; the next sweep starts over. */
export async function sweepAll(options: SweepOptions): Promise<void> {
  const { store, now, rowsMax = rowsPerBatchDefault, onRemoved, signal } = options;
  const retention: Retention = {
    idempotencyBefore: new Date(now() - idempotencyKeyAgeMsMax).toISOString(),
    unseenClientsBefore: new Date(now() - unseenClientAgeMsMax).toISOString(),
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
        await sleep(batchPauseMs);
      } while (Math.max(removed.idempotencyKeys, removed.pushAnswers) >= rowsMax);
    }
    after = page.at(-1);
    if (page.length < accountsPerPage) return;
  }
}

interface DailySweepOptions extends Omit<SweepOptions, 'signal'> {
  onBug: (error: unknown) => void;
}

/** Returns a function that stops the sweeps and resolves once no sweep is running. */
export function sweepDaily({ onBug, ...options }: DailySweepOptions): () => Promise<void> {
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
