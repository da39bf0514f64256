/** One clock for a fleet and its server: virtual, and no two readings are the same, so that a reading names a mutation. */
export class FleetTime {
  #nowMs = Date.UTC(2026, 0, 5, 6);

  now = (): number => ++this.#nowMs;

  pass(ms: number): void {
    this.#nowMs += ms;
  }
}
