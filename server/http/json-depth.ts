/** Finds nesting that only an attacker sends, before `JSON.parse` takes its time and stack for it. */

const quote = 0x22;
const backslash = 0x5c;

/** Whether arrays and objects in this JSON nest deeper than so many levels. Brackets within strings are text. */
export function nestsDeeper(json: Uint8Array, levelsMax: number): boolean {
  let levels = 0;
  let inString = false;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at];
    if (inString) {
      if (byte === backslash) at++;
      else if (byte === quote) inString = false;
    } else if (byte === quote) inString = true;
    else if (isOpening(byte) && ++levels > levelsMax) return true;
    else if (isClosing(byte)) levels--;
  }
  return false;
}

const isOpening = (byte: number | undefined): boolean => byte === 0x5b || byte === 0x7b;
const isClosing = (byte: number | undefined): boolean => byte === 0x5d || byte === 0x7d;
