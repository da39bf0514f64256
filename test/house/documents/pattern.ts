/**
 * The output in a document, as a pattern. Parts that differ from run to run match by their shape:
 *
 *     …                           anything: in JSON a value, the other fields or elements, the rest of a string;
 *                                 in text the rest of a line, or alone on a line any number of lines
 *     an id, a time, a code       any other id, time or code; the same one wherever the document repeats it
 */

/** The value in this run of each id, time and code of the document. */
export type Bindings = Map<string, string>;

export type Language = 'json' | 'text' | 'http';

export interface ShownOutput {
  language: Language;
  pattern: string;
}

/** Whether the whole output fits. The body in the output of `curl -i` may be JSON. */
export function outputFits({ language, pattern }: ShownOutput, output: string, bound: Bindings = new Map()): boolean {
  if (language === 'json') return fitsJson(pattern, output, bound);
  if (language === 'text') return fitsText(pattern, output, bound);
  const [head, body] = splitMessage(pattern);
  const [headOut, bodyOut] = splitMessage(output.replaceAll('\r', ''));
  return fitsText(head, headOut, bound) && (/^[{[]/.test(body) ? fitsJson : fitsText)(body, bodyOut, bound);
}

/** White space outside strings does not count; the order of fields does. */
export function fitsJson(pattern: string, output: string, bound: Bindings = new Map()): boolean {
  const shown: unknown = JSON.parse(withoutDots(pattern));
  try {
    return fitsValue(shown, JSON.parse(output), bound);
  } catch {
    return false;
  }
}

export function fitsText(pattern: string, output: string, bound: Bindings = new Map()): boolean {
  return fitsRegExp(new RegExp(`^${textRegExp(pattern)}$`), pattern, output.trim(), bound);
}

/** Whether the lines of the pattern appear somewhere in the text. */
export function containsText(pattern: string, output: string): boolean {
  return new RegExp(`^${textRegExp(pattern)}$`, 'm').test(output);
}

/** Binds the ids, times and codes in the commands to themselves, since these are the same in every run. */
export function bindingsOf(commands: string): Bindings {
  return new Map(Array.from(commands.matchAll(varying), ([found]) => [found, found]));
}

const shapes = {
  uuid: '(?<![0-9a-f-])[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}(?![0-9a-f])',
  instant: '(?<!\\d)\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z',
  pairingCode: '(?<![0-9A-Z-])[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}(?![0-9A-Z-])',
};
const varying = new RegExp(Object.values(shapes).join('|'), 'g');

/** These characters stand for a bare … in parsed JSON; no document contains them. */
const anyValue = '\uE000';
const rest = '\uE001';

/** Makes valid JSON: each … outside a string becomes a value, a field or an element. */
function withoutDots(pattern: string): string {
  return pattern.replace(/("(?:\\.|[^"\\])*")|…/g, (token, string: string | undefined, at: number) => {
    if (string) return token;
    const before = pattern.slice(0, at);
    if (/(^|:)\s*$/.test(before)) return `"${anyValue}"`;
    return inObject(before) ? `"${rest}":0` : `"${rest}"`;
  });
}

function inObject(before: string): boolean {
  const open: string[] = [];
  for (const [bracket] of before.replace(/"(?:\\.|[^"\\])*"/g, '').matchAll(/[[\]{}]/g)) {
    if (bracket === '{' || bracket === '[') open.push(bracket);
    else open.pop();
  }
  return open.at(-1) === '{';
}

function fitsValue(shown: unknown, value: unknown, bound: Bindings): boolean {
  if (shown === anyValue) return true;
  if (typeof shown === 'string') {
    if (typeof value !== 'string') return false;
    return fitsRegExp(new RegExp(`^${wildcards(shown, '[^]*')}$`), shown, value, bound);
  }
  if (Array.isArray(shown)) return Array.isArray(value) && fitsElements(shown, value, bound);
  if (isObject(shown)) return isObject(value) && fitsFields(shown, value, bound);
  return shown === value;
}

function fitsElements(shown: unknown[], values: unknown[], bound: Bindings): boolean {
  const gap = shown.indexOf(rest);
  if (gap === -1 && shown.length !== values.length) return false;
  if (shown.length - 1 > values.length) return false;
  const from = values.length - shown.length;
  return shown.every((one, i) => one === rest || fitsValue(one, values[gap !== -1 && i > gap ? from + i : i], bound));
}

function fitsFields(shown: Fields, value: Fields, bound: Bindings): boolean {
  const wanted = Object.keys(shown).filter((name) => name !== rest);
  const names = Object.keys(value).filter((name) => !(rest in shown) || wanted.includes(name));
  if (names.join() !== wanted.join()) return false;
  return wanted.every((name) => fitsValue(shown[name], value[name], bound));
}

type Fields = Record<string, unknown>;
const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Requires that `expression` has one group for each varying part of the pattern, in the same order. */
function fitsRegExp(expression: RegExp, pattern: string, output: string, bound: Bindings): boolean {
  const found = expression.exec(output);
  if (!found) return false;
  return Array.from(pattern.matchAll(varying)).every(([shown], index) => {
    const here = found[index + 1] ?? '';
    const before = bound.get(shown);
    bound.set(shown, before ?? here);
    return before === undefined || before === here;
  });
}

function textRegExp(pattern: string): string {
  const lines = pattern.trim().split('\n');
  return lines.map((line) => (line.trim() === '…' ? '[^]*' : wildcards(line.trimEnd(), '.*'))).join('\\n');
}

function wildcards(text: string, any: string): string {
  const parts = text.split(new RegExp(`(…|${varying.source})`));
  return parts.map((part, index) => (index % 2 === 0 ? escaped(part) : part === '…' ? any : shapeOf(part))).join('');
}

const shapeOf = (part: string) => `(${Object.values(shapes).find((shape) => new RegExp(`^${shape}$`).test(part))})`;

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/** Splits the message at its first empty line. */
function splitMessage(message: string): [head: string, body: string] {
  const at = message.search(/\n\s*\n/);
  return at === -1 ? [message, ''] : [message.slice(0, at), message.slice(at).trim()];
}
