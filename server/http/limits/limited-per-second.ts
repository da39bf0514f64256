/** Limits how often public work runs, such as a health check. */

const spanMs = 1_000;

/**
 * Runs the work at most `perSecMax` times a second. Further calls get the result of the last run. `now` returns
 * milliseconds.
 */
export function limitedPerSecond<Result>(
  work: () => Promise<Result>,
  { perSecMax, now = () => performance.now() }: { perSecMax: number; now?: () => number },
): () => Promise<Result> {
  let last: Promise<Result> | undefined;
  let since = -Infinity;
  let begun = 0;
  return () => {
    if (now() - since >= spanMs) {
      since = now();
      begun = 0;
    }
    if (last === undefined || begun < perSecMax) {
      begun++;
      last = work();
    }
    return last;
  };
}
