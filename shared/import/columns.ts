/** The columns of an imported file: the columns of steps.csv, and other tools' names for them. */
import type { ErrorList } from './error-list.ts';
import { unstorableErrorIn, withoutUnstorable } from './unstorable.ts';

/** The columns, each with its names in event logs. Names in the header are read without regard to case. */
const columnAliases = {
  recording_session_id: ['case:recording_session_id'],
  case_id: ['case:concept:name'],
  run_id: [],
  run_number: [],
  map_id: ['case:map_id'],
  map_name: ['case:map_name'],
  order: [],
  stage_name: ['concept:name', 'activity'],
  started_at: ['start_timestamp'],
  ended_at: ['time:timestamp'],
  duration_secs: [],
  duration_estimated: [],
  work_type: [],
  value_add: [],
  notes: [],
} as const satisfies Record<string, readonly string[]>;

export type ColumnName = keyof typeof columnAliases;

export interface Header {
  /** The index of each column that the file has. */
  indexes: ReadonlyMap<ColumnName, number>;
  cellCount: number;
  /** Returns the column's name in the file; its usual name if the file lacks it. */
  nameOf(column: ColumnName): string;
  /** Returns the first given column that the file has; the first given column if the file has none. */
  present(columns: readonly [ColumnName, ...ColumnName[]]): ColumnName;
  /** The names of the file's columns that the import does not use. */
  ignored: string[];
}

/**
 * Reads the header. Adds an error for each duplicate column, and for each missing column that an import needs.
 */
export function readHeader(cells: readonly string[], errors: ErrorList): Header {
  const names = cells.map((cell) => withoutUnstorable(cell.trim().slice(0, columnNameLengthMax)));
  const flaws = cells.flatMap((cell, index) => {
    const error = unstorableErrorIn(cell);
    return error ? [{ error, column: names[index]! }] : [];
  });
  for (const { error, column } of flaws) errors.add({ line: 1, column }, error);
  const lowerCase = names.map((name) => name.toLowerCase());
  const indexes = new Map<ColumnName, number>();
  for (const [column, aliases] of Object.entries<readonly string[]>(columnAliases)) {
    const index = [column, ...aliases].map((name) => lowerCase.indexOf(name)).find((found) => found !== -1);
    if (index === undefined) continue;
    indexes.set(column as ColumnName, index);
    if (lowerCase.lastIndexOf(lowerCase[index]!) === index) continue;
    errors.add({ line: 1, column: names[index]! }, { code: 'column_duplicate' });
  }
  // Do not report missing columns if a name has unstorable characters. Each name in a UTF-16 file contains NUL, so all
  // columns would be missing.
  for (const alternatives of flaws.length > 0 ? [] : neededColumns) {
    if (alternatives.some((columns) => columns.every((column) => indexes.has(column)))) continue;
    const columns = alternatives.map((together) => together.join(' with '));
    errors.add({ line: 1, column: alternatives[0]![0]! }, { code: 'column_missing', params: { columns } });
  }
  const used = new Set(indexes.values());
  return {
    indexes,
    cellCount: names.length,
    nameOf: (column) => names[indexes.get(column) ?? -1] ?? column,
    present: (columns) => columns.find((column) => indexes.has(column)) ?? columns[0],
    ignored: names.flatMap((name, index) => (used.has(index) ? [] : [name || `column ${index + 1}`])),
  };
}

const columnNameLengthMax = 100;

/** Each entry is a list of alternatives. For each entry, a file needs all columns of at least one alternative. */
const neededColumns: ColumnName[][][] = [
  [['map_name'], ['map_id']],
  [['recording_session_id'], ['case_id'], ['run_id'], ['run_number']],
  [['stage_name']],
  [['duration_secs'], ['started_at', 'ended_at']],
];
