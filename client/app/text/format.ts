/** Formats numbers, times, lists and durations in the app's language, by the rules of the device's locale. */
import { locale } from './language.ts';

/** Creates a format at its first use: the start needs few formats, and each takes a part of a millisecond. */
export function onFirstUse<Format>(make: () => Format): () => Format {
  let made: Format | undefined;
  return () => (made ??= make());
}

const numberFormat = onFirstUse(() => new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }));
const percentFormat = onFirstUse(() => new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 }));
const dateTimeFormat = onFirstUse(() => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }));
const listFormat = onFirstUse(() => new Intl.ListFormat(locale, { type: 'conjunction' }));

/** Up to this number, a whole number has no thousands separator and looks the same in English and German. */
const plainNumberMax = 999;

/** Formats small whole numbers without `Intl`, whose first use takes 9 ms: the list of maps has no other numbers. */
export const numberText = (value: number): string =>
  Number.isInteger(value) && value >= 0 && value <= plainNumberMax && !locale.includes('-u-')
    ? String(value)
    : numberFormat().format(value);

/** 0.7 → 70% */
export const percentText = (fraction: number): string => percentFormat().format(fraction);

export const dateTimeText = (iso: string): string => dateTimeFormat().format(new Date(iso));

/** Joins texts: a, b and c. */
export const listText = (parts: readonly string[]): string => listFormat().format(parts);

/** Adds the singular for 1, otherwise the plural: English and German have no other forms. */
export const countText = (value: number, one: string, other: string): string =>
  `${numberText(value)} ${value === 1 ? one : other}`;

/** How the app writes durations: as minutes and seconds, or as centiminutes. */
export type TimeNotation = 'clock' | 'centiminute';

let notation: TimeNotation = 'clock';
export const timeNotation = (): TimeNotation => notation;
/** Sets the notation that the device has chosen. Must run before the first view renders. */
export const setTimeNotation = (chosen: TimeNotation): void => {
  notation = chosen;
};

export const secsPerCentiminute = 0.6;
/** From an hour on (6,000 cmin), durations have whole centiminutes, as they have whole seconds. */
export const wholeCentiminutesMin = 6_000;
export const secsPerHour = 3_600;
export const secsPerDay = 86_400;

const tenthFormat = onFirstUse(
  () =>
    new Intl.NumberFormat(locale, {
      numberingSystem: 'latn',
      useGrouping: false,
      minimumFractionDigits: 1,
      maximumFractionDigits: 1,
    }),
);
/** Separates groups of three digits by a narrow space, since a comma may be read as a decimal point: 12 500. */
export const groupDigits = (digits: string): string =>
  digits.length < 5 ? digits : digits.replace(/\B(?=(?:\d{3})+$)/g, '\u202f');
const centiminutesText = (number: string): string => `${number}\u00a0cmin`;

/** Formats a duration as centiminutes without the unit, as a person types it: 125.0 for 75 s, 6000 for an hour. */
export function centiminuteNumber(secs: number): string {
  const tenths = Math.round((secs / secsPerCentiminute) * 10);
  return tenths < wholeCentiminutesMin * 10
    ? tenthFormat().format(tenths / 10)
    : String(Math.round(secs / secsPerCentiminute));
}

interface ClockParts {
  whole: string;
  /** The tenth that follows `whole`, with its decimal point: .3 */
  tenth: string;
  /** Empty for minutes and seconds. */
  unit: string;
}

/** Splits the time that a running clock shows: 0:42 and .3 for 42.37 s. A running clock never rounds up. */
export function clockParts(secs: number): ClockParts {
  const shown = Math.max(0, secs);
  if (notation === 'clock') return { whole: countdownText(shown), tenth: tenthText(shown), unit: '' };
  const centiminutes = shown / secsPerCentiminute;
  return {
    whole: groupDigits(String(Math.floor(centiminutes))),
    tenth: tenthText(centiminutes),
    unit: 'cmin',
  };
}

/** Formats the time that a running clock shows, without tenths: 0:07, 12:40, 1:02:33, or 125 cmin. */
export function clockText(secs: number): string {
  const { whole, unit } = clockParts(secs);
  return unit === '' ? whole : centiminutesText(whole);
}

/** Formats the time until something happens as minutes and seconds: 0:07, 12:40, 1:02:33. */
export function countdownText(secs: number): string {
  const whole = Math.max(0, Math.floor(secs));
  const twoDigits = (value: number) => String(value).padStart(2, '0');
  const minutes = Math.floor(whole / 60);
  return minutes < 60
    ? `${minutes}:${twoDigits(whole % 60)}`
    : `${Math.floor(minutes / 60)}:${twoDigits(minutes % 60)}:${twoDigits(whole % 60)}`;
}

/** Formats the tenth that follows a clock: .3 for 42.37. */
const tenthText = (value: number): string =>
  tenthFormat()
    .format((Math.floor(value * 10) % 10) / 10)
    .slice(1);

const unitFormat = (unit: 'second' | 'minute' | 'day') =>
  new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 1 });
/** Formats a duration in days: 1.5 days. */
export const dayText = (secs: number): string => unitFormat('day').format(secs / secsPerDay);
/** 5 → 05.0 */
const secondsFormat = onFirstUse(
  () =>
    new Intl.NumberFormat(locale, {
      numberingSystem: 'latn',
      minimumIntegerDigits: 2,
      minimumFractionDigits: 1,
      maximumFractionDigits: 1,
    }),
);

/**
 * Formats a duration as minutes and seconds (0:42.5, 12:40.0, from an hour on 1:02:33) or as centiminutes (70.8 cmin,
 * from an hour on 6 255 cmin), and from a day on in days (1.5 days).
 */
export function durationText(secs: number): string {
  const whole = Math.round(secs);
  if (whole >= secsPerDay) return dayText(whole);
  if (notation === 'centiminute') return centiminutesText(groupDigits(centiminuteNumber(secs)));
  const tenths = Math.round(secs * 10);
  return tenths < 36_000
    ? `${Math.floor(tenths / 600)}:${secondsFormat().format((tenths % 600) / 10)}`
    : countdownText(whole);
}

/** Says how long to wait: 42 sec, 3.5 min. */
export const waitText = (secs: number): string =>
  secs < 60 ? unitFormat('second').format(secs) : unitFormat('minute').format(secs / 60);
