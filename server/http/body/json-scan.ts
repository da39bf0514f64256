/**
 * Finds JSON that only an attacker sends, before `JSON.parse` spends time and stack on it: deep nesting, too many
 * values, and too many different field names. A different field name costs as much as a hundred repeated names.
 */
import { randomInt } from 'node:crypto';
import { jsonDepthMax, jsonNamesMax, jsonValuesMax } from '../../../shared/schema/limits.ts';

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const space = 0x20;

/** A random seed keeps an attacker from choosing names whose hashes collide and count as one name. */
const seed = randomInt(2 ** 31);
const factor = randomInt(2 ** 30) * 2 + 1;
const bits = 2 ** 16;

/** Describes what exceeds its limit; returns undefined if nothing does. Brackets within strings do not count. */
export function describeExcess(json: Uint8Array): string | undefined {
  const names = new Uint8Array(bits);
  let nameCount = 0;
  let valueCount = 0;
  let levels = 0;
  let inString = false;
  /** The hash of the last string. */
  let hash = 0;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]!;
    if (inString) {
      if (byte === quote) inString = false;
      else {
        hash = Math.imul(hash ^ byte, factor);
        if (byte === backslash) hash = Math.imul(hash ^ json[++at]!, factor);
      }
    } else if (byte <= space) continue;
    else if (byte === quote) {
      inString = true;
      hash = seed;
    } else if (byte === colon) {
      const bit = (hash ^ (hash >>> 16)) & (bits - 1);
      nameCount += 1 - names[bit]!;
      names[bit] = 1;
      if (nameCount > jsonNamesMax) return `more than ${jsonNamesMax} different names of fields`;
    } else if (byte === comma) {
      if (++valueCount > jsonValuesMax) return `more than ${jsonValuesMax} values`;
    } else if (isOpening(byte)) {
      if (++valueCount > jsonValuesMax) return `more than ${jsonValuesMax} values`;
      if (++levels > jsonDepthMax) return `more than ${jsonDepthMax} levels`;
    } else if (isClosing(byte)) levels--;
  }
  return undefined;
}

const isOpening = (byte: number): boolean => byte === 0x5b || byte === 0x7b;
const isClosing = (byte: number): boolean => byte === 0x5d || byte === 0x7d;
