/** The options of `startPeriodicWork`, which repeats the background work of a process, such as sweeps. */
interface PeriodicWorkOptions {
  /** Does one round of the work. The signal aborts when the work is stopped, so that a long round ends early. */
  work(signal: AbortSignal): Promise<void>;
  /** The time before the first round. Default: the first round begins at once. */
  firstMs?: number;
  /** The time between the end of a round and the beginning of the next one. */
  pauseMs: number;
  /** Called with the error of a round that rejects. The next round begins as usual. */
  onBug(error: unknown): void;
}

export interface PeriodicWork {
  /** Begins a round now, or as soon as the current round ends. */
  runSoon(): void;
  /** Starts no more rounds. Resolves once no round is under way. */
  stop(): Promise<void>;
}

/** Starts the work. The timer of a pause does not keep the process alive. */
export function startPeriodicWork({ work, firstMs = 0, pauseMs, onBug }: PeriodicWorkOptions): PeriodicWork {
  let state: 'running' | 'running, once more' | 'pausing' | 'stopped' = 'pausing';
  let timer: NodeJS.Timeout | undefined;
  let underWay = Promise.resolve();
  const stopped = new AbortController();
  const begin = () => {
    clearTimeout(timer);
    state = 'running';
    underWay = work(stopped.signal)
      .catch(onBug)
      .then(() => {
        if (state === 'stopped') return;
        if (state === 'running, once more') return begin();
        beginIn(pauseMs);
      });
  };
  const beginIn = (ms: number) => {
    state = 'pausing';
    timer = setTimeout(begin, ms).unref();
  };
  if (firstMs > 0) beginIn(firstMs);
  else begin();
  return {
    runSoon() {
      if (state === 'pausing') begin();
      else if (state === 'running') state = 'running, once more';
    },
    stop() {
      state = 'stopped';
      stopped.abort();
      clearTimeout(timer);
      return underWay;
    },
  };
}
