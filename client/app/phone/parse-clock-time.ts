const clockPattern = /^(?:(\d{1,7}):)?(\d{1,9}):(\d{1,2}(?:[.,]\d*)?)$/;

/** Reads m:ss, m:ss.s or h:mm:ss as seconds: '1:30' → 90. Returns NaN for other texts. */
export function parseClockTime(text: string): number {
  const [, hours, minutes = '', seconds = ''] = clockPattern.exec(text.trim()) ?? [];
  const [hrs, mins, secs] = [Number(hours ?? 0), Number(minutes), Number(seconds.replace(',', '.'))];
  const isInRange = minutes !== '' && secs < 60 && (hours === undefined || mins < 60);
  return isInRange ? (hrs * 60 + mins) * 60 + secs : Number.NaN;
}
