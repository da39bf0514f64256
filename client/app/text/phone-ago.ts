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
