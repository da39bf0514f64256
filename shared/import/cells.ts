/** Parses the text of a cell. An error says what the cell should contain. */
import { isInstant } from '../schema/instant.ts';
import type { ImportErrorInfo } from './error-list.ts';

/** The facts about the file that decide how its numbers are read. */
export interface NumberContext {
  delimiter: string;
  marks: LinesOfDecimalMarks;
  line: number;
}

export type CellValue<Value> = { ok: true; value: Value } | { ok: false; error: ImportErrorInfo };

/** The first line with a decimal comma, and the first with a decimal point. */
export type LinesOfDecimalMarks = Partial<Record<',' | '.', number>>;

/**
 * Parses a number. Refuses a comma in the number if commas also separate the cells, or if the comma may separate
 * thousands. Refuses a decimal mark that differs from the mark of an earlier number.
 */
export function readNumber(cell: string, { delimiter, marks, line }: NumberContext): CellValue<number> {
  const text = cell.trim();
  const hasComma = /^[+-]?\d+,\d+$/.test(text);
  if (hasComma && delimiter !== ',' && /^[+-]?[1-9]\d{0,2},\d{3}$/.test(text)) {
    const suggestions = [text.replace(',', ''), text.replace(',', '.')];
    return { ok: false, error: { code: 'number_unclear', params: { suggestions } } };
  }
  const mark = hasComma ? ',' : text.includes('.') ? '.' : undefined;
  const otherLine = mark && marks[mark === ',' ? '.' : ','];
  if (otherLine !== undefined && delimiter !== ',') {
    return { ok: false, error: { code: 'decimal_mark_mixed', params: { other_line: otherLine } } };
  }
  if (mark) marks[mark] ??= line;
  const decimal = hasComma && delimiter !== ',' ? text.replace(',', '.') : text;
  if (/^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(decimal)) return { ok: true, value: Number(decimal) };
  return { ok: false, error: { code: hasComma ? 'decimal_comma' : 'number_expected' } };
}

export function readBoolean(cell: string): CellValue<boolean> {
  const text = cell.trim().toLowerCase();
  if (['true', '1', '1.0'].includes(text)) return { ok: true, value: true };
  if (['false', '0', '0.0'].includes(text)) return { ok: true, value: false };
  return { ok: false, error: { code: 'boolean_expected' } };
}

/** Parses a time and returns it in UTC. Accepts a space instead of the T, as other tools write it. */
export function readTime(cell: string): CellValue<string> {
  const text = cell.trim().replace(/^(\d{4}-\d{2}-\d{2})[ t]/, '$1T');
  if (isInstant(text)) return { ok: true, value: new Date(text).toISOString() };
  return { ok: false, error: { code: isInstant(`${text}Z`) ? 'time_without_offset' : 'time_expected' } };
}
