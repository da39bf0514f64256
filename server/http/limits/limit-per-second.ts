/** Limits how often the server does work that anyone can request without a token, such as a health check. */

const spanMs = 1_000;

/** Runs `work` at most `perSecMax` times a second. Further calls get the last result. `now` returns milliseconds. */
export function limitPerSecond<Result>(
  work: () => Promise<Result>,
  { perSecMax, now = () => performance.now() }: { perSecMax: number; now?: () => number },
): () => Promise<Result> {
  let lastRun: Promise<Result> | undefined;
  let spanStartedAt = -Infinity;
  let runCount = 0;
  return () => {
    if (now() - spanStartedAt >= spanMs) {
      spanStartedAt = now();
      runCount = 0;
    }
    if (lastRun === undefined || runCount < perSecMax) {
      runCount++;
      lastRun = work();
    }
    return lastRun;
  };
}
