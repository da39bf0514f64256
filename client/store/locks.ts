/** Mutual exclusion between the tabs of a device: Web Locks in a browser, a mutex a name within one Node process. */
import { mutex } from '../mutex.ts';

export interface Locks {
  /** Runs `work` while no other holds the lock of this name. */
  exclusive<Result>(name: string, work: () => Promise<Result>): Promise<Result>;
  /** Like `exclusive`, but `work` starts when the lock is had and its holder may wait for ever; `signal` gives up waiting. */
  hold(name: string, signal: AbortSignal, work: () => Promise<void>): Promise<void>;
}

export function locksOf(deviceName: string): Locks {
  const shared = typeof window !== 'undefined' && navigator.locks ? navigator.locks : undefined;
  return shared ? webLocks(shared, deviceName) : processLocks();
}

function webLocks(manager: LockManager, deviceName: string): Locks {
  const scoped = (name: string) => `gemba:${deviceName}:${name}`;
  return {
    exclusive: (name, work) => manager.request(scoped(name), work) as Promise<never>,
    hold: async (name, signal, work) => {
      try {
        await manager.request(scoped(name), { signal }, work);
      } catch (error) {
        if (!signal.aborted) throw error;
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
    hold: (_name, signal, work) => (signal.aborted ? Promise.resolve() : work()),
  };
}
