/**
 * Leaves a gap between snapshots that follow on each other. SQLite reuses its log once all of it is in the file of the
 * database and no snapshot reads from the log, so that a log would grow for as long as one snapshot is always open.
 */

/** With a minute for each, the log has at most what is written in that many minutes. */
const chainLengthMax = 4;

export interface SnapshotChain {
  /** Resolves when the next snapshot may open. */
  enter(): Promise<void>;
  /** Says that a snapshot has ended. Calls `inGap` if others wait for none to be open. */
  leave(inGap: () => void): void;
}

export function createSnapshotChain(): SnapshotChain {
  let [open, entered] = [0, 0];
  const waiting: (() => void)[] = [];
  return {
    async enter() {
      if (entered >= chainLengthMax) return new Promise((start) => void waiting.push(start));
      open += 1;
      entered += 1;
    },
    leave(inGap) {
      open -= 1;
      if (open > 0) return;
      try {
        if (waiting.length > 0) inGap();
      } finally {
        const next = waiting.splice(0, chainLengthMax);
        [open, entered] = [next.length, next.length];
        for (const start of next) start();
      }
    },
  };
}
