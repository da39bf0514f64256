import { StoreUnavailable } from '../store.ts';

/** A database keeps old versions of rows for as long as a snapshot is open. */
export const snapshotMsMax = 60_000;

/** Returns a function that throws once the snapshot is too old for another read. */
export function snapshotTimeout(msMax = snapshotMsMax): () => void {
  const endsAt = performance.now() + msMax;
  return () => {
    if (performance.now() > endsAt) throw new StoreUnavailable(`A snapshot was open for ${msMax} ms`);
  };
}
