/**
 * Watches whether the storage of a device works. A browser may close or delete a database that an engine has open, and
 * Dexie would open it again, empty. So the engine keeps it closed: its rows in memory may be incomplete, and opening
 * the engine again recovers lost rows from the journal.
 */
import { BehaviorSubject } from 'rxjs';
import type { Clock } from '../core/clock.ts';
import { GembaError } from '../core/errors.ts';

export interface StorageProblem {
  code: 'storage_lost' | 'storage_full';
  /** A text for a person. */
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

  /** Reports that the storage is full: only a recording under way may be written. */
  reportFull(): void {
    if (!this.#isEnding && !this.problem$.value) this.problem$.next(fullProblem);
  }

  reportSpace(): void {
    if (this.problem$.value === fullProblem) this.problem$.next(null);
  }

  get isFull(): boolean {
    return this.problem$.value === fullProblem;
  }

  /**
   * Tells whether a write failed because the storage is full; using up the free space down to the reserve does not
   * count.
   */
  get hasWriteFailed(): boolean {
    return this.#hasWriteFailed;
  }

  /** Reports a successful write, which shows that there is room again. */
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

  /** Runs work on the storage. Rejects once the storage is lost or the deadline has passed, even if the work never ends. */
  guard<Result>(work: () => Promise<Result>, { schedule, onLate }: GuardOptions = {}): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.refuseWhenLost();
      this.#rejectRunning.add(reject);
      let isLate = false;
      const cancel = schedule?.(storageMsMax, () => {
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
  /** Runs the deadline; without it there is none. */
  schedule?: Clock['schedule'] | undefined;
  /** Called when work ends after its deadline, successfully or not. */
  onLate?: (() => void) | undefined;
}

/** The deadline of storage work: a tab that waits longer would keep its lock from all other tabs. */
export const storageMsMax = 25_000;

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
 * These errors show a lost database: IndexedDB gives UnknownError for unreadable files, and AbortError when it closes.
 */
const lostErrorNames = new Set(['DatabaseClosedError', 'InvalidStateError', 'UnknownError', 'AbortError']);

/** The names of an error and of its causes; Dexie puts the browser's error into `inner`. */
function errorNames(error: unknown): string[] {
  const names: string[] = [];
  let next = error;
  for (let depth = 0; typeof next === 'object' && next !== null && depth < innerDepthMax; depth++) {
    if ('name' in next && typeof next.name === 'string') names.push(next.name);
    next = 'inner' in next ? next.inner : undefined;
  }
  return names;
}

const innerDepthMax = 5;
