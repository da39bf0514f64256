/** Counts times of requests, recordings and errors, apart for each phase of the day and each stage of rising rates. */
export class Latencies {
  readonly #ms: number[] = [];

  get count(): number {
    return this.#ms.length;
  }

  add(ms: number): void {
    this.#ms.push(ms);
  }

  /** Returns the time within which this share of the requests was answered; undefined if there was none. */
  percentile(share: number): number | undefined {
    const sorted = Float64Array.from(this.#ms).toSorted();
    return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)];
  }
}

export class Tally {
  readonly push = new Latencies();
  readonly pull = new Latencies();
  /** From the sending of a push until an event stream brings its cursor. */
  readonly poke = new Latencies();
  recordings = 0;
  lostAnswers = 0;
  /** Counts by the code of a problem, or by the error of the connection. */
  readonly errors = new Map<string, number>();

  error(code: string): void {
    this.errors.set(code, (this.errors.get(code) ?? 0) + 1);
  }

  get errorCount(): number {
    return [...this.errors.values()].reduce((sum, count) => sum + count, 0);
  }

  /** The refusals by which a server says that it has too much to do. */
  get refusedCount(): number {
    return [...this.errors].reduce((sum, [code, count]) => sum + (/^(429|503) /.test(code) ? count : 0), 0);
  }
}
