import { expect, test } from 'vitest';
import { randomBelow, randomWithPrintedSeed } from '../random.ts';
import { refuseIncompleteMaps } from '../../shared/import/check-rows.ts';
import type { RowContext, StepRow } from '../../shared/import/read-row.ts';

const rowOf = (line: number, text: string, map: StepRow['map']): StepRow => ({
  line,
  key: { column: 'run_number', text },
  map,
  step: { stage_name: 'Cut', order: 1, duration_secs: 1 },
  hasOrder: true,
  started_at: undefined,
});

/** Returns the refused lines, each with the line that it contradicts. */
function refusedLines(rows: readonly StepRow[]): [line: number, other: number][] {
  const refused: [number, number][] = [];
  const add = ({ line }: { line: number }, { params }: { params: { other_line: number } }) =>
    refused.push([line, params.other_line]);
  const context = { header: { nameOf: (column: string) => column }, errors: { add } } as unknown as RowContext;
  refuseIncompleteMaps(
    rows.map((row) => [row]),
    context,
  );
  return refused;
}

/** True if the rows have the same key and one leaves out the id or the name of the other's map. */
function contradict(one: StepRow, other: StepRow): boolean {
  const hasSameId = one.map.id === other.map.id;
  const hasSameName = one.map.name === other.map.name;
  const leavesOutName = one.map.name === '' || other.map.name === '';
  const leavesOutId = one.map.id === '' || other.map.id === '';
  return one.key.text === other.key.text && ((hasSameId && leavesOutName) || (hasSameName && leavesOutId));
}

test('[IMPORT-34] a recording that names the map of an earlier one otherwise is refused with the first such line', () => {
  const random = randomWithPrintedSeed();
  for (let round = 0; round < 200; round++) {
    const pick = (values: readonly string[]) => values[randomBelow(random, values.length)]!;
    const rows = Array.from({ length: 1 + randomBelow(random, 30) }, (_, index) =>
      rowOf(index + 2, pick(['1', '2']), { id: pick(['', 'a', 'b', 'c']), name: pick(['', 'A', 'B', 'C']) }),
    );
    const expected = rows.flatMap((row, index) => {
      const other = rows.slice(0, index).find((earlier) => contradict(earlier, row));
      return other ? [[row.line, other.line]] : [];
    });
    expect(refusedLines(rows)).toEqual(expected);
  }
});
