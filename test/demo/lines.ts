/** The lines of a text file, each with its number. */
import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';

export interface Line {
  number: number;
  /** undefined if the bytes are no UTF-8, since replacement characters would be recorded as real text. */
  text: string | undefined;
}

/** The lines that are not blank. Rejects with a reason if there are none or the file cannot be read. */
export async function readLines(file: string): Promise<Line[]> {
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`cannot read ${file}: ${reasons[error.code ?? ''] ?? error.message}`, { cause: error });
  });
  const lines: Line[] = [];
  let start = 0;
  for (let number = 1; start < bytes.length; number += 1) {
    const newline = bytes.indexOf('\n', start);
    const end = newline === -1 ? bytes.length : newline;
    const text = decodeUtf8(bytes.subarray(start, end));
    if (text !== '') lines.push({ number, text });
    start = end + 1;
  }
  if (lines.length === 0) throw new Error(`${file} is empty`);
  return lines;
}

/** The path as a person would type it in this folder. */
export function displayPath(file: string): string {
  const fromHere = relative(process.cwd(), file);
  return fromHere.startsWith('..') ? file : fromHere;
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).trim();
  } catch {
    return undefined;
  }
}

const reasons: Record<string, string> = {
  ENOENT: 'there is no such file',
  EACCES: 'it may not be read',
  EISDIR: 'it is a folder',
};
