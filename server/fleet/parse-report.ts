/**
 * Parses the header `Gemba-Device`. A bad report must not stop a sync, so nothing is refused. Unknown members are
 * ignored, and a member of the wrong type counts as absent. A header without `pending`, or that is no dictionary, is no
 * report.
 */
import { parseDictionary, Token, type BareItem, type Dictionary } from 'structured-headers';

/** The report that a header holds. Absent members are null, but `attention` is then 0. */
export interface ParsedReport {
  pending: number;
  oldestSecs: number | null;
  attention: number;
  battery: number | null;
  storage_free: number | null;
  second_copy: 'kept' | 'behind' | 'none' | null;
  app_version: string | null;
  platform: 'web' | 'node' | 'native' | null;
}

/** Limits the parsing of a hostile header. The report of an app has about 120 characters. */
const headerLengthMax = 1_000;
const countMax = 1_000_000_000;
/** Ten years. Older work exists only on a device with a wrong clock. */
const oldestSecsMax = 10 * 365 * 86_400;
const versionPattern = /^[0-9A-Za-z.+-]{1,32}$/;

export function parseReport(header: string | undefined): ParsedReport | undefined {
  const members = header === undefined || header.length > headerLengthMax ? undefined : tryParseDictionary(header);
  const pending = members && readCount(members, 'pending', countMax);
  if (!members || pending === undefined || pending === null) return undefined;
  return {
    pending,
    oldestSecs: pending === 0 ? null : readCount(members, 'oldest', oldestSecsMax),
    attention: readCount(members, 'attention', countMax) ?? 0,
    battery: readShare(members, 'battery'),
    storage_free: readShare(members, 'storage'),
    second_copy: readToken(members, 'second_copy', ['kept', 'behind', 'none']),
    app_version: readAppVersion(members),
    platform: readToken(members, 'platform', ['web', 'node', 'native']),
  };
}

function tryParseDictionary(header: string): Dictionary | undefined {
  try {
    return parseDictionary(header);
  } catch {
    return undefined;
  }
}

function readBareItem(members: Dictionary, name: string): BareItem | undefined {
  const bare = members.get(name)?.[0];
  return Array.isArray(bare) ? undefined : bare;
}

function readCount(members: Dictionary, name: string, max: number): number | null {
  const found = readBareItem(members, name);
  return typeof found === 'number' && Number.isInteger(found) && found >= 0 ? Math.min(found, max) : null;
}

function readShare(members: Dictionary, name: string): number | null {
  const found = readBareItem(members, name);
  return typeof found === 'number' && found >= 0 && found <= 1 ? Math.round(found * 10) / 10 : null;
}

function readToken<Name extends string>(members: Dictionary, name: string, names: readonly Name[]): Name | null {
  const found = readBareItem(members, name);
  const text = found instanceof Token ? found.toString() : undefined;
  return names.find((each) => each === text) ?? null;
}

function readAppVersion(members: Dictionary): string | null {
  const found = readBareItem(members, 'app');
  return typeof found === 'string' && versionPattern.test(found) ? found : null;
}
