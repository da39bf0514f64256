/**
 * Watches the browser's storage quota. Asks the browser to persist the storage when there is unsent work, and checks the free
 * space before each recording, so that a recording that starts can be finished.
 */
import { Subscription } from 'rxjs';
import type { Clock } from '../core/clock.ts';
import type { DeviceStore } from './device-store.ts';
import { storageFullError } from './health.ts';
import type { Purger } from './purger.ts';
import { deviceRowId } from './rows.ts';

interface StorageQuotaOptions {
  store: DeviceStore;
  purger: Purger;
  /** Removes receipts: the server has their recordings. */
  deleteReceipts: () => Promise<void>;
  schedule: Clock['schedule'];
}

/** Space for the largest recording (8 MiB): the database stores it as a draft and as a mutation, and so does the journal. */
export const reserveBytes = 32 * 1024 * 1024;
/** Receipts are removed before a recording starts if less space than this is free. */
const lowSpaceBytes = 2 * reserveBytes;

/**
 * The pause between two test writes while the storage is full. They notice free space even if the app writes nothing.
 */
export const fullStorageCheckIntervalMs = 60_000;

export class StorageQuota {
  readonly #store: DeviceStore;
  readonly #purger: Purger;
  readonly #deleteReceipts: () => Promise<void>;
  readonly #schedule: Clock['schedule'];
  readonly #subscription = new Subscription();
  #cancelCheck: () => void = () => {};

  constructor({ store, purger, deleteReceipts, schedule }: StorageQuotaOptions) {
    this.#store = store;
    this.#purger = purger;
    this.#deleteReceipts = deleteReceipts;
    this.#schedule = schedule;
    this.#subscription.add(this.#askToPersist());
    this.#subscription.add(store.health.problem$.subscribe(() => this.#scheduleCheck()));
    this.#subscription.add(this.#checkWhenShown());
  }

  close(): void {
    this.#cancelCheck();
    this.#subscription.unsubscribe();
  }

  /** Wraps the verbs that start or add a recording. They reject with `storage_full` while only the reserve for finishing is free. */
  withSpaceCheck<Verbs extends RecordingVerbs>(verbs: Verbs): Verbs {
    return {
      ...verbs,
      startRecording: async (target: never) => {
        await this.#requireSpace();
        return verbs.startRecording(target);
      },
      importRecording: async (imported: never) => {
        await this.#requireSpace();
        return verbs.importRecording(imported);
      },
    };
  }

  async #requireSpace(): Promise<void> {
    let free = await readFreeBytes();
    if (free < lowSpaceBytes) {
      await this.#freeSpace();
      free = await readFreeBytes();
    }
    const { health } = this.#store;
    if (free >= reserveBytes) return health.reportSpace();
    health.reportFull();
    throw storageFullError();
  }

  #scheduleCheck(): void {
    this.#cancelCheck();
    if (this.#store.health.isFull)
      this.#cancelCheck = this.#schedule(fullStorageCheckIntervalMs, () => void this.#checkSpace());
  }

  async #checkSpace(): Promise<void> {
    const { health, outbox } = this.#store;
    if (!health.isFull) return;
    await outbox.tryWrite().catch(() => {});
    if (!health.hasWriteFailed && (await readFreeBytes()) >= reserveBytes) health.reportSpace();
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

  /** Removes what is not needed. Ignores failures, since a full disk may refuse removals, too. */
  async #freeSpace(): Promise<void> {
    await this.#deleteReceipts().catch(() => {});
    await this.#purger.purge();
  }

  /** Asks the browser to persist the storage, once, and only when there is unsent work: the browser may ask the person. */
  #askToPersist(): Subscription {
    const { outbox, drafts } = this.#store;
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

/** Returns the free bytes of the quota; Infinity if the browser does not tell. */
async function readFreeBytes(): Promise<number> {
  const { quota, usage } = (await globalThis.navigator?.storage?.estimate?.().catch(() => undefined)) ?? {};
  return quota === undefined || usage === undefined ? Infinity : quota - usage;
}

interface RecordingVerbs {
  startRecording(target: never): Promise<unknown>;
  importRecording(imported: never): Promise<unknown>;
}
