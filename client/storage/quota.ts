/**
 * Watches the browser's storage quota. It asks the browser to persist the storage once there is work to lose, and checks the
 * free room before each new recording, so that one under way can be finished.
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
  /** Removes receipts: the server has these recordings, too. */
  forgetReceipts: () => Promise<void>;
  schedule: Clock['schedule'];
}

/** The room for the largest recording, as draft and in the outbox, each twice, with tombstones. */
export const reserveBytes = 32 * 1024 * 1024;
/** Receipts are removed while less than this is free. */
const lowBytes = 2 * reserveBytes;

/** The pause between two probes of a full storage, since no tab may have anything else to write. */
export const roomLookMs = 60_000;

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

  /** Refuses verbs that bring a new recording with `storage_full` while only the reserve is left. */
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
    if (this.#store.health.isFull) this.#cancelLook = this.#schedule(roomLookMs, () => void this.#look());
  }

  async #look(): Promise<void> {
    const { health, outbox } = this.#store;
    if (!health.isFull) return;
    await outbox.probe().catch(() => {});
    if (!health.hasRefused && (await freeBytes()) >= reserveBytes) health.roomy();
    if (!this.#subscription.closed) this.#lookLater();
  }

  /** The person may have made room elsewhere meanwhile. */
  #lookWhenShown(): Subscription {
    if (typeof document === 'undefined') return new Subscription();
    const shown = () => {
      if (document.visibilityState === 'visible') void this.#look();
    };
    document.addEventListener('visibilitychange', shown);
    return new Subscription(() => document.removeEventListener('visibilitychange', shown));
  }

  /** Ignores failures, since a full disk may refuse removals, too. */
  async #free(): Promise<void> {
    await this.#forgetReceipts().catch(() => {});
    await this.#purger.purge();
  }

  /** Waits until there is unsent work, and asks once, since a browser may ask the person. */
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

/** Answers the free bytes; Infinity where the browser does not say. */
async function freeBytes(): Promise<number> {
  const { quota, usage } = (await globalThis.navigator?.storage?.estimate?.().catch(() => undefined)) ?? {};
  return quota === undefined || usage === undefined ? Infinity : quota - usage;
}

interface RecordingVerbs {
  startRecording(target: never): Promise<unknown>;
  importRecording(imported: never): Promise<unknown>;
}
