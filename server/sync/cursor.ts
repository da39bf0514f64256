/**
 * A cursor is the position of a client's pull: the account's version up to which the client has all changes. The text
 * of a cursor is opaque to the client. A pull from an empty cursor replaces all records of the client, so its pages leave
 * out deletions from before the pull. The cursors of these pages therefore contain the version at which the pull began.
 *
 *   version                                             after a pull
 *   version.began                                       between the pages of a first pull
 *   version.began.missing.start                         between the pages of maps of a first pull with a scope
 *   version.began.missing.start.before                  between the pages of runs of a first pull with a scope
 *   version.began.missing                               between the later pages of a first pull with a scope
 */
import { positionAfterAllRuns, type RunPosition } from '../store/queries.ts';

export interface Cursor {
  /**
   * The client has all changes up to this version. In a first pull with a scope, this is the version of the last sent
   * map. After the last map, it equals `began`.
   */
  version: number;
  /** The version when the first pull began. Present only between the pages of a first pull. */
  began?: number;
  /** Present only between the pages of a first pull with a scope. */
  scoped?: ScopedPull;
}

export interface ScopedPull {
  /**
   * The number of runs of the sent maps, minus the number of the sent runs. If it is above 0 at the end of the pull,
   * some runs are outside of the scope.
   */
  missing: number;
  /** The oldest run that the scope may have; absent when all runs of the scope were sent. */
  start?: RunPosition;
  /** The last run that was sent, or the end of all runs; absent until all maps were sent. */
  before?: RunPosition;
}

export function formatCursor({ version, began, scoped }: Cursor): string {
  const parts: (number | string)[] = [version, ...(began === undefined ? [] : [began])];
  if (scoped) {
    parts.push(scoped.missing);
    for (const position of [scoped.start, scoped.before]) if (position) parts.push(formatPosition(position));
  }
  return Buffer.from(parts.join('.')).toString('base64url');
}

const formatPosition = ({ createdMs, id }: RunPosition): string => `${createdMs}-${id}`;

const cursorPattern =
  /^(\d{1,16})(?:\.(\d{1,16})(?:\.(-?\d{1,15})(?:\.(\d{1,15}-\d{1,16})(?:\.(\d{1,15}-\d{1,16}))?)?)?)?$/;

/** Returns undefined for an invalid cursor. A pull with an empty cursor starts from the beginning. */
export function parseCursor(text: string): Cursor | undefined {
  if (text === '') return { version: 0 };
  const match = cursorPattern.exec(Buffer.from(text, 'base64url').toString());
  if (!match) return undefined;
  const [, version, began, missing, start, before] = match;
  const cursor: Cursor = {
    version: Number(version),
    ...(began === undefined ? {} : { began: Number(began) }),
    ...(missing === undefined
      ? {}
      : {
          scoped: {
            missing: Number(missing),
            ...(start === undefined ? {} : { start: parsePosition(start) }),
            ...(before === undefined ? {} : { before: parsePosition(before) }),
          },
        }),
  };
  const isSafe = [start, before].every((position) => position === undefined || isSafePosition(parsePosition(position)));
  return Number.isSafeInteger(cursor.version) && isSafe && formatCursor(cursor) === text ? cursor : undefined;
}

function parsePosition(text: string): RunPosition {
  const [createdMs, id] = text.split('-').map(Number);
  return { createdMs: createdMs ?? 0, id: id ?? 0 };
}

const isSafePosition = ({ createdMs, id }: RunPosition): boolean =>
  createdMs <= positionAfterAllRuns.createdMs && Number.isSafeInteger(id);
