/**
 * One virtual clock for a fleet and its server, with the timers of all devices. Each reading is unique, so that a time
 * identifies a mutation.
 */
import { assert } from '../../../shared/domain/assert.ts';

interface Timer {
  dueMs: number;
  call: () => void;
}

/** The simulation begins at six in the morning of a Monday. */
const startMs = Date.UTC(2026, 0, 5, 6);
/** A device that waits for a second at a time for an hour has fewer timers; more means that something spins. */
const timersFiredMax = 5_000;

export class VirtualTime {
  #nowMs = startMs;
  readonly #groups = new Set<TimerGroup>();

  now = (): number => ++this.#nowMs;

  /** Reads the clock without moving it. */
  get elapsedMs(): number {
    return this.#nowMs - startMs;
  }

  get timerCount(): number {
    return [...this.#groups].reduce((sum, { size }) => sum + size, 0);
  }

  /** Makes the timers of one life of a device. */
  timers(): TimerGroup {
    const group = new TimerGroup(this);
    this.#groups.add(group);
    return group;
  }

  remove(group: TimerGroup): void {
    this.#groups.delete(group);
  }

  /** Moves the clock and fires nothing, as if every device slept. */
  jump(ms: number): void {
    this.#nowMs += ms;
  }

  /** Fires each timer at its time, and calls `settle` after each, so that what it began ends at that time. */
  async pass(ms: number, settle: () => Promise<void>): Promise<void> {
    const endMs = this.#nowMs + ms;
    for (let fired = 0; ; fired++) {
      assert(fired < timersFiredMax, `${timersFiredMax} timers fired within ${ms} ms`);
      const due = this.#earliest(endMs);
      if (!due) break;
      this.#nowMs = Math.max(this.#nowMs, due.timer.dueMs);
      due.group.fire(due.timer);
      await settle();
    }
    this.#nowMs = Math.max(this.#nowMs, endMs);
  }

  #earliest(endMs: number): { group: TimerGroup; timer: Timer } | undefined {
    let earliest: { group: TimerGroup; timer: Timer } | undefined;
    for (const group of this.#groups) {
      const timer = group.earliest();
      if (timer && timer.dueMs <= endMs && timer.dueMs < (earliest?.timer.dueMs ?? Infinity)) {
        earliest = { group, timer };
      }
    }
    return earliest;
  }
}

/** The timers of one life of a device. They fire neither while the device is frozen nor after its end. */
export class TimerGroup {
  isFrozen = false;
  readonly #time: VirtualTime;
  readonly #timers = new Set<Timer>();

  constructor(time: VirtualTime) {
    this.#time = time;
  }

  get size(): number {
    return this.#timers.size;
  }

  schedule = (ms: number, call: () => void): (() => void) => {
    // Waits with jitter have fractions, and PostgreSQL refuses times with fractions, which no real clock of a server has.
    const timer = { dueMs: this.#time.now() + Math.ceil(Math.max(0, ms)), call };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  };

  earliest(): Timer | undefined {
    if (this.isFrozen) return undefined;
    let earliest: Timer | undefined;
    for (const timer of this.#timers) if (timer.dueMs < (earliest?.dueMs ?? Infinity)) earliest = timer;
    return earliest;
  }

  fire(timer: Timer): void {
    this.#timers.delete(timer);
    timer.call();
  }

  end(): void {
    this.#timers.clear();
    this.#time.remove(this);
  }
}
