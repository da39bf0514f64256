/** Breaks a text into lines by an estimate of its width, since neither a server nor a worker can measure a font. */

interface TextBounds {
  /** The width of a line in units of the font size (em). */
  widthEm: number;
  linesMax: number;
}

/** Breaks the text into lines. If the text does not fit, the last line ends with an ellipsis. */
export function fitText(text: string, { widthEm, linesMax }: TextBounds): string[] {
  const lines: string[] = [];
  let rest = text.replace(spacePattern, ' ').trim();
  while (rest !== '' && lines.length < linesMax) {
    const line = firstLineOf(rest, widthEm);
    const isCut = lines.length === linesMax - 1 && line.length < rest.length;
    lines.push(
      isCut ? `${charactersWithin(rest, widthEm - widthEmOf(ellipsis)).trimEnd()}${ellipsis}` : line.trimEnd(),
    );
    rest = rest.slice(line.length).trimStart();
  }
  return lines;
}

export const widthEmOf = (text: string): number =>
  (text.match(characterPattern) ?? []).reduce((sum, one) => sum + characterWidthEm(one), 0);

const ellipsis = '…';
/** Matches white space and control characters. A viewer would draw a control character as a box, or not at all. */
const spacePattern = /[\s\p{Cc}]+/gu;
const markPattern = '[\\p{M}\\u200c\\ufe0f\\u{1f3fb}-\\u{1f3ff}\\u{e0020}-\\u{e007f}]*';
/** Matches what a reader sees as one character: a flag, an emoji of several code points, or a letter with its marks. */
const characterPattern = new RegExp(`[\\u{1f1e6}-\\u{1f1ff}]{2}|[^]${markPattern}(?:\\u200d[^]${markPattern})*`, 'gu');

/** Returns the first line of the text. The line ends after a word, unless the first word alone is too long. */
function firstLineOf(text: string, widthEm: number): string {
  const fitting = charactersWithin(text, widthEm);
  if (fitting.length === text.length || text[fitting.length] === ' ') return fitting;
  const lastSpace = fitting.lastIndexOf(' ');
  return lastSpace > 0 ? fitting.slice(0, lastSpace + 1) : fitting;
}

/** Returns as much of the text as fits, but at least one character, so that `fitText` always comes to an end. */
function charactersWithin(text: string, widthEm: number): string {
  let [length, width] = [0, 0];
  for (const one of text.match(characterPattern) ?? []) {
    width += characterWidthEm(one);
    if (width > widthEm && length > 0) break;
    length += one.length;
  }
  return text.slice(0, length);
}

/**
 * Estimates the width of a character in em. Assumes bold letters of a wide font, since a viewer may lack narrow fonts.
 */
function characterWidthEm(one: string): number {
  const code = one.codePointAt(0)!;
  if (code >= firstWideCode) return isWide(code) ? 1.2 : 0.7;
  if (/[ilj.,:;'|!ftIr()[\]/\- ]/.test(one)) return 0.42;
  if (/[mwMW@%&]/.test(one)) return 1.1;
  return /[A-Z]/.test(one) ? 0.8 : 0.68;
}

const firstWideCode = 0x1100;
const isWide = (code: number): boolean =>
  code < 0x1200 || (code >= 0x2e80 && code < 0xd7b0) || (code >= 0xf900 && code < 0xfb00) || code >= 0xfe30;
