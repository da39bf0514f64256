/**
 * Pagination of lists: the limit, an opaque cursor that fits only the list it came from, and the link to the next page.
 */
import { Type } from 'typebox';
import { invalid } from '../../../shared/domain/outcome.ts';
import { Described } from '../../../shared/schema/fields.ts';
import { pageLimitDefault, pageLimitMax } from '../../../shared/schema/limits.ts';
import { successReply } from '../../core/reply.ts';
import { sha256 } from '../../core/hash.ts';
import type { RefusedReply, Reply } from '../route-reply.ts';

/** Unknown parameters are refused, since a filter with a typo must not return everything. */
export const listQuery = {
  limit: Described(
    Type.Optional(
      Type.Integer({ minimum: 1, maximum: pageLimitMax, expected: `an integer from 1 to ${pageLimitMax}` }),
    ),
    `How many records a page may have. Default: ${pageLimitDefault}.`,
  ),
  cursor: Described(
    Type.Optional(Type.String()),
    'Where the page begins: `next_cursor` of the page before. It belongs to this list with these filters.',
  ),
};

interface List {
  /** The path and the filters identify the list that a cursor belongs to. */
  path: string;
  filters: Record<string, string | boolean | undefined>;
  limit: number | undefined;
}

export const pageLimitOf = ({ limit }: { limit?: number }): number => limit ?? pageLimitDefault;

/** Encodes a position and a checksum of its list as opaque text. */
function pageCursor(list: List, position: string): string {
  return Buffer.from(`${position}.${listChecksum(list)}`).toString('base64url');
}

/**
 * Decodes the position in a cursor; without a cursor the list begins at its start. Anyone can forge a cursor, so
 * `isPosition` checks the position.
 */
export function readPageCursor(
  list: List,
  cursor: string | undefined,
  isPosition: (text: string) => boolean,
): { ok: true; position: string | undefined } | RefusedReply {
  if (cursor === undefined) return { ok: true, position: undefined };
  const [position, mark] = Buffer.from(cursor, 'base64url').toString().split('.');
  const isOurs =
    position !== undefined &&
    mark === listChecksum(list) &&
    pageCursor(list, position) === cursor &&
    isPosition(position);
  return isOurs ? { ok: true, position } : invalid([{ path: '/cursor', message: 'is not a cursor of this list' }]);
}

/**
 * `isNumber` and `isUuid` check a position in the form that the server writes: decimal digits, or a lower-case UUID.
 */
export const isNumber = (text: string): boolean => /^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(Number(text));
export const isUuid = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);

/** Returns a page of a list. `next` is the position at which the next page begins; null on the last page. */
export function pageReply(
  list: List,
  data: unknown[],
  next: string | null,
  headers: Record<string, string> = {},
): Reply {
  if (next === null) return successReply(200, { data, next_cursor: null }, headers);
  const next_cursor = pageCursor(list, next);
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(list.filters)) if (value !== undefined) query.set(name, String(value));
  if (list.limit !== undefined) query.set('limit', String(list.limit));
  query.set('cursor', next_cursor);
  return successReply(200, { data, next_cursor }, { ...headers, Link: `<${list.path}?${query}>; rel="next"` });
}

function listChecksum({ path, filters }: List): string {
  return sha256(JSON.stringify([path, Object.entries(filters)])).slice(0, 8);
}
