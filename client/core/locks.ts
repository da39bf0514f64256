/**
 * Provides mutual exclusion between the tabs of a device: by Web Locks in a browser, and by one mutex for each lock
 * name in Node.
 */
import type { Clock } from './clock.ts';
import { mutex } from './mutex.ts';
import type { TabLockManager } from './supports-tabs.ts';

export interface Locks {
  /** Waits for the lock of this name and runs `work` while it holds the lock. */
  exclusive<Result>(name: string, work: () => Promise<Result>): Promise<Result>;
  /**
   * Like `exclusive`, but steals the lock from a tab that is frozen or whose storage hangs. If `isStolen`, `work` must
   * first call `fenceOff` (fence.ts): the other tab may wake up, and its writes must then fail.
   */
  exclusiveStealing<Result>(name: string, work: (isStolen: boolean) => Promise<Result>): Promise<Result>;
  /**
   * Runs `work` under the lock, however long it takes. Resolves when `work` ends, `signal` aborts the wait, or another
   * tab steals the lock. A steal aborts `lost` but cannot stop `work`.
   */
  hold(name: string, options: HoldOptions, work: (lost: AbortSignal) => Promise<void>): Promise<void>;
}

interface HoldOptions {
  /** Aborts the wait for the lock. */
  signal: AbortSignal;
  /** True to take the lock from its holder at once, before all waiting tabs. */
  steal?: boolean;
}

/**
 * The time between two checks of a lock. If the same tab holds the lock at both checks, that tab is frozen, since work
 * under a lock times out earlier. The checking tab then steals the lock.
 */
export const lockCheckIntervalMs = 30_000;

export function createLocks(deviceName: string, schedule: Clock['schedule'], manager?: TabLockManager): Locks {
  const shared = manager ?? (typeof window !== 'undefined' && navigator.locks ? navigator.locks : undefined);
  return shared ? createWebLocks(shared, deviceName, schedule) : createInProcessLocks();
}

function createWebLocks(manager: TabLockManager, deviceName: string, schedule: Clock['schedule']): Locks {
  const scoped = (name: string) => `gemba:${deviceName}:${name}`;
  return {
    exclusive: (name, work) => manager.request(scoped(name), work) as Promise<never>,
    exclusiveStealing: (name, work) => requestOrSteal({ manager, name: scoped(name), schedule }, work),
    hold: async (name, { signal, steal }, work) => {
      const lost = new AbortController();
      let isHeld = false;
      try {
        // The Web Locks API forbids `signal` together with `steal`. A steal does not wait, so it needs no signal.
        await manager.request(scoped(name), steal ? { steal } : { signal }, () => {
          isHeld = true;
          return work(lost.signal);
        });
      } catch (error) {
        const isStolen = isHeld && error instanceof DOMException && error.name === 'AbortError';
        if (!isStolen && !signal.aborted) throw error;
        lost.abort();
      }
    },
  };
}

interface StealOptions {
  manager: TabLockManager;
  name: string;
  schedule: Clock['schedule'];
}

function requestOrSteal<Result>(
  { manager, name, schedule }: StealOptions,
  work: (isStolen: boolean) => Promise<Result>,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const queueing = new AbortController();
    let hasLock = false;
    let cancelCheck = () => {};
    const run = async (isStolen: boolean) => {
      hasLock = true;
      cancelCheck();
      await work(isStolen).then(resolve, reject);
    };
    // Ignores the error if another tab stole the lock while `work` was running: `work` settles the promise itself.
    const giveUpUnlessStolen = (error: unknown) => {
      if (!hasLock && !queueing.signal.aborted) giveUp(error);
    };
    // Aborts the request for the lock, so that `work` cannot run after the caller has received the error.
    const giveUp = (error: unknown) => {
      cancelCheck();
      queueing.abort();
      reject(error as Error);
    };
    const steal = () => {
      queueing.abort();
      manager.request(name, { steal: true }, () => run(true)).catch((error) => hasLock || reject(error));
    };
    const checkHolder = async (holderBefore?: string) => {
      const holder = (await manager.query()).held?.find((lock) => lock.name === name)?.clientId;
      if (hasLock) return;
      if (holder !== undefined && holder === holderBefore) steal();
      else checkHolderLater(holder);
    };
    const checkHolderLater = (holder?: string) => {
      cancelCheck = schedule(lockCheckIntervalMs, () => void checkHolder(holder).catch(giveUp));
    };
    checkHolderLater();
    manager
      .request(name, { signal: queueing.signal }, () => (queueing.signal.aborted ? undefined : run(false)))
      .catch(giveUpUnlessStolen);
  });
}

/** Builds locks for Node, where one mutex in this process is enough, since only one engine opens a database. */
function createInProcessLocks(): Locks {
  const mutexes = new Map<string, ReturnType<typeof mutex>>();
  const exclusive: Locks['exclusive'] = (name, work) => {
    const runInTurn = mutexes.get(name) ?? mutex();
    mutexes.set(name, runInTurn);
    return runInTurn(work);
  };
  return {
    exclusive,
    exclusiveStealing: (name, work) => exclusive(name, () => work(false)),
    hold: (_name, { signal }, work) => (signal.aborted ? Promise.resolve() : work(new AbortController().signal)),
  };
}
