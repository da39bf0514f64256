/**
 * Watches whether the storage of a device works. A browser may close or delete a database under an open engine, and Dexie
 * would open it again, empty, as if nothing had happened. So a closed database stays closed: the rows in memory are complete
 * no longer, and opening the engine anew recovers the lost ones from the journal.
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
  readonly #underWay = new Set<(error: GembaError) => void>();
  #isEnding = false;
  /** A write found no room, and none has succeeded since. */
  #hasRefused = false;

  /** Reports that the browser, not the engine, closed the database. */
  closed(): void {
    if (this.#isEnding || this.problem$.value === lost) return;
    this.problem$.next(lost);
    for (const reject of this.#underWay) reject(new GembaError(lost));
  }

  /** Reports that a write found no room: only a recording under way may be written. */
  full(): void {
    if (!this.#isEnding && !this.problem$.value) this.problem$.next(full);
  }

  roomy(): void {
    if (this.problem$.value === full) this.problem$.next(null);
  }

  get isFull(): boolean {
    return this.problem$.value === full;
  }

  /** Tells whether a write found no room; running short of the reserve alone does not count. */
  get hasRefused(): boolean {
    return this.#hasRefused;
  }

  /** Reports a successful write: there is room again. */
  wrote(): void {
    if (!this.#hasRefused) return;
    this.#hasRefused = false;
    this.roomy();
  }

  /** Reports that the engine closes the database itself. */
  end(): void {
    this.#isEnding = true;
    this.problem$.complete();
  }

  /** Runs work on the storage. Rejects once the storage is lost or the deadline has passed, even if the work never ends. */
  guard<Result>(work: () => Promise<Result>, { schedule, onLate }: Deadline = {}): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.refuseWhenLost();
      this.#underWay.add(reject);
      let isLate = false;
      const cancel = schedule?.(storageMsMax, () => {
        isLate = true;
        reject(new GembaError(timedOut));
      });
      const done = () => {
        cancel?.();
        this.#underWay.delete(reject);
        if (isLate) onLate?.();
      };
      work()
        .catch((error: unknown) => {
          if (namesOf(error).includes('QuotaExceededError')) {
            this.#hasRefused = true;
            this.full();
            throw storageFull();
          }
          if (namesOf(error).some((name) => closedNames.has(name))) this.closed();
          throw error;
        })
        .then(resolve, reject)
        .finally(done);
    });
  }

  refuseWhenLost(): void {
    if (this.problem$.value === lost && !this.#isEnding) throw new GembaError(lost);
  }
}

interface Deadline {
  /** Absent, there is no deadline. */
  schedule?: Clock['schedule'] | undefined;
  /** Called when late work ends after all, well or not. */
  onLate?: (() => void) | undefined;
}

/** The deadline of storage work, since a tab that waits keeps all others from the lock that it holds. */
export const storageMsMax = 25_000;

const timedOut = {
  code: 'storage_timeout' as const,
  detail:
    'The storage of this device does not answer. It is not known whether this was kept: look before doing it again.',
};

const lost: StorageProblem = {
  code: 'storage_lost',
  detail: 'The browser closed or deleted the database of this app. Open the app again: what it can, it puts back.',
};

const full: StorageProblem = {
  code: 'storage_full',
  detail: 'The storage of this device is full: free some room, or let it hand over its work to the server.',
};

export const storageFull = (): GembaError => new GembaError(full);

/** UnknownError is what IndexedDB says when its files cannot be read or written; a closed database aborts what is under way. */
const closedNames = new Set(['DatabaseClosedError', 'InvalidStateError', 'UnknownError', 'AbortError']);

/** The names of an error and its causes: Dexie hands on the browser's error as `inner`. */
function namesOf(error: unknown): string[] {
  const names: string[] = [];
  let next = error;
  for (let depth = 0; typeof next === 'object' && next !== null && depth < innerDepthMax; depth++) {
    if ('name' in next && typeof next.name === 'string') names.push(next.name);
    next = 'inner' in next ? next.inner : undefined;
  }
  return names;
}

const innerDepthMax = 5;
