/** Locks that the tabs of one process share, like Web Locks, which Node has only from version 24 on. */
import { mutex } from '../../client/core/mutex.ts';
import type { Locks } from '../../client/core/locks.ts';

export interface TabLocks extends Locks {
  /** While true, a holder whose lock is stolen does not learn of it, like a frozen tab. */
  delayLoss: boolean;
  /** Steals the exclusive locks: the next holder starts while the previous one is still at work. */
  stealExclusive(): void;
}

interface LockHolder {
  steal(): void;
}

export function tabLocks(): TabLocks {
  const mutexes = new Map<string, ReturnType<typeof mutex>>();
  let isStolen = false;
  const waiting: (() => void)[] = [];
  let holder: LockHolder | undefined;
  let delayedLosses: (() => void)[] = [];
  let isDelayed = false;

  const grant = (work: (lost: AbortSignal) => Promise<void>): Promise<void> => {
    const lost = new AbortController();
    return new Promise((resolve) => {
      const me: LockHolder = {
        steal: () => {
          const tell = () => {
            lost.abort();
            resolve();
          };
          if (isDelayed) delayedLosses.push(tell);
          else tell();
        },
      };
      holder = me;
      void work(lost.signal).then(() => {
        if (holder === me) {
          holder = undefined;
          waiting.shift()?.();
        }
        resolve();
      });
    });
  };

  const exclusive: Locks['exclusive'] = (name, work) => {
    const inTurn = mutexes.get(name) ?? mutex();
    mutexes.set(name, inTurn);
    return inTurn(work);
  };

  return {
    exclusive,
    exclusiveStealing: (name, work) =>
      exclusive(name, () => {
        const stolen = isStolen;
        isStolen = false;
        return work(stolen);
      }),
    stealExclusive: () => {
      mutexes.clear();
      isStolen = true;
    },
    hold: (_name, { signal, steal }, work) => {
      if (steal) {
        const previous = holder;
        const granted = grant(work);
        previous?.steal();
        return granted;
      }
      if (!holder) return grant(work);
      return new Promise((resolve) => {
        const turn = () => void grant(work).then(resolve);
        waiting.push(turn);
        signal.addEventListener('abort', () => {
          const place = waiting.indexOf(turn);
          if (place >= 0) waiting.splice(place, 1);
          resolve();
        });
      });
    },
    get delayLoss() {
      return isDelayed;
    },
    set delayLoss(now: boolean) {
      isDelayed = now;
      if (isDelayed) return;
      for (const tell of delayedLosses) tell();
      delayedLosses = [];
    },
  };
}
