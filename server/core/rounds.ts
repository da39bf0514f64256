/** Work that a process repeats by itself: sweeps, searches and the rounds of webhooks. */
interface RoundsOptions {
  /** The signal aborts when the rounds are stopped, so that a long round ends early. */
  work(signal: AbortSignal): Promise<void>;
  /** From the start to the first round. Default: it begins at once. */
  firstMs?: number;
  /** From the end of one round to the beginning of the next one. */
  pauseMs: number;
  /** Called with what a round rejects with. The next round comes all the same. */
  onBug(error: unknown): void;
}

export interface Rounds {
  /** Begins a round now, or after the one under way. */
  runSoon(): void;
  /** Resolves once no round is under way. */
  stop(): Promise<void>;
}

/** Repeats the work. No pause keeps the process alive. */
export function startRounds({ work, firstMs = 0, pauseMs, onBug }: RoundsOptions): Rounds {
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
