/**
 * Parses PostgreSQL's values into the types of the store: int8 into a number, times into ISO 8601 text, JSON into text.
 * Without these parsers, `pg` returns int8 as text, times as `Date` and JSON as parsed values.
 */
import pg from 'pg';

const int8Oid = 20;
const jsonOid = 114;
const timestamptzOid = 1184;

export const pgTypes: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    const own = format === 'binary' ? undefined : parsersByOid[oid];
    return own ?? pg.types.getTypeParser(oid, format);
  },
};

const parsersByOid: Record<number, (text: string) => unknown> = {
  [int8Oid](text) {
    const number = Number(text);
    if (!Number.isSafeInteger(number)) throw new RangeError(`${text} is beyond 2^53-1`);
    return number;
  },
  [jsonOid]: (text) => text,
  [timestamptzOid]: (text) => (pg.types.getTypeParser(timestamptzOid, 'text')(text) as Date).toISOString(),
};

/** PostgreSQL fails a query whose id is not a UUID, so callers test ids first. */
export function isUuid(id: string): boolean {
  return uuidPattern.test(id);
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
