/** Formats the times on an axis, in the notation of the device. */
import {
  centiminuteNumber,
  countdownText,
  dayText,
  durationText,
  inGroups,
  secsPerCentiminute,
  secsPerDay,
  timeNotation,
} from './format.ts';

/** Formats a value on an axis, whose unit is `axisUnitText`: 0:42, 1:02:33 or 125, and 2 days. */
export function axisText(secs: number): string {
  if (secs >= secsPerDay) return dayText(secs);
  return timeNotation() === 'clock' ? countdownText(secs) : inGroups(String(Math.round(secs / secsPerCentiminute)));
}

/** Formats a duration beside an axis that has its unit: 0:42.5 or 70.8. */
export const durationOnAxisText = (secs: number): string =>
  timeNotation() === 'centiminute' && Math.round(secs) < secsPerDay
    ? inGroups(centiminuteNumber(secs))
    : durationText(secs);

/** Returns the unit that stands at an axis up to this length; empty if its values say their unit. */
export const axisUnitText = (maxSecs: number): string =>
  timeNotation() === 'centiminute' && maxSecs < secsPerDay ? 'cmin' : '';
