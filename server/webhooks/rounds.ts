interface RoundsOptions {
  work(): Promise<void>;
  /** From the end of one round to the beginning of the next one. */
  pauseMs: number;
  onBug(error: unknown): void;
}

export interface Rounds {
  /** Begins a round now, or after the one under way. */
  runSoon(): void;
  /** Resolves once no round is under way. */
  stop(): Promise<void>;
}

/** Repeats the work, at once and after each pause. */
export function startRounds({ work, pauseMs, onBug }: RoundsOptions): Rounds {
  let state: 'running' | 'running, once more' | 'pausing' | 'stopped' = 'pausing';
  let timer: NodeJS.Timeout | undefined;
  let underWay = Promise.resolve();
  const begin = () => {
    clearTimeout(timer);
    state = 'running';
    underWay = work()
      .catch(onBug)
      .then(() => {
        if (state === 'stopped') return;
        if (state === 'running, once more') return begin();
        state = 'pausing';
        timer = setTimeout(begin, pauseMs).unref();
      });
  };
  begin();
  return {
    runSoon() {
      if (state === 'pausing') begin();
      else if (state === 'running') state = 'running, once more';
    },
    stop() {
      state = 'stopped';
      clearTimeout(timer);
      return underWay;
    },
  };
}
