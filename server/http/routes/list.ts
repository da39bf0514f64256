/** Divides lists into pages. A page contains a cursor for the next page and a link to the next page. */
import { Type } from 'typebox';
import { validationRefusal } from '../../../shared/domain/outcome.ts';
import { Described } from '../../../shared/schema/fields.ts';
import { pageLimitDefault, pageLimitMax } from '../../../shared/schema/limits.ts';
import { successReply } from '../../core/reply.ts';
import { sha256 } from '../../core/hash.ts';
import type { RefusedReply, Reply } from '../route-reply.ts';

export const pageQueryFields = {
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

interface PagedList {
  path: string;
  /** The filters of the list. A cursor is valid only with the path and the filters of the page that contained it. */
  filters: Record<string, string | boolean | undefined>;
  limit: number | undefined;
}

export const pageLimitOf = ({ limit }: { limit?: number }): number => limit ?? pageLimitDefault;

/** Adds a hash of the path and the filters, so that the cursor is refused for any other list. */
function formatPageCursor(list: PagedList, position: string): string {
  return Buffer.from(`${position}.${hashOfPathAndFilters(list)}`).toString('base64url');
}

/**
 * Returns the position at which the page begins; undefined for the first page. Anyone can forge a cursor, so
 * `isPosition` must check the position.
 */
export function parsePageCursor(
  list: PagedList,
  cursor: string | undefined,
  isPosition: (text: string) => boolean,
): { ok: true; position: string | undefined } | RefusedReply {
  if (cursor === undefined) return { ok: true, position: undefined };
  const [position, checksum] = Buffer.from(cursor, 'base64url').toString().split('.');
  const isOfThisList =
    position !== undefined &&
    checksum === hashOfPathAndFilters(list) &&
    formatPageCursor(list, position) === cursor &&
    isPosition(position);
  return isOfThisList
    ? { ok: true, position }
    : validationRefusal([{ path: '/cursor', message: 'is not a cursor of this list' }]);
}

/** Accepts only the form in which the server writes numbers. */
export const isIntegerText = (text: string): boolean =>
  /^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(Number(text));
/** Accepts only lower-case UUIDs, the form in which the server writes UUIDs. */
export const isLowerCaseUuid = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);

/** `next` is the position at which the next page begins; null on the last page. */
export function pageReply(
  list: PagedList,
  data: unknown[],
  next: string | null,
  headers: Record<string, string> = {},
): Reply {
  if (next === null) return successReply(200, { data, next_cursor: null }, headers);
  const next_cursor = formatPageCursor(list, next);
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(list.filters)) if (value !== undefined) query.set(name, String(value));
  if (list.limit !== undefined) query.set('limit', String(list.limit));
  query.set('cursor', next_cursor);
  return successReply(200, { data, next_cursor }, { ...headers, Link: `<${list.path}?${query}>; rel="next"` });
}

function hashOfPathAndFilters({ path, filters }: PagedList): string {
  return sha256(JSON.stringify([path, Object.entries(filters)])).slice(0, 8);
}
