/**
 * Reads the rows of both databases as texts in the order of the primary key, writes rows to PostgreSQL, and compares
 * rows.
 */
import { createHash } from 'node:crypto';
import type pg from 'pg';
import type { Database } from '../sqlite/database.ts';
import { conversionOf, type Table } from './columns.ts';

/** A row as texts, in the order of the table's columns. */
type Row = (string | null)[];

const rowsPerBatchMax = 500;
const charsPerBatchMax = 4 * 1024 ** 2;

export interface MovedTable {
  table: string;
  rows: number;
  /** A hash over all rows. */
  digest: string;
}

export function* readSqliteRows(source: Database, { name, columns, key }: Table): Iterable<Row> {
  // Read values as text, since JavaScript may round a large integer. Floating-point numbers keep all their digits as
  // numbers.
  const read = columns.map((column) =>
    column.type === 'double precision' ? column.name : `CAST(${column.name} AS TEXT) AS ${column.name}`,
  );
  const order = key.map((column) => `${name}.${column}`).join(', ');
  for (const row of source.each<Record<string, unknown>>(`SELECT ${read.join(', ')} FROM ${name} ORDER BY ${order}`)) {
    yield columns.map((column) => {
      const value = row[column.name];
      return value === null || value === undefined ? null : String(value);
    });
  }
}

/** Reads with a cursor, so that a large table needs no more memory than a small one. */
async function* readPostgresRows(client: pg.Client, { name, columns, key }: Table): AsyncIterable<Row> {
  const read = columns.map((column) => conversionOf(column).read(column.name)).join(', ');
  const order = key
    .map((column) => `${name}.${column}${isTextColumn(columns, column) ? ' COLLATE "C"' : ''}`)
    .join(', ');
  await client.query(`DECLARE moved NO SCROLL CURSOR FOR SELECT ${read} FROM ${name} ORDER BY ${order}`);
  for (;;) {
    const { rows } = await client.query<Row>({ text: `FETCH ${rowsPerBatchMax} FROM moved`, rowMode: 'array' });
    yield* rows;
    if (rows.length < rowsPerBatchMax) break;
  }
  await client.query('CLOSE moved');
}

const isTextColumn = (columns: Table['columns'], name: string) =>
  columns.find((column) => column.name === name)?.type === 'text';

export async function writeRows(client: pg.Client, table: Table, rows: Iterable<Row>): Promise<void> {
  const names = table.columns.map(({ name }) => name).join(', ');
  const stored = table.columns.map((column) => conversionOf(column).store(column.name)).join(', ');
  const arrays = table.columns.map((_, index) => `$${index + 1}::text[]`).join(', ');
  const text = `INSERT INTO ${table.name} (${names}) SELECT ${stored} FROM unnest(${arrays}) AS moved (${names})`;
  let batch: Row[] = [];
  let chars = 0;
  const send = async () => {
    if (batch.length > 0)
      await client.query(
        text,
        table.columns.map((_, index) => batch.map((row) => row[index])),
      );
    batch = [];
    chars = 0;
  };
  for (const row of rows) {
    batch.push(row);
    chars += row.reduce((sum, value) => sum + (value?.length ?? 0), 0);
    if (batch.length >= rowsPerBatchMax || chars >= charsPerBatchMax) await send();
  }
  await send();
}

type Comparison = { ok: true; moved: MovedTable } | { ok: false; problem: string };

/** Compares each row of the two databases, value by value. */
export async function compareRows(client: pg.Client, table: Table, source: Database): Promise<Comparison> {
  const { name, columns } = table;
  const hash = createHash('sha256');
  const expected = readSqliteRows(source, table)[Symbol.iterator]();
  let rows = 0;
  for await (const row of readPostgresRows(client, table)) {
    const next = expected.next();
    if (next.done) return { ok: false, problem: `${name} has more rows in PostgreSQL than in the embedded database` };
    const [wanted, found] = [next.value, row].map((each) => normalizeRow(table, each));
    const different = columns.find((_, index) => wanted![index] !== found![index]);
    if (different) return { ok: false, problem: `row ${rows + 1} of ${name} differs in ${different.name}` };
    hash.update(JSON.stringify(found));
    rows++;
  }
  if (!expected.next().done)
    return { ok: false, problem: `${name} has fewer rows in PostgreSQL than in the embedded database` };
  return { ok: true, moved: { table: name, rows, digest: hash.digest('hex') } };
}

function normalizeRow({ columns }: Table, row: Row): Row {
  return row.map((text, index) => {
    const normalize = conversionOf(columns[index]!).normalize;
    return text === null || !normalize ? text : normalize(text);
  });
}
