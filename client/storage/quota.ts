/**
 * Watches the browser's storage quota. It asks the browser to persist the storage when there is unsent work, and checks
 * the free space before each recording, so that a recording that starts can be finished.
 */
import { Subscription } from 'rxjs';
import type { Clock } from '../core/clock.ts';
import type { DeviceStore } from './device-store.ts';
import { storageFull } from './health.ts';
import type { Purger } from './purger.ts';
import { deviceRowId } from './rows.ts';

interface StorageQuotaOptions {
  store: DeviceStore;
  purger: Purger;
  /** Removes receipts, whose recordings the server has, too. */
  forgetReceipts: () => Promise<void>;
  schedule: Clock['schedule'];
}

/** Space for the largest recording as a draft and in the outbox, each stored twice, with tombstones. */
export const reserveBytes = 32 * 1024 * 1024;
/** Receipts are removed while less space than this is free. */
const lowBytes = 2 * reserveBytes;

/** The pause between two test writes to a full storage: without them, no write may come that shows free space. */
export const fullStorageCheckMs = 60_000;

export class StorageQuota {
  readonly #store: DeviceStore;
  readonly #purger: Purger;
  readonly #forgetReceipts: () => Promise<void>;
  readonly #schedule: Clock['schedule'];
  readonly #subscription = new Subscription();
  #cancelLook: () => void = () => {};

  constructor({ store, purger, forgetReceipts, schedule }: StorageQuotaOptions) {
    this.#store = store;
    this.#purger = purger;
    this.#forgetReceipts = forgetReceipts;
    this.#schedule = schedule;
    this.#subscription.add(this.#askToPersist());
    this.#subscription.add(store.health.problem$.subscribe(() => this.#lookLater()));
    this.#subscription.add(this.#lookWhenShown());
  }

  close(): void {
    this.#cancelLook();
    this.#subscription.unsubscribe();
  }

  /** Makes verbs that start or add a recording reject with `storage_full` while only the reserve is free. */
  reserving<Verbs extends RecordingVerbs>(verbs: Verbs): Verbs {
    return {
      ...verbs,
      startRecording: async (target: never) => {
        await this.#requireMoreThanReserve();
        return verbs.startRecording(target);
      },
      importRecording: async (imported: never) => {
        await this.#requireMoreThanReserve();
        return verbs.importRecording(imported);
      },
    };
  }

  async #requireMoreThanReserve(): Promise<void> {
    let free = await freeBytes();
    if (free < lowBytes) {
      await this.#free();
      free = await freeBytes();
    }
    const { health } = this.#store;
    if (free >= reserveBytes) return health.roomy();
    health.full();
    throw storageFull();
  }

  #lookLater(): void {
    this.#cancelLook();
    if (this.#store.health.isFull) this.#cancelLook = this.#schedule(fullStorageCheckMs, () => void this.#look());
  }

  async #look(): Promise<void> {
    const { health, outbox } = this.#store;
    if (!health.isFull) return;
    await outbox.probe().catch(() => {});
    if (!health.hasRefused && (await freeBytes()) >= reserveBytes) health.roomy();
    if (!this.#subscription.closed) this.#lookLater();
  }

  /** Checks again when the page is shown, since the person may have freed space elsewhere. */
  #lookWhenShown(): Subscription {
    if (typeof document === 'undefined') return new Subscription();
    const shown = () => {
      if (document.visibilityState === 'visible') void this.#look();
    };
    document.addEventListener('visibilitychange', shown);
    return new Subscription(() => document.removeEventListener('visibilitychange', shown));
  }

  /** Frees space. Ignores failures, since a full disk may refuse removals, too. */
  async #free(): Promise<void> {
    await this.#forgetReceipts().catch(() => {});
    await this.#purger.purge();
  }

  /**
   * Asks the browser to persist the storage, once and only when there is unsent work, since the browser may ask the
   * person.
   */
  #askToPersist(): Subscription {
    const { outbox, drafts } = this.#store;
    const ask = async () => {
      const { storage } = navigator;
      if (!(await storage.persisted())) await storage.persist();
    };
    const asked = () => void ask().catch(() => {});
    if (!globalThis.navigator?.storage?.persist) return new Subscription();
    if (hasWork([...outbox.entries(), ...drafts.entries()].map(([id]) => ({ id })))) {
      asked();
      return new Subscription();
    }
    const subscription = new Subscription();
    const askOnce = (rows: { id: string }[]) => {
      if (!hasWork(rows)) return;
      subscription.unsubscribe();
      asked();
    };
    for (const table of [outbox, drafts]) subscription.add(table.onWritten('observer', askOnce));
    return subscription;
  }
}

const hasWork = (rows: { id: string }[]): boolean => rows.some(({ id }) => id !== deviceRowId);

/** Returns the free bytes; Infinity if the browser does not tell. */
async function freeBytes(): Promise<number> {
  const { quota, usage } = (await globalThis.navigator?.storage?.estimate?.().catch(() => undefined)) ?? {};
  return quota === undefined || usage === undefined ? Infinity : quota - usage;
}

interface RecordingVerbs {
  startRecording(target: never): Promise<unknown>;
  importRecording(imported: never): Promise<unknown>;
}
