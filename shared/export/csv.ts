/** Writes tables as CSV (RFC 4180): one header line, CRLF, a point in decimals, nothing in the cell of an absent value. */
import { runColumns, stepColumns, stepRowsOf, type Cell, type Column } from './columns.ts';
import type { ExportedRun, RunSource } from './exported-run.ts';

export interface CsvOptions {
  /** Default: true. A text that a spreadsheet would run as a formula begins with an apostrophe. */
  guard?: boolean;
  /** True if the file begins with a byte order mark, without which Excel takes UTF-8 for another encoding. */
  bom?: boolean;
}

export const stepsCsv = (runs: RunSource, options: CsvOptions = {}): AsyncGenerator<string> =>
  table(runs, { ...options, columns: stepColumns, rowsOf: stepRowsOf });

export const runsCsv = (runs: RunSource, options: CsvOptions = {}): AsyncGenerator<string> =>
  table(runs, { ...options, columns: runColumns, rowsOf: (exported) => [exported] });

interface Table<Row> extends CsvOptions {
  columns: Column<Row>[];
  rowsOf(exported: ExportedRun): Row[];
}

async function* table<Row>(
  runs: RunSource,
  { columns, rowsOf, guard = true, bom = false }: Table<Row>,
): AsyncGenerator<string> {
  yield (bom ? '\uFEFF' : '') + columns.map(({ name }) => name).join(',') + lineEnd;
  for await (const exported of runs()) {
    for (const row of rowsOf(exported)) {
      yield columns.map(({ cell }) => field(cell(row), guard)).join(',') + lineEnd;
    }
  }
}

const lineEnd = '\r\n';

function field(cell: Cell, guard: boolean): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  const text = guard && formulaStart.test(cell) ? `'${cell}` : cell;
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * Spreadsheets run a text that begins so, and some its full-width forms, too. Apostrophes before it count, so that an import
 * can take off the added one. A number is never text here.
 */
const formulaStart = /^'*[=+\-@\t\r＝＋－＠]/;
const needsQuotes = /[",\r\n]/;
