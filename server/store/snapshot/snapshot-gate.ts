/**
 * Admits the snapshots of an SQLite database in groups, so that between two groups no snapshot is open. SQLite begins
 * to overwrite its write-ahead log only if the whole log was copied into the database file and no snapshot reads from
 * the log. Without such gaps, the log would grow without end.
 */

/**
 * Limits the snapshots of a group. They may be open one after the other, each for at most a minute, so the log grows
 * for at most this many minutes.
 */
const snapshotsPerGroupMax = 4;

export interface SnapshotGate {
  /** Resolves when the next snapshot may open. */
  enter(): Promise<void>;
  /** Reports the end of a snapshot. Calls `inGap` if no snapshot is open now and other snapshots wait. */
  leave(inGap: () => void): void;
}

export function createSnapshotGate(): SnapshotGate {
  let [open, entered] = [0, 0];
  const waiting: (() => void)[] = [];
  return {
    async enter() {
      if (entered >= snapshotsPerGroupMax) return new Promise((start) => void waiting.push(start));
      open += 1;
      entered += 1;
    },
    leave(inGap) {
      open -= 1;
      if (open > 0) return;
      try {
        if (waiting.length > 0) inGap();
      } finally {
        const next = waiting.splice(0, snapshotsPerGroupMax);
        [open, entered] = [next.length, next.length];
        for (const start of next) start();
      }
    },
  };
}
