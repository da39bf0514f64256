/** Limits how long a snapshot is open, since the database keeps old versions of rows meanwhile. */
export const snapshotMsMax = 60_000;

/**
 * Thrown for a read from a snapshot that is too old. This is no `StoreUnavailable`, since the client should not retry:
 * the retry would take as long.
 */
export class SnapshotExpired extends Error {
  override name = 'SnapshotExpired';
}

/** Returns a function that throws once the snapshot is too old for another read. */
export function createSnapshotTimeout(msMax: number): () => void {
  const endsAt = performance.now() + msMax;
  return () => {
    if (performance.now() > endsAt) throw new SnapshotExpired(`A snapshot was open for ${msMax} ms`);
  };
}
