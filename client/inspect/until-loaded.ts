/** Loads code, and tries again after a failed download. */
import { Observable } from 'rxjs';

/** The wait after the first failure. It doubles after each further failure, up to `waitMsMax`. */
const waitMsMin = 250;
const waitMsMax = 30_000;

/** Emits the loaded code. Tries again after a failure while there is a subscriber. */
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
