/**
 * Finds JSON that only an attacker sends: deep nesting, too many values or too many different field names. The scan
 * runs before `JSON.parse`, which takes a hundred times longer for a new field name than for a repeated name.
 */
import { randomInt } from 'node:crypto';
import { jsonDepthMax, jsonNamesMax, jsonValuesMax } from '../../../shared/schema/limits.ts';

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const space = 0x20;

/** The hash has a random seed, since an attacker who knew the seed could send many names with the same hash. */
const hashSeed = randomInt(2 ** 31);
const hashFactor = randomInt(2 ** 30) * 2 + 1;
const bucketCount = 2 ** 16;

/** Returns a description of the first limit that the JSON exceeds; undefined if it exceeds none. */
export function describeExceededLimit(json: Uint8Array): string | undefined {
  const usedBuckets: number[] = [];
  try {
    return scanJson(json, usedBuckets);
  } finally {
    for (const bucket of usedBuckets) isBucketUsed[bucket] = 0;
  }
}

/** All scans share this array, since a new array of 64 KiB would cost more than the scan of a small body. */
const isBucketUsed = new Uint8Array(bucketCount);

/**
 * Marks the buckets of the field names in `isBucketUsed`. Lists each marked bucket in `usedBuckets`, so that the caller
 * can reset the marks.
 */
function scanJson(json: Uint8Array, usedBuckets: number[]): string | undefined {
  let valueCount = 0;
  let depth = 0;
  let inString = false;
  /** The hash of the last string, which is a field name if a colon follows. */
  let hash = 0;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]!;
    if (inString) {
      if (byte === quote) inString = false;
      else {
        hash = Math.imul(hash ^ byte, hashFactor);
        if (byte === backslash) hash = Math.imul(hash ^ json[++at]!, hashFactor);
      }
    } else if (byte <= space) continue;
    else if (byte === quote) {
      inString = true;
      hash = hashSeed;
    } else if (byte === colon) {
      const bucket = (hash ^ (hash >>> 16)) & (bucketCount - 1);
      if (isBucketUsed[bucket] === 0) {
        isBucketUsed[bucket] = 1;
        usedBuckets.push(bucket);
      }
      if (usedBuckets.length > jsonNamesMax) return `more than ${jsonNamesMax} different names of fields`;
    } else if (byte === comma) {
      if (++valueCount > jsonValuesMax) return `more than ${jsonValuesMax} values`;
    } else if (isOpeningBracket(byte)) {
      if (++valueCount > jsonValuesMax) return `more than ${jsonValuesMax} values`;
      if (++depth > jsonDepthMax) return `more than ${jsonDepthMax} levels`;
    } else if (isClosingBracket(byte)) depth--;
  }
  return undefined;
}

const isOpeningBracket = (byte: number): boolean => byte === 0x5b || byte === 0x7b;
const isClosingBracket = (byte: number): boolean => byte === 0x5d || byte === 0x7d;
