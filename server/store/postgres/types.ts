/**
 * How values arrive. `pg` hands int8 over as text, times as `Date` and JSON parsed; here they become what the store speaks.
 * Documents stay text, as SQLite has them.
 */
import pg from 'pg';

const int8 = 20;
const json = 114;
const timestamptz = 1184;

export const types: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    const own = format === 'binary' ? undefined : parsers[oid];
    return own ?? pg.types.getTypeParser(oid, format);
  },
};

const parsers: Record<number, (text: string) => unknown> = {
  [int8](text) {
    const number = Number(text);
    if (!Number.isSafeInteger(number)) throw new RangeError(`${text} is beyond 2^53-1`);
    return number;
  },
  [json]: (text) => text,
  [timestamptz]: (text) => (pg.types.getTypeParser(timestamptz, 'text')(text) as Date).toISOString(),
};

/** An id that is no UUID is the id of nothing; PostgreSQL would call it an error. */
export function isUuid(id: string): boolean {
  return uuid.test(id);
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
