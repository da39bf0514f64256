/** The columns of an imported file: those of steps.csv, and names that other tools have for them. */
import type { ErrorList } from './error-list.ts';
import { unstorableIn, withoutUnstorable } from './unstorable.ts';

/** Other names of a column, in the form of event logs. Names in the header are read without regard to case. */
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
  /** Maps each column that the file has to the place of its cells. */
  indexes: ReadonlyMap<ColumnName, number>;
  cellCount: number;
  /** The name of the column in the file, or the name that it would have. */
  nameOf(column: ColumnName): string;
  /** The first of these columns that the file has, or else the first of them. */
  present(columns: readonly [ColumnName, ...ColumnName[]]): ColumnName;
  /** The columns from which nothing is taken. */
  ignored: string[];
}

/** Adds an error for a name that stands twice, and for each column without which nothing can be imported. */
export function readHeader(cells: readonly string[], errors: ErrorList): Header {
  const names = cells.map((cell) => withoutUnstorable(cell.trim().slice(0, nameLengthMax)));
  const flaws = cells.flatMap((cell, index) => {
    const error = unstorableIn(cell);
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
  // A file in UTF-16 has a NUL in each name, which explains why none of them is known.
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

const nameLengthMax = 100;

/** A file needs one of the alternatives in each line of this list. */
const neededColumns: ColumnName[][][] = [
  [['map_name'], ['map_id']],
  [['recording_session_id'], ['case_id'], ['run_id'], ['run_number']],
  [['stage_name']],
  [['duration_secs'], ['started_at', 'ended_at']],
];
