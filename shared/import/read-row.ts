/** Reads one line of an imported file: a step, and the recording and the map that it belongs to. */
import type { RecordingStep } from '../schema/recording.ts';
import { unguarded } from '../export/formula-guard.ts';
import { readBoolean, readNumber, readTime, type CellValue, type DecimalMarks } from './cells.ts';
import type { ColumnName, Header } from './columns.ts';
import type { CsvRecord } from './csv-records.ts';
import type { ErrorList } from './error-list.ts';
import type { ImportChecks, MapReference, RecordingKey } from './file-recording.ts';
import { durationOf } from './step-duration.ts';

export interface StepRow {
  line: number;
  key: RecordingKey;
  map: MapReference;
  /** Its `order` is 1 if the line has none. */
  step: RecordingStep;
  hasOrder: boolean;
  started_at: string | undefined;
}

export interface RowContext {
  header: Header;
  delimiter: string;
  marks: DecimalMarks;
  errors: ErrorList;
  checks: ImportChecks;
}

/** Returns undefined, and adds what is wrong to the errors, if the line cannot be imported. */
export function readRow({ line, cells }: CsvRecord, context: RowContext): StepRow | undefined {
  const { header, delimiter, marks, errors, checks } = context;
  const errorsBefore = errors.total;
  const refuse = (column: ColumnName | null, message: string): undefined => {
    errors.add({ line, column: column && header.nameOf(column), message });
    return undefined;
  };
  const text = (column: ColumnName): string => unguarded(cells[header.indexes.get(column) ?? -1] ?? '');
  const word = (column: ColumnName): string => text(column).trim();
  const read = <Value>(column: ColumnName, parse: (cell: string) => CellValue<Value>): Value | undefined => {
    if (word(column) === '') return undefined;
    const parsed = parse(word(column));
    return parsed.ok ? parsed.value : refuse(column, parsed.message);
  };
  const readDecimal = (cell: string) => readNumber(cell, { delimiter, marks, line });
  const readOrder = (cell: string) => readNumber(cell, { delimiter, marks: {}, line });

  if (cells.slice(header.cellCount).some((cell) => cell !== '')) {
    return refuse(null, `has ${cells.length} cells, and the header has ${header.cellCount}`);
  }
  const map = { id: word('map_id').toLowerCase(), name: word('map_name') };
  if (map.id === '' && map.name === '') refuse(header.present(['map_name', 'map_id']), 'is required');
  const keyColumn = keyColumns.find((column) => word(column) !== '');
  if (keyColumn === undefined) {
    refuse(header.present(keyColumns), 'is empty, so nobody knows which recording the step is of');
  }
  const times = { started_at: read('started_at', readTime), ended_at: read('ended_at', readTime) };
  const given_secs = read('duration_secs', readDecimal);
  const order = read('order', readOrder);
  const fields = {
    stage_name: text('stage_name'),
    order: order ?? 1,
    duration_estimated: read('duration_estimated', readBoolean),
    work_type: word('work_type') || undefined,
    value_add: read('value_add', readBoolean),
    notes: text('notes') || undefined,
  };
  if (keyColumn === undefined || errors.total > errorsBefore) return undefined;

  const measured = durationOf(given_secs, times);
  if (!measured.ok) return refuse(measured.column, measured.message);
  const step = withoutAbsent({ ...fields, duration_secs: measured.secs });
  for (const { path, message } of checks.step(step)) {
    const column = path.slice(1) as ColumnName;
    refuse(column === 'duration_secs' && given_secs === undefined ? 'ended_at' : column, message);
  }
  if (errors.total > errorsBefore) return undefined;
  const key = { column: keyColumn, text: word(keyColumn) };
  return { line, key, map, step, hasOrder: order !== undefined, started_at: measured.started_at };
}

/** The first of these that a line has tells which recording it is of. */
const keyColumns = ['recording_session_id', 'case_id', 'run_id', 'run_number'] as const;

/** The caller checks the fields by the schema of a step. */
const withoutAbsent = (fields: Record<string, unknown>): RecordingStep =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as RecordingStep;
