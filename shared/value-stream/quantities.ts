/**
 * Formats times and percentages with the symbols of units, which are the same in each language. `Intl` is not used,
 * since a device and the server may have different versions of its rules, and would make different texts.
 */
import type { DrawingWords } from './words.ts';

type NumberWords = Pick<DrawingWords, 'decimalPoint' | 'percent'>;

/** Formats a time in hours, for example as 42.5 s, 12 min 40 s, 1 h 2 min or 1.5 d. */
export function timeText(hrs: number, words: NumberWords): string {
  const tenths = Math.round(hrs * secsPerHour * 10);
  if (tenths < secsPerMinute * 10) return withUnit(decimalText(tenths / 10, words), 's');
  const secs = Math.round(hrs * secsPerHour);
  if (secs < secsPerHour) return withTwoUnits(secs, secsPerMinute, ['min', 's']);
  const minutes = Math.round(secs / secsPerMinute);
  if (minutes < minutesPerDay) return withTwoUnits(minutes, minutesPerHour, ['h', 'min']);
  return withUnit(decimalText(secs / secsPerDay, words), 'd');
}

/** Formats a fraction, for example as 4.2%. A fraction above zero is never shown as zero. */
export function shareText(fraction: number, words: NumberWords): string {
  const tenths = Math.round(fraction * 1_000);
  const text = fraction > 0 && tenths === 0 ? `<\u00a0${decimalText(0.1, words)}` : decimalText(tenths / 10, words);
  return text + words.percent;
}

const secsPerMinute = 60;
const minutesPerHour = 60;
const secsPerHour = 3_600;
const minutesPerDay = 1_440;
const secsPerDay = 86_400;

function withTwoUnits(amount: number, perLarger: number, [larger, smaller]: [string, string]): string {
  const [whole, rest] = [Math.floor(amount / perLarger), amount % perLarger];
  return rest === 0
    ? withUnit(String(whole), larger)
    : `${withUnit(String(whole), larger)} ${withUnit(String(rest), smaller)}`;
}

const withUnit = (number: string, unit: string): string => `${number}\u00a0${unit}`;

const decimalText = (value: number, { decimalPoint }: NumberWords): string =>
  String(Math.round(value * 10) / 10).replace('.', decimalPoint);
