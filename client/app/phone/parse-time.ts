import { durationText, secsPerCentiminute, secsPerHour, timeNotation } from '../text/format.ts';

const clockPattern = /^(?:(\d{1,7}):)?(\d{1,9}):(\d{1,2}(?:[.,]\d*)?)$/;

/** Reads m:ss, m:ss.s or h:mm:ss as seconds: '1:30' → 90. Returns NaN for other texts. */
export function parseClockTime(text: string): number {
  const [, hours, minutes = '', seconds = ''] = clockPattern.exec(text.trim()) ?? [];
  const [hrs, mins, secs] = [Number(hours ?? 0), Number(minutes), Number(seconds.replace(',', '.'))];
  const isInRange = minutes !== '' && secs < 60 && (hours === undefined || mins < 60);
  return isInRange ? (hrs * 60 + mins) * 60 + secs : Number.NaN;
}

const secsPerUnit: Readonly<Record<string, number>> = {
  cmin: secsPerCentiminute,
  /** Hundertstelminute, the German name of a centiminute. */
  hm: secsPerCentiminute,
  s: 1,
  sec: 1,
  sek: 1,
  min: 60,
  h: secsPerHour,
};
const amountPattern = /^(\d{1,10}(?:[.,]\d*)?|[.,]\d+)(\p{L}*)\.?$/u;

/**
 * Reads 1:30, 150 cmin, 1.5 min or 90 s as seconds. A number without a unit has the unit `defaultUnitSecs`: by default
 * a centiminute if the device shows centiminutes, otherwise none. Returns NaN for other texts.
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

/** Returns the length of the unit that the text names, such as 60 for '1.5 min'; undefined if it names none. */
export function namedUnitSecs(text: string): number | undefined {
  const [, , unit = ''] = amountPattern.exec(text.replace(/\s/g, '')) ?? [];
  return secsPerUnit[unit.toLowerCase()];
}

/** Returns the time that was read from the text, such as '= 1:30.0'; '' if there is none, or if the text says the same. */
export function readAsText(text: string, secs: number): string {
  const read = durationText(secs);
  if (text.trim() === '' || !(secs > 0) || read.replace(/[.,]0$/, '') === text.trim() || read === text) return '';
  return `= ${read}`;
}
