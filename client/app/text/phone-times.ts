/** Formats days, hours and times that are relative to now, for screens that load on demand. */
import { durationText, secsPerHour } from './format.ts';
import { locale } from './language.ts';

const agoFormat = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });

/** Formats a time relative to now, such as "5 minutes ago". */
export function agoText(iso: string, nowMs: number): string {
  const secs = Math.min(0, Math.round((Date.parse(iso) - nowMs) / 1000));
  if (secs > -60) return agoFormat.format(secs, 'second');
  if (secs > -3_600) return agoFormat.format(Math.round(secs / 60), 'minute');
  return secs > -86_400
    ? agoFormat.format(Math.round(secs / 3_600), 'hour')
    : agoFormat.format(Math.round(secs / 86_400), 'day');
}

const dateFormat = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });

/** Formats a day: 2026-11-03 → Nov 3, 2026. */
export const dateText = (day: string): string => dateFormat.format(new Date(`${day}T12:00`));

/** Formats a duration in hours, the unit of the times in a map. */
export const hoursText = (hrs: number): string => durationText(hrs * secsPerHour);
