/**
 * Tracks the browser's storage quota. Requests persistent storage once there is unsent work. Checks the free space
 * before a recording starts, so that the recording can also be finished.
 */
import { Subscription } from 'rxjs';
import type { Clock } from '../core/clock.ts';
import type { DeviceTables } from './device-tables.ts';
import { storageFullError } from './storage-health.ts';
import type { Purger } from './purger.ts';
import { deviceRowId } from './rows.ts';

interface StorageQuotaOptions {
  tables: DeviceTables;
  purger: Purger;
  /** Removes receipts and photos to free space, since the server has them. */
  removeSent: () => Promise<void>;
  schedule: Clock['schedule'];
}

/**
 * A recording is at most as large as a push body (8 MiB). Its draft and its mutation are stored twice each: in the
 * database and in the journal.
 */
export const reservedSpaceBytes = 32 * 1024 * 1024;
/** If less space is free before a recording starts, receipts, sent photos and tombstones are removed. */
const lowSpaceBytes = 2 * reservedSpaceBytes;

/** The interval of test writes while the storage is full. A successful test write shows that space is free again. */
export const fullStorageCheckIntervalMs = 60_000;

export class StorageQuota {
  readonly #tables: DeviceTables;
  readonly #purger: Purger;
  readonly #removeSent: () => Promise<void>;
  readonly #schedule: Clock['schedule'];
  readonly #subscription = new Subscription();
  #cancelCheck: () => void = () => {};

  constructor({ tables, purger, removeSent, schedule }: StorageQuotaOptions) {
    this.#tables = tables;
    this.#purger = purger;
    this.#removeSent = removeSent;
    this.#schedule = schedule;
    this.#subscription.add(this.#askToPersist());
    this.#subscription.add(tables.storageHealth.problem$.subscribe(() => this.#scheduleCheck()));
    this.#subscription.add(this.#checkWhenShown());
  }

  close(): void {
    this.#cancelCheck();
    this.#subscription.unsubscribe();
  }

  /** Makes the verbs that add a recording reject with `storage_full` if less than `reservedSpaceBytes` is free. */
  withSpaceCheck<Verbs extends VerbsNeedingSpace>(verbs: Verbs): Verbs {
    return {
      ...verbs,
      startRecording: async (target: never) => {
        await this.requireSpace();
        return verbs.startRecording(target);
      },
      importRecording: async (imported: never) => {
        await this.requireSpace();
        return verbs.importRecording(imported);
      },
    };
  }

  /** Throws `storage_full` if less than `reservedSpaceBytes` is free. */
  async requireSpace(): Promise<void> {
    let isFree = await this.#isFree(lowSpaceBytes);
    if (!isFree) {
      await this.#makeSpace();
      isFree = await this.#isFree(reservedSpaceBytes);
    }
    const { storageHealth: health } = this.#tables;
    if (isFree) return health.reportFreeSpace();
    health.reportFull();
    throw storageFullError();
  }

  /**
   * Asks the browser first, since the journal's test takes up these bytes for a moment. Then lets the journal test the
   * space, since Chromium 156 reports 10 GiB even if it grants less.
   */
  async #isFree(bytes: number): Promise<boolean> {
    return (await readFreeBytes()) >= bytes && this.#tables.journal.hasRoom(bytes);
  }

  #scheduleCheck(): void {
    this.#cancelCheck();
    if (this.#tables.storageHealth.isFull)
      this.#cancelCheck = this.#schedule(fullStorageCheckIntervalMs, () => void this.#checkSpace());
  }

  async #checkSpace(): Promise<void> {
    const { storageHealth: health, outbox } = this.#tables;
    if (!health.isFull) return;
    await outbox.writeTestRow().catch(() => {});
    if (!health.hasWriteFailed && (await this.#isFree(reservedSpaceBytes))) health.reportFreeSpace();
    if (!this.#subscription.closed) this.#scheduleCheck();
  }

  /** Checks the space again when the page is shown, since the person may have freed space elsewhere. */
  #checkWhenShown(): Subscription {
    if (typeof document === 'undefined') return new Subscription();
    const checkIfShown = () => {
      if (document.visibilityState === 'visible') void this.#checkSpace();
    };
    document.addEventListener('visibilitychange', checkIfShown);
    return new Subscription(() => document.removeEventListener('visibilitychange', checkIfShown));
  }

  /** Removes receipts, sent photos and tombstones. Ignores failures, since a full disk may refuse even deletions. */
  async #makeSpace(): Promise<void> {
    await this.#removeSent().catch(() => {});
    await this.#purger.purge();
  }

  /**
   * Requests persistent storage once, when the first unsent work exists. An earlier request could prompt the person
   * without need.
   */
  #askToPersist(): Subscription {
    const { outbox, drafts } = this.#tables;
    const ask = async () => {
      const { storage } = navigator;
      if (!(await storage.persisted())) await storage.persist();
    };
    const askQuietly = () => void ask().catch(() => {});
    if (!globalThis.navigator?.storage?.persist) return new Subscription();
    if (hasUnsentWork([...outbox.entries(), ...drafts.entries()].map(([id]) => ({ id })))) {
      askQuietly();
      return new Subscription();
    }
    const subscription = new Subscription();
    const askOnce = (rows: { id: string }[]) => {
      if (!hasUnsentWork(rows)) return;
      subscription.unsubscribe();
      askQuietly();
    };
    for (const table of [outbox, drafts]) subscription.add(table.onWrite('observer', askOnce));
    return subscription;
  }
}

const hasUnsentWork = (rows: { id: string }[]): boolean => rows.some(({ id }) => id !== deviceRowId);

/** Returns the free bytes of the quota, or Infinity if the browser does not report them. */
async function readFreeBytes(): Promise<number> {
  const { quota, usage } = (await globalThis.navigator?.storage?.estimate?.().catch(() => undefined)) ?? {};
  return quota === undefined || usage === undefined ? Infinity : quota - usage;
}

interface VerbsNeedingSpace {
  startRecording(target: never): Promise<unknown>;
  importRecording(imported: never): Promise<unknown>;
}
