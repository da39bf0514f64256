/**
 * Puts an apostrophe before texts that spreadsheets would run as formulas, and removes the apostrophe again. If
 * apostrophes already stand before a formula, the text gets one more, so that `unguardFormulas` removes exactly the
 * added apostrophe.
 */

/**
 * Matches the start of a text that spreadsheets run as a formula, with the blanks and apostrophes before it. Some
 * spreadsheets accept full-width signs, too.
 */
const formulaStart = String.raw`'*(?:[\t\r\n]|[\s"]*[=+\-@＝＋－＠])`;
/**
 * Matches a formula inside a text. If semicolons separate the cells, a cell starts after each semicolon and line break,
 * even within quotes that begin in the middle of a line (https://github.com/OWASP/www-community/issues/443).
 */
const innerFormulaStart = String.raw`'*[ \u00a0"]*[=+\-@＝＋－＠]`;

const unguardedStartPattern = new RegExp(`^(?=${formulaStart})`);
const unguardedInnerPattern = new RegExp(`([;\\t\\r\\n])(?=${innerFormulaStart})`, 'g');
const guardedStartPattern = new RegExp(`^'(?=${formulaStart})`);
const guardedInnerPattern = new RegExp(`([;\\t\\r\\n])'(?=${innerFormulaStart})`, 'g');

/**
 * Adds the apostrophes. The test for a formula at the start reads `text` before inner apostrophes are added. After
 * leading blanks, an inner apostrophe would hide a formula from the test.
 */
export const guardFormulas = (text: string): string =>
  (unguardedStartPattern.test(text) ? "'" : '') + text.replace(unguardedInnerPattern, "$1'");

/** Removes the apostrophes that `guardFormulas` added. */
export const unguardFormulas = (text: string): string =>
  text.replace(guardedInnerPattern, '$1').replace(guardedStartPattern, '');
