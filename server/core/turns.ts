/** Runs background work in the order in which it came, with at most `atOnceMax` under way. */
export interface Turns {
  /** The work must not reject. */
  run(work: () => Promise<void>): void;
  /** Drops the work that waits, and resolves when the work under way is done. */
  close(): Promise<void>;
}

export function createTurns(atOnceMax: number): Turns {
  const waiting: (() => Promise<void>)[] = [];
  const underWay = new Set<Promise<void>>();

  function startNext(): void {
    while (underWay.size < atOnceMax) {
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
