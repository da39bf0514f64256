import { durationText } from '../../../text/format.ts';

export interface Interval {
  low_secs: number;
  high_secs: number;
}

/** Returns the ends of an interval. A confidence interval of widely spread times may begin below 0, which no time does. */
export const intervalTexts = ({ low_secs, high_secs }: Interval) => ({
  low: durationText(Math.max(0, low_secs)),
  high: durationText(high_secs),
});
