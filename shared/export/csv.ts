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
  const text = guard ? cell.replace(innerStart, "$1'").replace(formulaStart, "'") : cell;
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Spreadsheets run a text that begins so, some its full-width forms, too, and skip blanks. A number is never text here. */
const formulaStart = /^(?=[\t\r\n]|[\s"]*[=+\-@＝＋－＠])/;
/**
 * A spreadsheet whose list separator is a semicolon sees no quotes in the middle of a line, so that a cell begins behind
 * each semicolon and each line break of a text (https://github.com/OWASP/www-community/issues/443).
 */
const innerStart = /([;\t\r\n])(?=[ \u00a0"]*[=+\-@＝＋－＠])/g;
/** LibreOffice takes a semicolon and a tab outside of quotes for separators, too. */
const needsQuotes = /[",;\t\r\n]/;
