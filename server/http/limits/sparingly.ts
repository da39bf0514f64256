/** Work that anybody may ask for as often as they like. */

const spanMs = 1_000;

/** Begins at most so often a second; whoever asks more often gets what the last one gave. `now` is in milliseconds. */
export function sparingly<Result>(
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
