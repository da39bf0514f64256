/**
 * Sweeps the store: deletes old idempotency keys, push answers, and account events with their deliveries, the statuses
 * of revoked devices, and tokens and devices that were revoked long ago. Requests delete old idempotency keys and
 * answers, too, but an account that nobody uses gets no requests.
 *
 *   an hour after the start, then daily: each account ─ batch ─ pause ─ batch ─ ... ─ next account
 *
 * Several server processes may sweep at the same time. The sweep deletes no rows of clients and rejections. A device
 * that returns after years therefore gets the right outcome for each mutation, and no mutation is applied twice.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { startPeriodicWork } from '../core/periodic-work.ts';
import { StoreUnavailable, type Store } from './store.ts';
import type { SweepCutoffs, RemovedRowCounts } from './queries.ts';

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;
/**
 * The API promises to keep an idempotency key for 72 hours. The sweep waits far longer, so that it deletes no key too
 * early even if a clock is weeks ahead.
 */
const idempotencyKeyAgeMsMax = 30 * dayMs;
/** The sweep removes the status of a device this long after the device was revoked. */
const revokedDeviceAgeMsMax = 30 * dayMs;
/**
 * The sweep keeps a revoked token this long. A restore copies the revocations of the replaced database. If the backup
 * is at most this old, no token that was revoked after the backup thus becomes valid again.
 */
const revokedCredentialAgeMsMax = 365 * dayMs;
const unseenClientAgeMsMax = 365 * dayMs;
export const eventAgeMsMax = 30 * dayMs;
/** A batch is small, since one row may have a megabyte. */
const rowsPerBatchDefault = 100;
const accountsPerPage = 100;
/** Requests run in the pause between two batches. */
const batchPauseMs = 20;

/** Returns each count with its label in the metric of swept rows. */
export function sweptRowCounts(removed: RemovedRowCounts): [kind: string, rows: number][] {
  return [
    ['idempotency_key', removed.idempotencyKeys],
    ['push_answers', removed.pushAnswers],
    ['device_status', removed.deviceStatuses],
    ['token', removed.tokens],
    ['device', removed.devices],
    ['events', removed.events],
    ['webhook_delivery', removed.webhookDeliveries],
  ];
}

interface SweepOptions {
  store: Store;
  /** Returns milliseconds since 1970. */
  now: () => number;
  rowsMax?: number;
  /**
   * Sweeps other data of an account, such as photos, whose bytes are outside the store. Called after the sweep of the
   * account's rows.
   */
  sweepOtherData?: ((accountId: string, signal?: AbortSignal) => Promise<void>) | undefined;
  /** Called with an error of `sweepOtherData`. The sweep goes on with the next account. */
  onOtherDataFailed?: (error: unknown) => void;
  /** Called after each batch. */
  onRemoved?: (removed: RemovedRowCounts) => void;
  signal?: AbortSignal;
}

/**
 * Sweeps all accounts. Rejects with `StoreUnavailable` if the database becomes unavailable. The next sweep then starts
 * from the beginning.
 */
export async function sweepAllAccounts(options: SweepOptions): Promise<void> {
  const { store, now, rowsMax = rowsPerBatchDefault, onRemoved, signal } = options;
  const retention: SweepCutoffs = {
    idempotencyBefore: new Date(now() - idempotencyKeyAgeMsMax).toISOString(),
    unseenClientsBefore: new Date(now() - unseenClientAgeMsMax).toISOString(),
    revokedDevicesBefore: new Date(now() - revokedDeviceAgeMsMax).toISOString(),
    revokedCredentialsBefore: new Date(now() - revokedCredentialAgeMsMax).toISOString(),
    eventsBefore: new Date(now() - eventAgeMsMax).toISOString(),
    rowsMax,
  };
  let after: string | undefined;
  for (;;) {
    const page = await store.accountIds({ limit: accountsPerPage, ...(after === undefined ? {} : { after }) });
    for (const accountId of page) {
      let removed: RemovedRowCounts;
      do {
        if (signal?.aborted) return;
        removed = await store.sweepAccount(accountId, retention);
        onRemoved?.(removed);
        await pauseAfterBatch();
      } while (Math.max(...Object.values(removed)) >= rowsMax);
      await sweepOtherDataOf(accountId, options);
    }
    after = page.at(-1);
    if (page.length < accountsPerPage) return;
  }
}

export const pauseAfterBatch = (): Promise<void> => sleep(batchPauseMs);

async function sweepOtherDataOf(
  accountId: string,
  { sweepOtherData, onOtherDataFailed, signal }: SweepOptions,
): Promise<void> {
  try {
    await sweepOtherData?.(accountId, signal);
  } catch (error) {
    if (error instanceof StoreUnavailable || !onOtherDataFailed) throw error;
    onOtherDataFailed(error);
  }
}

interface DailySweepOptions extends Omit<SweepOptions, 'signal' | 'onOtherDataFailed'> {
  onBug: (error: unknown) => void;
}

/** Starts the daily sweeps. The returned function stops them and resolves once no sweep is running. */
export function startDailySweeps({ onBug, ...options }: DailySweepOptions): () => Promise<void> {
  const work = (signal: AbortSignal) => sweepAllAccounts({ ...options, onOtherDataFailed: onBug, signal });
  return startPeriodicWork({ work, firstMs: hourMs, pauseMs: dayMs, onBug }).stop;
}
