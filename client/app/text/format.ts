/** Formats numbers, times, lists and durations in the app's language, by the rules of the device's locale. */
import { locale } from './language.ts';

const numberFormat = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
const percentFormat = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 });
const timeFormat = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
const pluralRules = new Intl.PluralRules(locale);
const listFormat = new Intl.ListFormat(locale, { type: 'conjunction' });

export const numberText = (value: number): string => numberFormat.format(value);

/** 0.7 → 70% */
export const percentText = (fraction: number): string => percentFormat.format(fraction);

export const dateTimeText = (iso: string): string => timeFormat.format(new Date(iso));

/** a, b and c */
export const listText = (parts: readonly string[]): string => listFormat.format(parts);

export const countText = (value: number, one: string, other: string): string =>
  `${numberText(value)} ${pluralRules.select(value) === 'one' ? one : other}`;

/** Formats seconds as a clock: 0:07, 12:40, 1:02:33. */
export function clockText(secs: number): string {
  const whole = Math.max(0, Math.floor(secs));
  const two = (value: number) => String(value).padStart(2, '0');
  const minutes = Math.floor(whole / 60);
  return minutes < 60
    ? `${minutes}:${two(whole % 60)}`
    : `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(whole % 60)}`;
}

const tenthFormat = new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** Formats the tenth of a second that follows a clock: .3 for 42.37. */
export function tenthText(secs: number): string {
  const tenth = (Math.floor(Math.max(0, secs) * 10) % 10) / 10;
  const parts = tenthFormat.formatToParts(tenth).filter(({ type }) => type === 'decimal' || type === 'fraction');
  return parts.map(({ value }) => value).join('');
}

const secsPerDay = 86_400;
const unitFormat = (unit: 'second' | 'minute' | 'day') =>
  new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 1 });
const dayText = (secs: number): string => unitFormat('day').format(secs / secsPerDay);
/** 5 → 05.0 */
const secondsFormat = new Intl.NumberFormat(locale, {
  numberingSystem: 'latn',
  minimumIntegerDigits: 2,
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});

/** Formats a duration as minutes and seconds: 0:42.5, 12:40.0, from an hour on 1:02:33, from a day on 1.5 days. */
export function durationText(secs: number): string {
  const tenths = Math.round(secs * 10);
  if (tenths < 36_000) return `${Math.floor(tenths / 600)}:${secondsFormat.format((tenths % 600) / 10)}`;
  return axisText(Math.round(secs));
}

/** Formats a duration in whole seconds, such as those on an axis: 0:42, 1:02:33, 2 days. */
export const axisText = (secs: number): string => (secs < secsPerDay ? clockText(secs) : dayText(secs));

/** Says how long to wait: 42 sec, 3.5 min. */
export const waitText = (secs: number): string =>
  secs < 60 ? unitFormat('second').format(secs) : unitFormat('minute').format(secs / 60);
