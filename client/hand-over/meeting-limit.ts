/** Ends a meeting whose carrier keeps the channel busy and takes or brings little. */
import type { Clock } from '../core/clock.ts';

/** An honest carrier that is online delivers within this time. */
const meetingMsMax = 5 * 60_000;
/** Slower channels have what they carry broken off, and go on behind it at the next meeting. */
const bytesPerMsMin = 1;

interface MeetingLimitOptions {
  schedule: Clock['schedule'];
  /** True while the sync itself goes over the channel, which has limits of its own. */
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

  /** Extends the meeting for bytes of the device's work that went through. */
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
