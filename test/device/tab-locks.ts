/** Locks as a browser's tabs share them, within one process; Node has Web Locks from version 24 on only. */
import { mutex } from '../../client/core/mutex.ts';
import type { Locks } from '../../client/core/locks.ts';

export interface TabLocks extends Locks {
  /** While true, who is robbed of a lock does not hear of it, as a frozen tab. */
  delayNews: boolean;
  /** Whoever works under an exclusive lock is robbed of it: the next begins, and that one goes on beside it. */
  robExclusive(): void;
}

interface Holder {
  rob(): void;
}

export function tabLocks(): TabLocks {
  let exclusive = mutex();
  let isStolen = false;
  const waiting: (() => void)[] = [];
  let holder: Holder | undefined;
  let news: (() => void)[] = [];
  let delayed = false;

  const grant = (work: (lost: AbortSignal) => Promise<void>): Promise<void> => {
    const lost = new AbortController();
    return new Promise((resolve) => {
      const me: Holder = {
        rob: () => {
          const tell = () => {
            lost.abort();
            resolve();
          };
          if (delayed) news.push(tell);
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

  return {
    exclusive: (_name, work) => exclusive(work),
    exclusiveStealing: (_name, work) =>
      exclusive(() => {
        const stolen = isStolen;
        isStolen = false;
        return work(stolen);
      }),
    robExclusive: () => {
      exclusive = mutex();
      isStolen = true;
    },
    hold: (_name, { signal, steal }, work) => {
      if (steal) {
        const robbed = holder;
        const granted = grant(work);
        robbed?.rob();
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
    get delayNews() {
      return delayed;
    },
    set delayNews(now: boolean) {
      delayed = now;
      if (delayed) return;
      for (const tell of news) tell();
      news = [];
    },
  };
}
