/** The clocks of a device. Its wall clock may be wrong, jump, run at another speed or stand still. */
import type { VirtualTime } from '../virtual-time.ts';

export class DeviceClock {
  readonly #time: VirtualTime;
  #rate = 1;
  /** The reading from which the wall clock runs at its speed. */
  #since: { trueMs: number; shownMs: number } | undefined;

  constructor(time: VirtualTime) {
    this.#time = time;
  }

  /** Whether the wall clock shows what the time is, so that its times identify what was done when. */
  get isRight(): boolean {
    return this.#since === undefined;
  }

  wallMs = (): number => {
    const now = this.#time.now();
    if (!this.#since) return now;
    const { trueMs, shownMs } = this.#since;
    return Math.floor(shownMs + (now - trueMs) * this.#rate);
  };

  monotonicMs = (): number => this.#time.now();

  jump(ms: number): void {
    const shownMs = Math.max(0, this.wallMs() + ms);
    this.#since = { trueMs: this.#time.now(), shownMs };
  }

  /** 0 stands still; 1 is right. */
  runAt(rate: number): void {
    this.#since = { trueMs: this.#time.now(), shownMs: this.wallMs() };
    this.#rate = rate;
  }

  setRight(): void {
    this.#since = undefined;
    this.#rate = 1;
  }
}
