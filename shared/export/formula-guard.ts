/**
 * Puts an apostrophe before texts that spreadsheets would run as formulas, and removes it again. A text that already
 * has apostrophes before a formula gets one more, so that `unguardFormulas` removes exactly the added one.
 */

/**
 * Matches the start of a text that spreadsheets run as a formula, with the blanks and apostrophes before it. Some
 * spreadsheets accept full-width signs, too.
 */
const formulaStart = String.raw`'*(?:[\t\r\n]|[\s"]*[=+\-@＝＋－＠])`;
/**
 * Matches a formula inside a text. A spreadsheet that separates cells by semicolons starts a cell after each semicolon
 * and line break, even between quotes in mid-line (https://github.com/OWASP/www-community/issues/443).
 */
const innerFormulaStart = String.raw`'*[ \u00a0"]*[=+\-@＝＋－＠]`;

const unguardedStartPattern = new RegExp(`^(?=${formulaStart})`);
const unguardedInnerPattern = new RegExp(`([;\\t\\r\\n])(?=${innerFormulaStart})`, 'g');
const guardedStartPattern = new RegExp(`^'(?=${formulaStart})`);
const guardedInnerPattern = new RegExp(`([;\\t\\r\\n])'(?=${innerFormulaStart})`, 'g');

/** Adds the apostrophes. Tests the given text, since an inner apostrophe after leading blanks would hide a formula. */
export const guardFormulas = (text: string): string =>
  (unguardedStartPattern.test(text) ? "'" : '') + text.replace(unguardedInnerPattern, "$1'");

/** Removes the apostrophes that `guardFormulas` added. */
export const unguardFormulas = (text: string): string =>
  text.replace(guardedInnerPattern, '$1').replace(guardedStartPattern, '');
