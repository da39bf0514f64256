/**
 * A cursor is the position of a client's pull: the account's version up to which the client has all changes. The text
 * of a cursor is opaque to the client. During a first pull the client has no records to delete, so the pages leave out
 * deletions from before the pull. The cursors of these pages therefore contain the version at which the pull began.
 */
interface Cursor {
  version: number;
  /** The version when the first pull began. Present only between the pages of a first pull. */
  deletedAfter?: number;
}

export function formatCursor({ version, deletedAfter }: Cursor): string {
  const text = deletedAfter === undefined ? `${version}` : `${version}.${deletedAfter}`;
  return Buffer.from(text).toString('base64url');
}

/** Returns undefined for an invalid cursor. A pull with an empty cursor starts from the beginning. */
export function parseCursor(text: string): Cursor | undefined {
  if (text === '') return { version: 0 };
  const match = /^(\d{1,16})(?:\.(\d{1,16}))?$/.exec(Buffer.from(text, 'base64url').toString());
  if (!match) return undefined;
  const cursor = { version: Number(match[1]), ...(match[2] === undefined ? {} : { deletedAfter: Number(match[2]) }) };
  return Number.isSafeInteger(cursor.version) && formatCursor(cursor) === text ? cursor : undefined;
}
