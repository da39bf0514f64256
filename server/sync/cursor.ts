/**
 * How far a client's pulls got: a version of the account, opaque to the client. The cursors inside a first walk also tell
 * at which version it began, so that its later pages too leave out what was gone before.
 */
interface Cursor {
  version: number;
  /** Only within a first walk. */
  deletedAfter?: number;
}

export function cursorText({ version, deletedAfter }: Cursor): string {
  const text = deletedAfter === undefined ? `${version}` : `${version}.${deletedAfter}`;
  return Buffer.from(text).toString('base64url');
}

/** No text is the start; undefined when the text is no cursor of ours. */
export function readCursor(text: string): Cursor | undefined {
  if (text === '') return { version: 0 };
  const match = /^(\d{1,16})(?:\.(\d{1,16}))?$/.exec(Buffer.from(text, 'base64url').toString());
  if (!match) return undefined;
  const cursor = { version: Number(match[1]), ...(match[2] === undefined ? {} : { deletedAfter: Number(match[2]) }) };
  return Number.isSafeInteger(cursor.version) && cursorText(cursor) === text ? cursor : undefined;
}
