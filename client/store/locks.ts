/** Mutual exclusion between the tabs of a device: Web Locks in a browser, a mutex a name within one Node process. */
import { mutex } from '../mutex.ts';

export interface Locks {
  /** Runs `work` while no other holds the lock of this name. */
  exclusive<Result>(name: string, work: () => Promise<Result>): Promise<Result>;
  /**
   * Runs `work`, which may take for ever, once the lock is had; resolves when it was given back, given up waiting for or
   * lost to one who stole it, as `lost` then says: work that cannot be stopped has to be harmless.
   */
  hold(name: string, options: HoldOptions, work: (lost: AbortSignal) => Promise<void>): Promise<void>;
}

interface HoldOptions {
  /** Gives up waiting. */
  signal: AbortSignal;
  /** Takes the lock from whoever holds it, before all who wait. */
  steal?: boolean;
}

export function locksOf(deviceName: string): Locks {
  const shared = typeof window !== 'undefined' && navigator.locks ? navigator.locks : undefined;
  return shared ? webLocks(shared, deviceName) : processLocks();
}

function webLocks(manager: LockManager, deviceName: string): Locks {
  const scoped = (name: string) => `gemba:${deviceName}:${name}`;
  return {
    exclusive: (name, work) => manager.request(scoped(name), work) as Promise<never>,
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

/** One engine has a database to itself in Node, so its own calls are all there is to keep apart. */
function processLocks(): Locks {
  const held = new Map<string, ReturnType<typeof mutex>>();
  return {
    exclusive: (name, work) => {
      const exclusive = held.get(name) ?? mutex();
      held.set(name, exclusive);
      return exclusive(work);
    },
    hold: (_name, { signal }, work) => (signal.aborted ? Promise.resolve() : work(new AbortController().signal)),
  };
}
