/** Runs work in the order in which it arrives, at most `concurrencyMax` pieces at once. */
export interface WorkQueue {
  /** The work must not reject. */
  run(work: () => Promise<void>): void;
  /** Drops the waiting work, and resolves once the running work is done. */
  close(): Promise<void>;
}

export function createWorkQueue(concurrencyMax: number): WorkQueue {
  const waiting: (() => Promise<void>)[] = [];
  const underWay = new Set<Promise<void>>();

  function startNext(): void {
    while (underWay.size < concurrencyMax) {
      const work = waiting.shift();
      if (!work) return;
      const done = work().finally(() => {
        underWay.delete(done);
        startNext();
      });
      underWay.add(done);
    }
  }

  return {
    run(work) {
      waiting.push(work);
      startNext();
    },
    async close() {
      waiting.length = 0;
      await Promise.all(underWay);
    },
  };
}
