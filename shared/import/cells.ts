/** Reads the text of a cell as a value. A refusal says what the cell should be. */
import { isInstant } from '../schema/instant.ts';

/** The rest of the file, as far as it tells how to read a number. */
export interface NumberContext {
  delimiter: string;
  marks: DecimalMarks;
  line: number;
}

export type CellValue<Value> = { ok: true; value: Value } | { ok: false; message: string };

/** The lines on which a file first had a decimal comma and a decimal point. */
export type DecimalMarks = Partial<Record<',' | '.', number>>;

/**
 * In a file whose cells are not separated by commas, a decimal comma is as clear as a point, unless the file has both or
 * the comma may separate thousands.
 */
export function readNumber(cell: string, { delimiter, marks, line }: NumberContext): CellValue<number> {
  const text = cell.trim();
  const hasComma = /^[+-]?\d+,\d+$/.test(text);
  if (hasComma && delimiter !== ',' && /^[+-]?[1-9]\d{0,2},\d{3}$/.test(text)) {
    const hint = `write ${text.replace(',', '')} or ${text.replace(',', '.')}`;
    return { ok: false, message: `may have a decimal comma or separate thousands; ${hint}` };
  }
  const mark = hasComma ? ',' : text.includes('.') ? '.' : undefined;
  const otherLine = mark && marks[mark === ',' ? '.' : ','];
  if (otherLine !== undefined && delimiter !== ',') {
    return { ok: false, message: `has another decimal mark than line ${otherLine}; a file has one` };
  }
  if (mark) marks[mark] ??= line;
  const decimal = hasComma && delimiter !== ',' ? text.replace(',', '.') : text;
  if (/^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(decimal)) return { ok: true, value: Number(decimal) };
  const hint = hasComma ? '; in a file with commas between its cells, write decimals with a point' : '';
  return { ok: false, message: `must be a number, such as 12.5${hint}` };
}

export function readBoolean(cell: string): CellValue<boolean> {
  const text = cell.trim().toLowerCase();
  if (['true', '1', '1.0'].includes(text)) return { ok: true, value: true };
  if (['false', '0', '0.0'].includes(text)) return { ok: true, value: false };
  return { ok: false, message: 'must be true or false' };
}

/** Returns the time in UTC. Takes a space in place of the T, as tables of other tools have it. */
export function readTime(cell: string): CellValue<string> {
  const text = cell.trim().replace(/^(\d{4}-\d{2}-\d{2})[ t]/, '$1T');
  if (isInstant(text)) return { ok: true, value: new Date(text).toISOString() };
  const hint = isInstant(`${text}Z`) ? '; it lacks its offset: add Z, or one such as +02:00' : '';
  return { ok: false, message: `must be a time in ISO 8601 with Z or an offset, such as 2026-07-01T07:42:10Z${hint}` };
}
