/**
 * Puts an apostrophe before texts that spreadsheets would run as formulas, and removes it again. A text that already
 * has apostrophes before a formula gets one more, so that `unguardFormulas` removes exactly the added one.
 */

/**
 * Matches the start of a text that spreadsheets run as a formula, after blanks and existing apostrophes. Some accept
 * full-width signs, too.
 */
const start = String.raw`'*(?:[\t\r\n]|[\s"]*[=+\-@＝＋－＠])`;
/**
 * Matches a formula inside a text. A spreadsheet with semicolons as separators ignores quotes in mid-line, and starts a
 * cell after each semicolon and line break (https://github.com/OWASP/www-community/issues/443).
 */
const innerStart = String.raw`'*[ \u00a0"]*[=+\-@＝＋－＠]`;

const unguardedStart = new RegExp(`^(?=${start})`);
const unguardedInner = new RegExp(`([;\\t\\r\\n])(?=${innerStart})`, 'g');
const guardedStart = new RegExp(`^'(?=${start})`);
const guardedInner = new RegExp(`([;\\t\\r\\n])'(?=${innerStart})`, 'g');

/** Adds the apostrophes. The start is tested first, since an inner apostrophe after leading blanks would hide it. */
export const guardFormulas = (text: string): string =>
  (unguardedStart.test(text) ? "'" : '') + text.replace(unguardedInner, "$1'");

/** Removes the apostrophes that `guardFormulas` added. */
export const unguardFormulas = (text: string): string => text.replace(guardedInner, '$1').replace(guardedStart, '');
