/** Formats differences: a plus or a minus sign stands before a number or a duration. */
import { durationText } from './format.ts';
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
