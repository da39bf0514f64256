/** Reads one line of an imported file: a step, with the recording and the map to which it belongs. */
import { nameLengthMax, notesLengthMax } from '../schema/limits.ts';
import type { RecordingStep } from '../schema/recording.ts';
import { unguardFormulas } from '../export/formula-guard.ts';
import { readBoolean, readNumber, readTime, type CellValue, type LinesOfDecimalMarks } from './cells.ts';
import type { ColumnName, Header } from './columns.ts';
import type { CsvRecord } from './csv-records.ts';
import type { ImportErrorInfo, ErrorList, SchemaErrorInfo } from './error-list.ts';
import type { ImportChecks, MapReference, RecordingKey } from './file-recording.ts';
import { durationOf } from './step-duration.ts';
import { unstorableErrorIn } from './unstorable.ts';

export interface StepRow {
  line: number;
  key: RecordingKey;
  map: MapReference;
  /** The step. Its `order` is 1 if the line has none. */
  step: RecordingStep;
  hasOrder: boolean;
  started_at: string | undefined;
}

export interface RowContext {
  header: Header;
  delimiter: string;
  marks: LinesOfDecimalMarks;
  errors: ErrorList;
  checks: ImportChecks;
}

/** Reads a line. If the line cannot be imported, adds errors and returns undefined. */
export function readRow({ line, cells }: CsvRecord, context: RowContext): StepRow | undefined {
  const { header, delimiter, marks, errors, checks } = context;
  const errorsBefore = errors.total;
  const refuse = (column: ColumnName | null, error: ImportErrorInfo): undefined => {
    errors.add({ line, column: column && header.nameOf(column) }, error);
    return undefined;
  };
  const text = (column: ColumnName): string => unguardFormulas(cells[header.indexes.get(column) ?? -1] ?? '');
  const word = (column: ColumnName): string => text(column).trim();
  const read = <Value>(column: ColumnName, parse: (cell: string) => CellValue<Value>): Value | undefined => {
    if (word(column) === '') return undefined;
    const parsed = parse(word(column));
    return parsed.ok ? parsed.value : refuse(column, parsed.error);
  };
  const readDecimal = (cell: string) => readNumber(cell, { delimiter, marks, line });
  const readOrder = (cell: string) => readNumber(cell, { delimiter, marks: {}, line });

  if (cells.slice(header.cellCount).some((cell) => cell !== '')) {
    const params = { cells: cells.length, limit: header.cellCount };
    return refuse(null, { code: 'cells_beyond_header', params });
  }
  for (const [column, index] of header.indexes) {
    const unstorable = unstorableErrorIn(cells[index] ?? '');
    if (unstorable) refuse(column, unstorable);
  }
  if (errors.total > errorsBefore) return undefined;
  const map = { id: word('map_id').toLowerCase(), name: word('map_name') };
  if (map.id === '' && map.name === '') refuse(header.present(['map_name', 'map_id']), { code: 'cell_required' });
  const keyColumn = keyColumns.find((column) => word(column) !== '');
  if (keyColumn === undefined) {
    refuse(header.present(keyColumns), { code: 'key_required' });
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
  if (!measured.ok) return refuse(measured.column, measured.error);
  const step = withoutAbsent({ ...fields, duration_secs: measured.secs });
  for (const { path, message } of checks.step(step)) {
    const field = path.slice(1) as ColumnName;
    const column = field === 'duration_secs' && given_secs === undefined ? 'ended_at' : field;
    errors.addInvalid({ line, column: header.nameOf(column) }, schemaErrorOf(field), message);
  }
  if (errors.total > errorsBefore) return undefined;
  const key = { column: keyColumn, text: word(keyColumn) };
  return { line, key, map, step, hasOrder: order !== undefined, started_at: measured.started_at };
}

/** Returns the kind of error for a column that a schema refuses. */
export const schemaErrorOf = (column: ColumnName): SchemaErrorInfo => schemaErrors[column] ?? { code: 'value_invalid' };

const schemaErrors: Partial<Record<ColumnName, SchemaErrorInfo>> = {
  recording_session_id: { code: 'session_invalid' },
  stage_name: { code: 'name_invalid', params: { limit: nameLengthMax } },
  order: { code: 'order_invalid' },
  duration_secs: { code: 'duration_invalid' },
  work_type: { code: 'work_type_invalid' },
  notes: { code: 'notes_invalid', params: { limit: notesLengthMax } },
};

/** The columns that may identify a recording. The first of these columns that is not empty identifies the recording. */
const keyColumns = ['recording_session_id', 'case_id', 'run_id', 'run_number'] as const;

/** Leaves out absent fields. The caller validates the step afterwards. */
const withoutAbsent = (fields: Record<string, unknown>): RecordingStep =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as RecordingStep;
