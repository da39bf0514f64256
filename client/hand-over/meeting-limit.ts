/** Ends a meeting in which the carrier keeps the channel open but takes and brings too little. */
import type { Clock } from '../core/clock.ts';

/**
 * A meeting ends after this time unless bytes were transferred. An honest carrier that is online delivers within this
 * time.
 */
const meetingMsMax = 5 * 60_000;
/** Over a slower channel, the meeting ends early. The next meeting then sends the bytes that are missing. */
const bytesPerMsMin = 1;

interface MeetingLimitOptions {
  schedule: Clock['schedule'];
  /** True while the sync sends its requests over the channel. These requests have their own timeouts. */
  isSuspended: () => boolean;
  onExpired: () => void;
}

export class MeetingLimit {
  readonly #options: MeetingLimitOptions;
  #earnedMs = 0;
  #cancelTimer: () => void = () => {};

  constructor(options: MeetingLimitOptions) {
    this.#options = options;
    this.#wait(meetingMsMax);
  }

  /** Extends the meeting by the time that a slow channel needs for the transferred bytes. */
  earn(bytes: number): void {
    this.#earnedMs += bytes / bytesPerMsMin;
  }

  end(): void {
    this.#cancelTimer();
  }

  #wait(ms: number): void {
    const { schedule, isSuspended, onExpired } = this.#options;
    this.#cancelTimer = schedule(ms, () => {
      const moreMs = isSuspended() ? meetingMsMax : this.#earnedMs;
      this.#earnedMs = 0;
      if (moreMs > 0) this.#wait(moreMs);
      else onExpired();
    });
  }
}
