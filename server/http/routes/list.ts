/** Lists a page at a time: limit, an opaque cursor that is bound to the list it came from, and the link to the next page. */
import { Type } from 'typebox';
import { invalid } from '../../../shared/domain/outcome.ts';
import { Described } from '../../../shared/schema/fields.ts';
import { pageLimitDefault, pageLimitMax } from '../../../shared/schema/limits.ts';
import { answered } from '../../core/reply.ts';
import { sha256 } from '../../core/hash.ts';
import type { RefusedReply, Reply } from '../reply.ts';

/** Parameters that a list does not have are refused: a filter with a typo must not answer with everything. */
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
  /** Path and filters: what a cursor belongs to. */
  path: string;
  filters: Record<string, string | boolean | undefined>;
  limit: number | undefined;
}

export const limitOf = ({ limit }: { limit?: number }): number => limit ?? pageLimitDefault;

/** A position, opaque. */
function pageCursor(list: List, position: string): string {
  return Buffer.from(`${position}.${listMark(list)}`).toString('base64url');
}

/** The position that a cursor holds; no cursor is the start. Anyone can forge a cursor, so `isPosition` looks at what it holds. */
export function readPageCursor(
  list: List,
  cursor: string | undefined,
  isPosition: (text: string) => boolean,
): { ok: true; position: string | undefined } | RefusedReply {
  if (cursor === undefined) return { ok: true, position: undefined };
  const [position, mark] = Buffer.from(cursor, 'base64url').toString().split('.');
  const isOurs =
    position !== undefined && mark === listMark(list) && pageCursor(list, position) === cursor && isPosition(position);
  return isOurs ? { ok: true, position } : invalid([{ path: '/cursor', message: 'is not a cursor of this list' }]);
}

/** Of a position, as the server writes it: in decimal digits, or lower-case hex. */
export const isNumber = (text: string): boolean => /^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(Number(text));
export const isUuid = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);

/** The envelope, with the cursor of the next page: `next` is its position, null where there is none. */
export function pageReply(
  list: List,
  data: unknown[],
  next: string | null,
  headers: Record<string, string> = {},
): Reply {
  if (next === null) return answered(200, { data, next_cursor: null }, headers);
  const next_cursor = pageCursor(list, next);
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(list.filters)) if (value !== undefined) query.set(name, String(value));
  if (list.limit !== undefined) query.set('limit', String(list.limit));
  query.set('cursor', next_cursor);
  return answered(200, { data, next_cursor }, { ...headers, Link: `<${list.path}?${query}>; rel="next"` });
}

function listMark({ path, filters }: List): string {
  return sha256(JSON.stringify([path, Object.entries(filters)])).slice(0, 8);
}
