import { durationText, secsPerCentiminute, secsPerHour, timeNotation } from '../text/format.ts';

const clockPattern = /^(?:(\d{1,7}):)?(\d{1,9}):(\d{1,2}(?:[.,]\d*)?)$/;

/** Parses m:ss, m:ss.s or h:mm:ss, and returns seconds: '1:30' → 90. Returns NaN for any other text. */
export function parseClockTime(text: string): number {
  const [, hours, minutes = '', seconds = ''] = clockPattern.exec(text.trim()) ?? [];
  const [hrs, mins, secs] = [Number(hours ?? 0), Number(minutes), Number(seconds.replace(',', '.'))];
  const isInRange = minutes !== '' && secs < 60 && (hours === undefined || mins < 60);
  return isInRange ? (hrs * 60 + mins) * 60 + secs : Number.NaN;
}

const secsPerUnit: Readonly<Record<string, number>> = {
  cmin: secsPerCentiminute,
  /** Germans write HM, for Hundertstelminute: a hundredth of a minute. */
  hm: secsPerCentiminute,
  s: 1,
  sec: 1,
  sek: 1,
  min: 60,
  h: secsPerHour,
};
const amountPattern = /^(\d{1,10}(?:[.,]\d*)?|[.,]\d+)(\p{L}*)\.?$/u;

/**
 * Parses 1:30, 150 cmin, 1.5 min or 90 s, and returns seconds; NaN for any other text. A number without a unit counts
 * units of `defaultUnitSecs`. The default is the centiminute if the device shows centiminutes; otherwise a number
 * without a unit is no time.
 */
export function parseTime(
  text: string,
  defaultUnitSecs = timeNotation() === 'centiminute' ? secsPerCentiminute : Number.NaN,
): number {
  if (text.includes(':')) return parseClockTime(text);
  const [, amount, unit = ''] = amountPattern.exec(text.replace(/\s/g, '')) ?? [];
  if (amount === undefined) return Number.NaN;
  const unitSecs = unit === '' ? defaultUnitSecs : (secsPerUnit[unit.toLowerCase()] ?? Number.NaN);
  return Number(amount.replace(',', '.')) * unitSecs;
}

/** Returns the length in seconds of the unit in the text, such as 60 for '1.5 min'; undefined without a unit. */
export function namedUnitSecs(text: string): number | undefined {
  const [, , unit = ''] = amountPattern.exec(text.replace(/\s/g, '')) ?? [];
  return secsPerUnit[unit.toLowerCase()];
}

/**
 * Says how the app understood a typed time: '90 s' → '= 1:30.0'. Returns '' if the person typed the text that the app
 * would show, with or without its last '.0', or typed no time.
 */
export function understoodTimeText(text: string, secs: number): string {
  const read = durationText(secs);
  if (text.trim() === '' || !(secs > 0) || read.replace(/[.,]0$/, '') === text.trim() || read === text) return '';
  return `= ${read}`;
}
