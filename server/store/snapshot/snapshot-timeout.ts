/** A database keeps old versions of rows for as long as a snapshot is open. */
export const snapshotMsMax = 60_000;

/** Work that takes too long for one snapshot does so at the next attempt, too, so that this is no outage of the store. */
export class SnapshotExpired extends Error {
  override name = 'SnapshotExpired';
}

/** Returns a function that throws once the snapshot is too old for another read. */
export function snapshotTimeout(msMax: number): () => void {
  const endsAt = performance.now() + msMax;
  return () => {
    if (performance.now() > endsAt) throw new SnapshotExpired(`A snapshot was open for ${msMax} ms`);
  };
}
