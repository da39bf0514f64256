/** Mutual exclusion between the tabs of a device: Web Locks in a browser, a mutex a name within one Node process. */
import type { Clock } from './clock.ts';
import { mutex } from './mutex.ts';

export interface Locks {
  /** Runs `work` while no other holds the lock of this name. */
  exclusive<Result>(name: string, work: () => Promise<Result>): Promise<Result>;
  /**
   * Steals the lock from a tab that keeps it too long, since it is frozen or its storage hangs. That tab goes on when it
   * wakes: `work` must first fence it off if `isStolen`.
   */
  exclusiveStealing<Result>(name: string, work: (isStolen: boolean) => Promise<Result>): Promise<Result>;
  /**
   * Runs `work` under the lock, without a deadline; resolves when the lock is released, the waiting is aborted, or another
   * tab steals it, which aborts `lost`. Work that cannot be stopped must be harmless.
   */
  hold(name: string, options: HoldOptions, work: (lost: AbortSignal) => Promise<void>): Promise<void>;
}

interface HoldOptions {
  /** Aborts the waiting. */
  signal: AbortSignal;
  /** Takes the lock from its holder, before all others that wait. */
  steal?: boolean;
}

/** A tab that holds a lock at two looks so far apart is robbed: work under a lock has shorter deadlines. */
export const lockLookMs = 30_000;

export function locksOf(deviceName: string, schedule: Clock['schedule']): Locks {
  const shared = typeof window !== 'undefined' && navigator.locks ? navigator.locks : undefined;
  return shared ? webLocks(shared, deviceName, schedule) : processLocks();
}

function webLocks(manager: LockManager, deviceName: string, schedule: Clock['schedule']): Locks {
  const scoped = (name: string) => `gemba:${deviceName}:${name}`;
  return {
    exclusive: (name, work) => manager.request(scoped(name), work) as Promise<never>,
    exclusiveStealing: (name, work) => stealing({ manager, name: scoped(name), schedule }, work),
    hold: async (name, { signal, steal }, work) => {
      const lost = new AbortController();
      let isHeld = false;
      try {
        // The Web Locks API takes no signal with `steal`, which does not wait.
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

interface Wanted {
  manager: LockManager;
  name: string;
  schedule: Clock['schedule'];
}

function stealing<Result>(
  { manager, name, schedule }: Wanted,
  work: (isStolen: boolean) => Promise<Result>,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const waiting = new AbortController();
    let hasLock = false;
    let cancelLook = () => {};
    const run = async (isStolen: boolean) => {
      hasLock = true;
      cancelLook();
      await work(isStolen).then(resolve, reject);
    };
    // A robbed tab goes on; the fence stops its writes.
    const unlessRobbed = (error: unknown) => {
      if (!hasLock && !waiting.signal.aborted) giveUp(error);
    };
    // Work that was reported as failed does not run later.
    const giveUp = (error: unknown) => {
      cancelLook();
      waiting.abort();
      reject(error as Error);
    };
    const steal = () => {
      waiting.abort();
      manager.request(name, { steal: true }, () => run(true)).catch((error) => hasLock || reject(error));
    };
    const look = async (holderBefore?: string) => {
      const holder = (await manager.query()).held?.find((lock) => lock.name === name)?.clientId;
      if (hasLock) return;
      if (holder !== undefined && holder === holderBefore) steal();
      else lookLater(holder);
    };
    const lookLater = (holder?: string) => {
      cancelLook = schedule(lockLookMs, () => void look(holder).catch(giveUp));
    };
    lookLater();
    manager
      .request(name, { signal: waiting.signal }, () => (waiting.signal.aborted ? undefined : run(false)))
      .catch(unlessRobbed);
  });
}

/** A database in Node belongs to one engine, so only the calls of this engine exclude each other. */
function processLocks(): Locks {
  const held = new Map<string, ReturnType<typeof mutex>>();
  const exclusive: Locks['exclusive'] = (name, work) => {
    const inTurn = held.get(name) ?? mutex();
    held.set(name, inTurn);
    return inTurn(work);
  };
  return {
    exclusive,
    exclusiveStealing: (name, work) => exclusive(name, () => work(false)),
    hold: (_name, { signal }, work) => (signal.aborted ? Promise.resolve() : work(new AbortController().signal)),
  };
}
