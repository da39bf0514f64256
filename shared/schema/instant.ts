const rfc3339 = /^(\d{4})-(\d{2})-(\d{2})T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

/**
 * Checks the string format `instant`: an RFC 3339 time of an existing day, from year 0000 to 9999 in UTC. Each such
 * time has a 24-character form by `toISOString()`. Leap seconds are refused, since ECMAScript cannot represent them.
 */
export function isInstant(text: string): boolean {
  const match = rfc3339.exec(text);
  if (!match) return false;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return false;
  const instant = new Date(text);
  // A time zone offset may move the first and last hours outside the years 0000 to 9999.
  return !Number.isNaN(instant.getTime()) && instant.toISOString().length === 24;
}

/** Computes the length of a month. `Date.UTC` would be wrong for the years 0 to 99, which it maps to 1900 to 1999. */
function daysInMonth(year: number, month: number): number {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]!;
}
