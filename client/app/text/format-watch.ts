/** Formats times for the small screen of a watch. A phone does not load this code. */
import { onFirstUse } from './format.ts';
import { locale } from './language.ts';

const dayFields = { month: 'short', day: 'numeric' } as const;
const dayFormat = onFirstUse(() => new Intl.DateTimeFormat(locale, dayFields));
const clockTimeFormat = onFirstUse(() => new Intl.DateTimeFormat(locale, { timeStyle: 'short' }));
const shortDateTimeFormat = onFirstUse(
  () => new Intl.DateTimeFormat(locale, { ...dayFields, hour: 'numeric', minute: '2-digit' }),
);

/** Omits the year: Nov 22, 10:12 AM. */
export const shortDateTimeText = (iso: string): string => shortDateTimeFormat().format(new Date(iso));

/** Returns the time of day for a time of today, otherwise the day: 10:12 AM or Nov 21. */
export function timeOrDayText(iso: string, now = new Date()): string {
  const time = new Date(iso);
  return (time.toDateString() === now.toDateString() ? clockTimeFormat() : dayFormat()).format(time);
}
