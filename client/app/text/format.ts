/** Formats numbers, times and lengths of time in the languages of the device. */
const locales = knownLocales(typeof navigator === 'undefined' ? [] : navigator.languages);
const numberFormat = new Intl.NumberFormat(locales, { maximumFractionDigits: 1 });
const percentFormat = new Intl.NumberFormat(locales, { style: 'percent', maximumFractionDigits: 0 });
const timeFormat = new Intl.DateTimeFormat(locales, { dateStyle: 'medium', timeStyle: 'short' });
const agoFormat = new Intl.RelativeTimeFormat(locales, { numeric: 'auto' });
const pluralRules = new Intl.PluralRules('en');

/** Leaves out locale names that Intl rejects, such as en-US@posix, which some systems report. */
export function knownLocales(names: readonly string[]): string[] {
  return names.filter((name) => {
    try {
      return Intl.getCanonicalLocales(name).length > 0;
    } catch {
      return false;
    }
  });
}

export const numberText = (value: number): string => numberFormat.format(value);

/** Formats a fraction: 0.7 → 70%. */
export const percentText = (fraction: number): string => percentFormat.format(fraction);

export const dateTimeText = (iso: string): string => timeFormat.format(new Date(iso));

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

function unitFormats(unitDisplay: 'short' | 'narrow') {
  const unit = (name: 'second' | 'minute' | 'hour' | 'day') =>
    new Intl.NumberFormat(locales, { style: 'unit', unit: name, unitDisplay, maximumFractionDigits: 1 });
  return { second: unit('second'), minute: unit('minute'), hour: unit('hour'), day: unit('day') };
}
const [short, narrow] = [unitFormats('short'), unitFormats('narrow')];

/** Picks the largest unit that fits: 42 sec, 3.5 min, 2 hr, 1.5 days. */
export function durationText(secs: number, units = short): string {
  if (secs < 60) return units.second.format(secs);
  if (secs < 3_600) return units.minute.format(secs / 60);
  return secs < 86_400 ? units.hour.format(secs / 3_600) : units.day.format(secs / 86_400);
}

/** A duration for small spaces: 42s, 3.5m, 2h, 1.5d. */
export const narrowDurationText = (secs: number): string => durationText(secs, narrow);

/** Formats a time relative to now, such as "5 minutes ago". */
export function agoText(iso: string, nowMs: number): string {
  const secs = Math.min(0, Math.round((Date.parse(iso) - nowMs) / 1000));
  if (secs > -60) return agoFormat.format(secs, 'second');
  if (secs > -3_600) return agoFormat.format(Math.round(secs / 60), 'minute');
  return secs > -86_400
    ? agoFormat.format(Math.round(secs / 3_600), 'hour')
    : agoFormat.format(Math.round(secs / 86_400), 'day');
}
