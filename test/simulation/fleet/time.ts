/** One virtual clock for a fleet and its server. Each reading is unique, so that a time identifies a mutation. */
export class FleetTime {
  #nowMs = Date.UTC(2026, 0, 5, 6);

  now = (): number => ++this.#nowMs;

  advance(ms: number): void {
    this.#nowMs += ms;
  }
}
