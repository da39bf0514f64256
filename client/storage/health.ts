/**
 * Watches whether the storage of a device works. A browser may close or delete a database while an engine uses it, and Dexie
 * would then open the database again, empty. The engine refuses all further work instead. When the app opens the engine
 * again, the journal restores the lost rows.
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
  #isEnding = false;
  /** True after a write failed because the storage is full, until a write succeeds. */
  #hasWriteFailed = false;

  /** Reports that the browser, not the engine, closed the database. */
  reportClosed(): void {
    if (this.#isEnding || this.problem$.value === lostProblem) return;
    this.problem$.next(lostProblem);
    for (const reject of this.#rejectRunning) reject(new GembaError(lostProblem));
  }

  /** Reports that the storage is full: only a recording under way may still be written. */
  reportFull(): void {
    if (!this.#isEnding && !this.problem$.value) this.problem$.next(fullProblem);
  }

  /** Reports that the storage has space again. */
  reportSpace(): void {
    if (this.problem$.value === fullProblem) this.problem$.next(null);
  }

  get isFull(): boolean {
    return this.problem$.value === fullProblem;
  }

  /** True after a write failed because the storage is full. False if only the check of free space found too little. */
  get hasWriteFailed(): boolean {
    return this.#hasWriteFailed;
  }

  /** Reports a successful write, which shows that the storage has space again. */
  reportWrite(): void {
    if (!this.#hasWriteFailed) return;
    this.#hasWriteFailed = false;
    this.reportSpace();
  }

  /** Reports that the engine itself closes the database. */
  stop(): void {
    this.#isEnding = true;
    this.problem$.complete();
  }

  /** Runs work on the storage. Rejects when the storage is lost or the time is over, even if the work never ends. */
  guard<Result>(work: () => Promise<Result>, { schedule, onLate }: GuardOptions = {}): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.refuseWhenLost();
      this.#rejectRunning.add(reject);
      let isLate = false;
      const cancel = schedule?.(storageTimeoutMs, () => {
        isLate = true;
        reject(new GembaError(timeoutError));
      });
      const done = () => {
        cancel?.();
        this.#rejectRunning.delete(reject);
        if (isLate) onLate?.();
      };
      work()
        .catch((error: unknown) => {
          if (errorNames(error).includes('QuotaExceededError')) {
            this.#hasWriteFailed = true;
            this.reportFull();
            throw storageFullError();
          }
          if (errorNames(error).some((name) => lostErrorNames.has(name))) this.reportClosed();
          throw error;
        })
        .then(resolve, reject)
        .finally(done);
    });
  }

  refuseWhenLost(): void {
    if (this.problem$.value === lostProblem && !this.#isEnding) throw new GembaError(lostProblem);
  }
}

interface GuardOptions {
  /** Times the work out after `storageTimeoutMs`. Without `schedule`, the work may take any time. */
  schedule?: Clock['schedule'] | undefined;
  /** Called when work that has timed out ends after all, successfully or not. */
  onLate?: (() => void) | undefined;
}

/** How long storage work may take. Longer work would keep a lock, for which the other tabs wait. */
export const storageTimeoutMs = 25_000;

const timeoutError = {
  code: 'storage_timeout' as const,
  detail:
    'The storage of this device does not answer. It is not known whether this was kept: look before doing it again.',
};

const lostProblem: StorageProblem = {
  code: 'storage_lost',
  detail: 'The browser closed or deleted the database of this app. Open the app again: what it can, it puts back.',
};

const fullProblem: StorageProblem = {
  code: 'storage_full',
  detail: 'The storage of this device is full: free some room, or let it hand over its work to the server.',
};

export const storageFullError = (): GembaError => new GembaError(fullProblem);

/**
 * Names of errors that show a lost database. IndexedDB throws an UnknownError if it cannot read its files, and an AbortError
 * if the database is closed during a transaction.
 */
const lostErrorNames = new Set(['DatabaseClosedError', 'InvalidStateError', 'UnknownError', 'AbortError']);

/** Returns the names of an error and of its causes, which Dexie puts into `inner`. */
function errorNames(error: unknown): string[] {
  const names: string[] = [];
  let next = error;
  for (let depth = 0; typeof next === 'object' && next !== null && depth < nestedErrorsMax; depth++) {
    if ('name' in next && typeof next.name === 'string') names.push(next.name);
    next = 'inner' in next ? next.inner : undefined;
  }
  return names;
}

const nestedErrorsMax = 5;
