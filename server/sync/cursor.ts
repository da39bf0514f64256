/**
 * The position of a client's pull: a version of the account, opaque to the client. The cursors of a first pull, which starts
 * without records, also hold the version at which that pull began, so that its later pages leave out earlier deletions.
 */
interface Cursor {
  version: number;
  /** Present between the pages of a first pull. */
  deletedAfter?: number;
}

export function cursorText({ version, deletedAfter }: Cursor): string {
  const text = deletedAfter === undefined ? `${version}` : `${version}.${deletedAfter}`;
  return Buffer.from(text).toString('base64url');
}

/** Returns undefined for an invalid cursor. An empty text is the cursor of the start. */
export function readCursor(text: string): Cursor | undefined {
  if (text === '') return { version: 0 };
  const match = /^(\d{1,16})(?:\.(\d{1,16}))?$/.exec(Buffer.from(text, 'base64url').toString());
  if (!match) return undefined;
  const cursor = { version: Number(match[1]), ...(match[2] === undefined ? {} : { deletedAfter: Number(match[2]) }) };
  return Number.isSafeInteger(cursor.version) && cursorText(cursor) === text ? cursor : undefined;
}
