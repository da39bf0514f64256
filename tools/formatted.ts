/** Formats the text of a file as `npm run check` expects it. The name of the file decides on the language. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { format, type FormatConfig } from 'oxfmt';

const settingsFile = join(resolve(import.meta.dirname, '..'), '.oxfmtrc.json');

/** @throws If the text is not valid in the language of the file's name. */
export async function formatted(fileName: string, text: string): Promise<string> {
  const settings = JSON.parse(readFileSync(settingsFile, 'utf8')) as FormatConfig;
  const { code, errors } = await format(fileName, text, settings);
  if (errors.length > 0) throw new Error(`${fileName}: ${errors.map(({ message }) => message).join(' ')}`);
  return code;
}
