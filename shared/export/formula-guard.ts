/**
 * Keeps spreadsheets from running a text as a formula, by an apostrophe. Apostrophes before a formula count, so that
 * `unguarded` can take off the added ones. A number is never text here.
 */

/** Spreadsheets run a text that begins so, some its full-width forms, too, and skip blanks. */
const start = String.raw`'*(?:[\t\r\n]|[\s"]*[=+\-@＝＋－＠])`;
/**
 * A spreadsheet whose list separator is a semicolon sees no quotes in the middle of a line, so that a cell begins behind
 * each semicolon and each line break of a text (https://github.com/OWASP/www-community/issues/443).
 */
const innerStart = String.raw`'*[ \u00a0"]*[=+\-@＝＋－＠]`;

const unguardedStart = new RegExp(`^(?=${start})`);
const unguardedInner = new RegExp(`([;\\t\\r\\n])(?=${innerStart})`, 'g');
const guardedStart = new RegExp(`^'(?=${start})`);
const guardedInner = new RegExp(`([;\\t\\r\\n])'(?=${innerStart})`, 'g');

/** The start is looked for before the inner apostrophes come, since one among blanks would hide it. */
export const guarded = (text: string): string =>
  (unguardedStart.test(text) ? "'" : '') + text.replace(unguardedInner, "$1'");

/** Takes off what `guarded` added. */
export const unguarded = (text: string): string => text.replace(guardedInner, '$1').replace(guardedStart, '');
