import { durationText } from '../../../text/format.ts';

export interface Interval {
  low_secs: number;
  high_secs: number;
}

/** Returns both ends as texts. Shows a low end below 0 as 0: a confidence interval may begin there, but no time can. */
export const intervalTexts = ({ low_secs, high_secs }: Interval) => ({
  low: durationText(Math.max(0, low_secs)),
  high: durationText(high_secs),
});
