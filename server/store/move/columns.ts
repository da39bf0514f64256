/**
 * Converts SQLite's values to the types of PostgreSQL's columns, and reads stored values as texts for the comparison.
 */
import type pg from 'pg';

export interface Column {
  name: string;
  type: ColumnType;
}

interface Conversion {
  /** Returns the SQL expression of the value to store. `text` is an SQL expression of the same value as text. */
  store(text: string): string;
  /** Returns the SQL expression that reads a stored value as text. */
  read(column: string): string;
  /**
   * Brings the texts of equal values from the two databases to one form. Absent if equal values always have equal
   * texts.
   */
  normalize?(text: string): string;
}

const conversionByCast = (type: string): Conversion => ({
  store: (text) => `${text}::${type}`,
  read: (column) => `${column}::text`,
});

const conversions = {
  uuid: conversionByCast('uuid'),
  text: conversionByCast('text'),
  integer: conversionByCast('integer'),
  bigint: conversionByCast('bigint'),
  // PostgreSQL's json type keeps the text as it was written, so equal values have equal texts.
  json: conversionByCast('json'),
  jsonb: { ...conversionByCast('jsonb'), normalize: sortJsonKeys },
  'double precision': { ...conversionByCast('double precision'), normalize: (text) => String(Number(text)) },
  boolean: { store: (text) => `${text}::integer::boolean`, read: (column) => `${column}::integer::text` },
  'timestamp with time zone': {
    store: (text) => `${text}::timestamptz`,
    read: (column) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  },
  'bigint[]': {
    store: (text) => `translate(${text}, '[]', '{}')::bigint[]`,
    read: (column) => `array_to_json(${column})::text`,
    normalize: sortJsonKeys,
  },
} satisfies Record<string, Conversion>;

type ColumnType = keyof typeof conversions;

export const conversionOf = ({ type }: Column): Conversion => conversions[type];

function sortJsonKeys(text: string): string {
  return JSON.stringify(JSON.parse(text), (_, value: unknown) =>
    value !== null && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}

export interface Table {
  name: string;
  columns: Column[];
  /** The columns of the primary key. Both databases read the rows in the order of this key. */
  key: string[];
}

/** Reads the columns of a table from PostgreSQL's catalog. */
export async function readTableDefinition(client: pg.Client, name: string): Promise<Table> {
  const { rows: columns } = await client.query<{ name: string; type: string }>(
    `SELECT attname AS name, format_type(atttypid, NULL) AS type FROM pg_attribute
      WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attname`,
    [name],
  );
  const { rows: key } = await client.query<{ name: string }>(
    `SELECT attname AS name FROM pg_index JOIN pg_attribute ON attrelid = indrelid AND attnum = ANY (indkey)
      WHERE indrelid = $1::regclass AND indisprimary ORDER BY array_position(indkey::int2[], attnum)`,
    [name],
  );
  const unknown = columns.find(({ type }) => !Object.hasOwn(conversions, type));
  if (unknown) throw new Error(`${name}.${unknown.name} has the type ${unknown.type}, which no move knows`);
  return { name, columns: columns as Column[], key: key.map((each) => each.name) };
}
