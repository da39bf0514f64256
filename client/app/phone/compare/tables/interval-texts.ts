import { durationText } from '../../../text/format.ts';

export interface Interval {
  low_secs: number;
  high_secs: number;
}

/** Returns both ends as texts. A confidence interval may begin below 0, but no time is below 0, so the text says 0. */
export const intervalTexts = ({ low_secs, high_secs }: Interval) => ({
  low: durationText(Math.max(0, low_secs)),
  high: durationText(high_secs),
});
