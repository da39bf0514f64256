/**
 * A cursor is a position in an account's events: the version up to which the caller has read them. A cursor also has
 * the first characters of the store's epoch. If the store has another epoch now, a restore has undone changes whose
 * events the caller may have read. The text of a cursor is opaque to the caller.
 */

export interface EventCursor {
  version: number;
  /** The first characters of the store's epoch. */
  epochPrefix: string;
}

const epochPrefixLength = 8;

export const epochPrefixOf = (epoch: string): string => epoch.slice(0, epochPrefixLength);

export const formatEventCursor = ({ version, epochPrefix }: EventCursor): string =>
  Buffer.from(`${version}.${epochPrefix}`).toString('base64url');

/** Returns undefined for a text that is no cursor. */
export function parseEventCursor(text: string): EventCursor | undefined {
  const match = /^(\d{1,16})\.([0-9a-f]{8})$/.exec(Buffer.from(text, 'base64url').toString());
  if (!match) return undefined;
  const [, version, epochPrefix = ''] = match;
  const cursor = { version: Number(version), epochPrefix };
  return Number.isSafeInteger(cursor.version) && formatEventCursor(cursor) === text ? cursor : undefined;
}

const idPrefix = 'evt_';
const uuidBytes = 16;
const versionBytes = 8;

/** Makes the id of an event from its account and version, since an account gives each version to one event. */
export function eventIdOf(accountId: string, version: number): string {
  const bytes = Buffer.alloc(uuidBytes + versionBytes);
  bytes.write(accountId.replaceAll('-', ''), 'hex');
  bytes.writeBigUInt64BE(BigInt(version), uuidBytes);
  return idPrefix + bytes.toString('base64url');
}

/** Returns the version of an event by its id; undefined for a text that is no id of an event of this account. */
export function versionOfEvent(accountId: string, id: string): number | undefined {
  const bytes = id.startsWith(idPrefix) ? Buffer.from(id.slice(idPrefix.length), 'base64url') : Buffer.alloc(0);
  if (bytes.length !== uuidBytes + versionBytes) return undefined;
  const version = Number(bytes.readBigUInt64BE(uuidBytes));
  return Number.isSafeInteger(version) && eventIdOf(accountId, version) === id ? version : undefined;
}
