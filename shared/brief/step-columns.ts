/**
 * Converts the steps of a recording to columns, one for each field, and back. A column is one of these:
 *
 *   0         no step has the field        1        the order is 1, 2, 3...
 *   'a|b'     the texts of the steps       '021'    the work types, a digit each
 *   [value]   each step has this value     [...]    a value for each step, null where a step lacks the field
 */
import { NoBriefFormError } from './no-brief-form.ts';

type Step = Record<string, unknown>;

const fields = [
  'stage_name',
  'order',
  'duration_secs',
  'duration_estimated',
  'work_type',
  'value_add',
  'interruption',
  'notes',
  'photos',
] as const;
type Field = (typeof fields)[number];

export const columnCount = fields.length;

const workTypes: unknown[] = ['valuable', 'incidental', 'waste'];

/**
 * A longer value is stored with each step. If it were stored once for all steps, a small body could unpack to a huge
 * recording.
 */
const repeatedCharsMax = 12;

export function columnsOfSteps(steps: readonly Step[]): unknown[] {
  const keys = new Set(steps.flatMap((step) => Object.keys(step)));
  for (const key of keys) if (!fields.includes(key as Field)) throw new NoBriefFormError();
  return fields.map((field) =>
    columnOf(
      field,
      steps.map((step) => step[field]),
    ),
  );
}

function columnOf(field: Field, values: unknown[]): unknown {
  if (values.includes(null)) throw new NoBriefFormError();
  if (values.every((value) => value === undefined)) return 0;
  if (field === 'order' && values.every((value, index) => value === index + 1)) return 1;
  if (field === 'work_type' && values.every((value) => workTypes.includes(value)))
    return values.map((value) => workTypes.indexOf(value)).join('');
  const texts = new Set(values.map((value) => JSON.stringify(value)));
  const isSame = texts.size === 1 && [...texts][0]!.length <= repeatedCharsMax;
  // Store the name of every step, since the number of names gives the number of steps.
  if (isSame && field !== 'stage_name') return [values[0]];
  const areTexts = values.every((value) => typeof value === 'string' && !value.includes(separator));
  return areTexts ? values.join(separator) : values.map((value) => value ?? null);
}

const separator = '|';

export function stepsOf(columns: readonly unknown[]): Step[] {
  const names = valuesIn(columns[0]);
  const valuesOf = fields.map((field, index) => valuesOfColumn(field, columns[index] ?? 0, names.length));
  return names.map((_, row) => {
    const values = fields.map((field, index) => [field, valuesOf[index]![row]] as const);
    return Object.fromEntries(values.filter(([, value]) => value !== undefined && value !== null));
  });
}

function valuesOfColumn(field: Field, column: unknown, count: number): unknown[] {
  if (column === 0) return [];
  if (column === 1 && field === 'order') return Array.from({ length: count }, (_, index) => index + 1);
  if (typeof column === 'string' && field === 'work_type' && column.length === count)
    return Array.from(column, (digit) => workTypes[Number(digit)]);
  const values = valuesIn(column);
  if (values.length === count) return values;
  if (values.length !== 1 || field === 'stage_name' || JSON.stringify(values[0]).length > repeatedCharsMax)
    throw new NoBriefFormError();
  return Array.from({ length: count }, () => values[0]);
}

function valuesIn(column: unknown): unknown[] {
  if (typeof column === 'string') return column.split(separator);
  if (!Array.isArray(column)) throw new NoBriefFormError();
  return column as unknown[];
}
