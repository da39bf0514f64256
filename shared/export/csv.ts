/** Writes tables as CSV (RFC 4180): one header line, CRLF, decimal points, and empty cells for absent values. */
import { runColumns, stepColumns, stepRowsOf, type Cell, type Column } from './columns.ts';
import type { ExportedRun, RunSource } from './exported-run.ts';
import { guardFormulas } from './formula-guard.ts';

export interface CsvOptions {
  /** True to put an apostrophe before a text that a spreadsheet would run as a formula. Default: true. */
  guard?: boolean;
  /** True to begin the file with a byte order mark, without which Excel does not recognize UTF-8. Default: false. */
  bom?: boolean;
}

export const stepsCsv = (runs: RunSource, options: CsvOptions = {}): AsyncGenerator<string> =>
  writeTable(runs, { ...options, columns: stepColumns, rowsOf: stepRowsOf });

export const runsCsv = (runs: RunSource, options: CsvOptions = {}): AsyncGenerator<string> =>
  writeTable(runs, { ...options, columns: runColumns, rowsOf: (exported) => [exported] });

interface TableOptions<Row> extends CsvOptions {
  columns: Column<Row>[];
  rowsOf(exported: ExportedRun): Row[];
}

async function* writeTable<Row>(
  runs: RunSource,
  { columns, rowsOf, guard = true, bom = false }: TableOptions<Row>,
): AsyncGenerator<string> {
  yield (bom ? '\uFEFF' : '') + columns.map(({ name }) => name).join(',') + lineEnd;
  for await (const exported of runs()) {
    for (const row of rowsOf(exported)) {
      yield columns.map(({ cell }) => fieldText(cell(row), guard)).join(',') + lineEnd;
    }
  }
}

const lineEnd = '\r\n';

function fieldText(cell: Cell, guard: boolean): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  const text = guard ? guardFormulas(cell) : cell;
  return quotedPattern.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Matches a text that needs quotes. LibreOffice also takes an unquoted semicolon or tab for a separator. */
const quotedPattern = /[",;\t\r\n]/;
