/**
 * Returns a function that starts `work` in the background unless it started within the last `ms`. After a failure the
 * next call starts it again.
 */
export function throttle({ ms, now }: { ms: number; now: () => number }, work: () => Promise<void>): () => void {
  let startedAt = -Infinity;
  return () => {
    const at = now();
    if (at - startedAt < ms) return;
    startedAt = at;
    work().catch(() => (startedAt = -Infinity));
  };
}
