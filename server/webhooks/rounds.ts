interface RoundsOptions {
  work(): Promise<void>;
  /** From the end of one round to the beginning of the next one. */
  pauseMs: number;
  onBug(error: unknown): void;
}

/** Repeats the work, at once and after each pause. The returned function ends it and resolves once no round is under way. */
export function startRounds({ work, pauseMs, onBug }: RoundsOptions): () => Promise<void> {
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  let underWay = Promise.resolve();
  const round = async () => {
    await work().catch(onBug);
    if (!isStopped) timer = setTimeout(() => (underWay = round()), pauseMs).unref();
  };
  underWay = round();
  return () => {
    isStopped = true;
    clearTimeout(timer);
    return underWay;
  };
}
