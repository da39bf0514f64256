/** Splits CSV (RFC 4180) into records, one at a time, so that a large file can be read with pauses. */
import type { ImportErrorInfo } from './error-list.ts';

export interface CsvRecord {
  /** The line of the file on which the record begins, counted from 1. Cells may contain line breaks. */
  line: number;
  /** The index, in the text of the file, of the first character after the record and its line break. */
  end: number;
  /** The texts of the cells; none for a blank line. */
  cells: string[];
}

/** An error after which the borders of cells are unknown, so that reading stops. */
export interface CsvFlaw {
  line: number;
  error: ImportErrorInfo;
}

/**
 * Yields the records. Also yields blank lines, so that the caller can pause between many blank lines. Returns the flaw
 * that stopped the reading. Lines end with CRLF, LF or CR.
 */
export function* csvRecords(text: string, delimiter: string): Generator<CsvRecord, CsvFlaw | undefined> {
  let at = 0;
  let line = 1;
  while (at < text.length) {
    const record: CsvRecord = { line, end: at, cells: [] };
    for (;;) {
      const cell = text[at] === '"' ? readQuotedCell(text, at) : readPlainCell(text, at, delimiter);
      if (!cell) return { line, error: { code: 'quote_unclosed' } };
      if (cell.value.length > cellLengthMax) {
        return { line, error: { code: 'cell_too_long', params: { limit: cellLengthMax } } };
      }
      if (text[at] !== '"' && /^[ \u00a0]+"/.test(cell.value)) {
        return { line, error: { code: 'quote_after_blanks' } };
      }
      if (record.cells.push(cell.value) > columnsMax)
        return { line, error: { code: 'cells_too_many', params: { limit: columnsMax } } };
      line += lineBreakCountIn(cell.value);
      at = cell.end;
      if (text[at] !== delimiter) break;
      at += 1;
    }
    const lineBreakLength = lineBreakLengthAt(text, at);
    if (lineBreakLength === 0 && at < text.length) return { line, error: { code: 'quote_before_text' } };
    at += lineBreakLength;
    record.end = at;
    line += 1;
    const isBlank = record.cells.every((cell) => cell === '');
    yield isBlank ? { ...record, cells: [] } : record;
  }
  return undefined;
}

const columnsMax = 1_000;
/** Ten times the longest valid cell. Reading a much longer one would block the process. */
const cellLengthMax = 100_000;

interface Cell {
  value: string;
  /** The index, in the text of the file, of the first character after the cell. */
  end: number;
}

/** Reads a quoted cell, in which two quotes stand for one. Returns undefined if no quote ends it. */
function readQuotedCell(text: string, start: number): Cell | undefined {
  let value = '';
  for (let from = start + 1; value.length <= cellLengthMax;) {
    const quote = text.indexOf('"', from);
    if (quote === -1) return undefined;
    value += text.slice(from, quote);
    if (text[quote + 1] !== '"') return { value, end: quote + 1 };
    value += '"';
    from = quote + 2;
  }
  return { value, end: start };
}

function readPlainCell(text: string, start: number, delimiter: string): Cell {
  let end = start;
  const endMax = Math.min(text.length, start + cellLengthMax + 1);
  while (end < endMax && text[end] !== delimiter && lineBreakLengthAt(text, end) === 0) end += 1;
  return { value: text.slice(start, end), end };
}

/** Returns the length of the line break at this index; 0 if there is none. */
function lineBreakLengthAt(text: string, at: number): number {
  if (text[at] === '\n') return 1;
  if (text[at] !== '\r') return 0;
  return text[at + 1] === '\n' ? 2 : 1;
}

const lineBreakCountIn = (cell: string): number => cell.match(/\r\n|\r|\n/g)?.length ?? 0;
