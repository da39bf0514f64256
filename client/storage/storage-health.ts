/**
 * Tracks whether the device's storage works. A browser may close or delete the database of a running engine. The engine
 * then refuses all work until the app opens the engine again. That opening restores lost rows from the journal.
 */
import { BehaviorSubject } from 'rxjs';
import type { Clock } from '../core/clock.ts';
import { GembaError } from '../core/errors.ts';

export interface StorageProblem {
  code: 'storage_lost' | 'storage_full';
  /** A sentence for the person. */
  detail: string;
}

export class StorageHealth {
  readonly problem$ = new BehaviorSubject<StorageProblem | null>(null);
  readonly #rejectRunning = new Set<(error: GembaError) => void>();
  #isClosing = false;
  #hasWriteFailed = false;

  /** Reports that the browser, not the engine, closed the database. */
  reportClosed(): void {
    if (this.#isClosing || this.problem$.value === storageLostProblem) return;
    this.problem$.next(storageLostProblem);
    for (const reject of this.#rejectRunning) reject(new GembaError(storageLostProblem));
  }

  /** Reports that the storage is full, or has too little space for a new recording. */
  reportFull(): void {
    if (!this.#isClosing && !this.problem$.value) this.problem$.next(storageFullProblem);
  }

  reportFreeSpace(): void {
    if (this.problem$.value === storageFullProblem) this.problem$.next(null);
  }

  get isFull(): boolean {
    return this.problem$.value === storageFullProblem;
  }

  /** True from a write that failed on a full storage until the next successful write. */
  get hasWriteFailed(): boolean {
    return this.#hasWriteFailed;
  }

  /** Reports a successful write, which shows that the storage has space again. */
  reportSuccessfulWrite(): void {
    if (!this.#hasWriteFailed) return;
    this.#hasWriteFailed = false;
    this.reportFreeSpace();
  }

  /** Called before the engine closes the database, so that the closing does not count as a loss. */
  expectClosing(): void {
    this.#isClosing = true;
    this.problem$.complete();
  }

  /** Runs work on the storage. Rejects on a timeout or if the storage is lost, even if the work never settles. */
  runGuarded<Result>(work: () => Promise<Result>, { schedule, onLate }: GuardOptions = {}): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.throwIfLost();
      this.#rejectRunning.add(reject);
      let isLate = false;
      const cancel = schedule?.(storageTimeoutMs, () => {
        isLate = true;
        reject(new GembaError(storageTimeoutProblem));
      });
      const done = () => {
        cancel?.();
        this.#rejectRunning.delete(reject);
        if (isLate) onLate?.();
      };
      work()
        .catch((error: unknown) => {
          if (errorNamesOf(error).includes('QuotaExceededError')) {
            this.#hasWriteFailed = true;
            this.reportFull();
            throw storageFullError();
          }
          if (errorNamesOf(error).some((name) => databaseLostErrorNames.has(name))) this.reportClosed();
          throw error;
        })
        .then(resolve, reject)
        .finally(done);
    });
  }

  throwIfLost(): void {
    if (this.problem$.value === storageLostProblem && !this.#isClosing) throw new GembaError(storageLostProblem);
  }
}

interface GuardOptions {
  /** Limits the work to `storageTimeoutMs`. Without `schedule`, there is no limit. */
  schedule?: Clock['schedule'] | undefined;
  /** Called when work ends after its timeout, successfully or not. */
  onLate?: (() => void) | undefined;
}

/** The time limit of storage work. Without a limit, hanging work would keep a lock that other tabs wait for. */
export const storageTimeoutMs = 25_000;

const storageTimeoutProblem = {
  code: 'storage_timeout' as const,
  detail:
    'The storage of this device does not answer. This change may or may not be saved: check before you repeat it.',
};

const storageLostProblem: StorageProblem = {
  code: 'storage_lost',
  detail: 'The browser closed or deleted the database of this app. Open the app again to restore what it can.',
};

const storageFullProblem: StorageProblem = {
  code: 'storage_full',
  detail: 'The storage of this device is full. Free some space.',
};

export const storageFullError = (): GembaError => new GembaError(storageFullProblem);

/**
 * The names of errors which mean that the database is lost. IndexedDB throws an UnknownError if it cannot read its
 * files, and an AbortError if the database is closed during a transaction.
 */
const databaseLostErrorNames = new Set(['DatabaseClosedError', 'InvalidStateError', 'UnknownError', 'AbortError']);

/** Returns the names of an error and of its causes. Dexie puts a cause into `inner`. */
function errorNamesOf(error: unknown): string[] {
  const names: string[] = [];
  let next = error;
  for (let depth = 0; typeof next === 'object' && next !== null && depth < nestedErrorsMax; depth++) {
    if ('name' in next && typeof next.name === 'string') names.push(next.name);
    next = 'inner' in next ? next.inner : undefined;
  }
  return names;
}

const nestedErrorsMax = 5;
