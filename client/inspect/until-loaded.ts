/** Loads code that a failed download must not end. */
import { Observable } from 'rxjs';

/** The wait after the first failure, which doubles up to the longest. */
const waitMsMin = 250;
const waitMsMax = 30_000;

/** Emits what was loaded. Tries again after a failure, as long as somebody waits for it. */
export const untilLoaded = <Loaded>(load: () => Promise<Loaded>): Observable<Loaded> =>
  new Observable((subscriber) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const attempt = (waitMs: number) => {
      const tryLater = () => {
        if (!subscriber.closed) timer = setTimeout(() => attempt(Math.min(2 * waitMs, waitMsMax)), waitMs);
      };
      load().then((loaded) => subscriber.next(loaded), tryLater);
    };
    attempt(waitMsMin);
    return () => clearTimeout(timer);
  });
