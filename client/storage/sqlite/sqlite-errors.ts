/**
 * Interprets the errors of SQLite for the engine. Libraries pass on the code of an error in different ways, but all of
 * them pass on SQLite's text (https://sqlite.org/rescode.html).
 */
import { GembaError, type DeviceErrorCode } from '../../core/errors.ts';

interface ErrorMeaning {
  text: RegExp;
  /** The code of the error with which opening the database rejects. */
  code: DeviceErrorCode;
  /** The advice to the person, as a sentence. */
  remedy: string;
  /** The name that storage-health.ts expects of the error, once the database is open. */
  name?: 'QuotaExceededError' | 'UnknownError';
}

const unusableMeaning = { code: 'storage_unusable', name: 'UnknownError' } as const;

const errorMeanings: ErrorMeaning[] = [
  {
    text: /database or disk is full/i,
    code: 'storage_full',
    remedy: 'Free some space.',
    name: 'QuotaExceededError',
  },
  {
    text: /database (?:\w+ )?is locked|gemba_in_use.* already exists/i,
    code: 'storage_in_use',
    remedy: 'Another engine has this file open: close it first.',
  },
  { text: /not a database/i, ...unusableMeaning, remedy: 'The file is no SQLite database: choose another path.' },
  {
    text: /malformed/i,
    ...unusableMeaning,
    remedy: 'The file is damaged: move it away and restore a copy of it, if there is one.',
  },
  {
    text: /disk i\/o error/i,
    ...unusableMeaning,
    remedy: 'The disk does not read or write the file, or the file is read-only.',
  },
  {
    text: /database (?:connection )?(?:is |was )?(?:not open|closed)/i,
    ...unusableMeaning,
    remedy: 'The connection was closed.',
  },
  { text: /readonly database/i, code: 'storage_unusable', remedy: 'The file or its folder is read-only.' },
  {
    text: /unable to open/i,
    code: 'storage_unusable',
    remedy: 'Its folder does not exist, or the file or its folder is read-only.',
  },
];

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
const meaningOf = (error: unknown): ErrorMeaning | undefined =>
  errorMeanings.find(({ text }) => text.test(textOf(error)));

/** Returns true if the error shows that another engine uses the same connection. */
export const isClaimedConnection = (error: unknown): boolean => textOf(error).includes('gemba_in_use');

/** Converts the error of an opening: the result says how a person can help. */
export function toOpeningError(error: unknown): Error {
  if (error instanceof GembaError) return error;
  const { code, remedy } = meaningOf(error) ?? { code: 'storage_unusable', remedy: '' };
  const detail = `The SQLite database cannot be used (${textOf(error)}). ${remedy}`.trim();
  return Object.assign(new GembaError({ code, detail }), { cause: error });
}

/** Gives the error of an open database the name by which storage-health.ts detects a full or unusable storage. */
export function toRunningError(error: unknown): unknown {
  const name = meaningOf(error)?.name;
  return name ? Object.assign(new Error(textOf(error), { cause: error }), { name }) : error;
}
