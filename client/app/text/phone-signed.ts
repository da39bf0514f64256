/** Formats differences: a plus or a minus sign stands before a number or a duration. */
import { durationText, secsPerCentiminute, secsPerDay, timeNotation, wholeCentiminutesMin } from './format.ts';
import { locale } from './language.ts';

/** Formats a difference in seconds: +0:12.0, −1:02:33, and 0:00.0 without a sign. */
export function signedDurationText(secs: number): string {
  const text = durationText(Math.abs(secs));
  if (text === durationText(0)) return text;
  return secs > 0 ? `+${text}` : `−${text}`;
}

const signedFormat = new Intl.NumberFormat(locale, { maximumFractionDigits: 0, signDisplay: 'exceptZero' });
/** Formats a difference as a whole number: +3, −1, and 0 without a sign. */
export const signedNumberText = (value: number): string => signedFormat.format(value).replace('-', '−');

/**
 * Returns the difference of two durations as `durationText` shows them, so that it agrees with the figures beside it:
 * 0.1 s for 2:00.4 and 2:00.5, though 120.44 s and 120.46 s are only 0.02 s apart.
 */
export const shownDifferenceSecs = (before: number, after: number): number => shownSecs(after) - shownSecs(before);

/** Rounds a duration as `durationText` does. */
function shownSecs(secs: number): number {
  const roundTo = (unitSecs: number) => Math.round(secs / unitSecs) * unitSecs;
  if (Math.round(secs) >= secsPerDay) return roundTo(secsPerDay / 10);
  if (timeNotation() === 'centiminute') {
    const tenthSecs = secsPerCentiminute / 10;
    return roundTo(Math.round(secs / tenthSecs) < wholeCentiminutesMin * 10 ? tenthSecs : secsPerCentiminute);
  }
  return Math.round(secs * 10) < 36_000 ? Math.round(secs * 10) / 10 : Math.round(secs);
}
