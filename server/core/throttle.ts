/**
 * Returns a function that starts `work` in the background, at most once in `ms` milliseconds. After `work` fails, the
 * next call starts `work` even within this time.
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
