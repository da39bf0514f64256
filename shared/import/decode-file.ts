/** Decodes a file as UTF-8. An error names the first line that is not UTF-8. */

export function decodeFile(bytes: Uint8Array): { ok: true; text: string } | { ok: false; line: number } {
  const text = decode(bytes);
  if (text !== undefined) return { ok: true, text };
  return { ok: false, line: firstUndecodableLine(bytes) };
}

/** Decodes bytes. If `isPrefix` is true, the last character may be incomplete. */
function decode(bytes: Uint8Array, isPrefix = false): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isPrefix });
  } catch {
    return undefined;
  }
}

/** Finds the shortest undecodable prefix by binary search, since decoding line by line would take seconds. */
function firstUndecodableLine(bytes: Uint8Array): number {
  let [right, wrong] = [0, bytes.length];
  while (wrong - right > 1) {
    const middle = Math.floor((right + wrong) / 2);
    if (decode(bytes.subarray(0, middle), true) === undefined) wrong = middle;
    else right = middle;
  }
  return 1 + bytes.subarray(0, wrong - 1).reduce((count, byte) => count + Number(byte === lineFeedByte), 0);
}

const lineFeedByte = 10;
