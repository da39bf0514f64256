/** Formats the times on an axis, in the notation of the device. */
import {
  centiminuteNumber,
  countdownText,
  dayText,
  durationText,
  groupDigits,
  secsPerCentiminute,
  secsPerDay,
  timeNotation,
} from './format.ts';

/** Formats a value on an axis: 0:42, 1:02:33, 125 or 2 days. `axisUnitText` returns the unit of 125. */
export function axisText(secs: number): string {
  if (secs >= secsPerDay) return dayText(secs);
  return timeNotation() === 'clock' ? countdownText(secs) : groupDigits(String(Math.round(secs / secsPerCentiminute)));
}

/** Formats a duration beside an axis that shows the unit: 0:42.5 or 70.8. */
export const durationOnAxisText = (secs: number): string =>
  timeNotation() === 'centiminute' && Math.round(secs) < secsPerDay
    ? groupDigits(centiminuteNumber(secs))
    : durationText(secs);

/** Returns the unit to show at an axis that ends at `maxSecs`; empty if each value on the axis has its own unit. */
export const axisUnitText = (maxSecs: number): string =>
  timeNotation() === 'centiminute' && maxSecs < secsPerDay ? 'cmin' : '';
