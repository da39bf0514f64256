/** Decodes the bytes of a file. An error names the line on which they are no UTF-8. */
import type { ImportError } from '../schema/integration/import-report.ts';

export function decodeFile(bytes: Uint8Array): { ok: true; text: string } | { ok: false; error: ImportError } {
  const text = decode(bytes);
  if (text !== undefined) return { ok: true, text };
  const message = 'is not UTF-8; in Excel, save the file as "CSV UTF-8"';
  return { ok: false, error: { line: firstUndecodableLine(bytes), column: null, message } };
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** No character of several bytes has the byte of a line feed, so each line can be decoded alone. */
function firstUndecodableLine(bytes: Uint8Array): number {
  let line = 1;
  for (let start = 0; start < bytes.length; line += 1) {
    const lineFeed = bytes.indexOf(lineFeedByte, start);
    const end = lineFeed === -1 ? bytes.length : lineFeed + 1;
    if (decode(bytes.subarray(start, end)) === undefined) break;
    start = end;
  }
  return line;
}

const lineFeedByte = 10;
