/**
 * Formats times and shares with the symbols of units, which mean the same in each language. `Intl` would make other texts on
 * a device than on the server, since each has its own version of the rules.
 */
import type { DrawingWords } from './words.ts';

type NumberWords = Pick<DrawingWords, 'decimalPoint' | 'percent'>;

/** 42.5 s, 12 min 40 s, 1 h 2 min, 1.5 d */
export function timeText(hrs: number, words: NumberWords): string {
  const tenths = Math.round(hrs * secsPerHour * 10);
  if (tenths < secsPerMinute * 10) return withUnit(decimalText(tenths / 10, words), 's');
  const secs = Math.round(hrs * secsPerHour);
  if (secs < secsPerHour) return twoUnits(secs, secsPerMinute, ['min', 's']);
  const minutes = Math.round(secs / secsPerMinute);
  if (minutes < minutesPerDay) return twoUnits(minutes, minutesPerHour, ['h', 'min']);
  return withUnit(decimalText(secs / secsPerDay, words), 'd');
}

/** 4.2%. A share that is not zero is not shown as zero. */
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

function twoUnits(amount: number, perLarger: number, [larger, smaller]: [string, string]): string {
  const [whole, rest] = [Math.floor(amount / perLarger), amount % perLarger];
  return rest === 0
    ? withUnit(String(whole), larger)
    : `${withUnit(String(whole), larger)} ${withUnit(String(rest), smaller)}`;
}

const withUnit = (number: string, unit: string): string => `${number}\u00a0${unit}`;

const decimalText = (value: number, { decimalPoint }: NumberWords): string =>
  String(Math.round(value * 10) / 10).replace('.', decimalPoint);
