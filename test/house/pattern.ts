/** The output that a document shows, as a pattern: `…` stands for whatever differs from run to run. */

/** Whether the whole JSON fits. White space outside strings does not count. */
export function fitsJson(pattern: string, output: string): boolean {
  return new RegExp(`^${wildcards(squeezed(pattern), '.*')}$`, 's').test(squeezed(output));
}

/** Whether the whole text fits. `…` stays in its line; alone on a line it stands for any number of lines. */
export function fitsText(pattern: string, output: string): boolean {
  return new RegExp(`^${textRegExp(pattern)}$`).test(output.trim());
}

/** Whether such lines stand somewhere in the text. */
export function containsText(pattern: string, output: string): boolean {
  return new RegExp(`^${textRegExp(pattern)}$`, 'm').test(output);
}

function textRegExp(pattern: string): string {
  const lines = pattern.trim().split('\n');
  return lines.map((line) => (line.trim() === '…' ? '[^]*' : wildcards(line.trimEnd(), '.*'))).join('\\n');
}

const wildcards = (text: string, any: string) => text.split('…').map(escaped).join(any);

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

const squeezed = (json: string) => json.replace(/("(?:\\.|[^"\\])*")|\s+/g, '$1');
