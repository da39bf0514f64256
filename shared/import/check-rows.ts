/** Finds recordings whose lines contradict each other. */
import type { ColumnName } from './columns.ts';
import type { RowContext, StepRow } from './read-row.ts';

type Refuse = (row: StepRow, column: ColumnName, message: string) => void;

/** Event logs are often sorted by their newest line, or by nothing, which would turn the process around. */
export function refuseBackwardStarts(rows: StepRow[], refuse: Refuse): void {
  let latest: StepRow | undefined;
  for (const row of rows.toSorted((a, b) => a.step.order - b.step.order)) {
    if (row.started_at === undefined) continue;
    if (latest?.started_at !== undefined && row.started_at < latest.started_at) {
      const hint = row.hasOrder ? 'and its order is later' : 'which stands before it; sort the lines';
      return refuse(row, 'started_at', `is earlier than in line ${latest.line}, ${hint}`);
    }
    latest = row;
  }
}

/** Lines of one key are two recordings if they name two maps, but not if some lines leave out the id or the name. */
export function refuseSplitRecordings(groups: Iterable<StepRow[]>, { header, errors }: RowContext): void {
  const byKey = new Map<string, StepRow[]>();
  for (const [first] of groups) {
    if (!first) continue;
    const text = JSON.stringify(first.key);
    const others = byKey.get(text) ?? [];
    const same = others.find(({ map }) => isPartOf(map, first.map) || isPartOf(first.map, map));
    if (same) {
      const column = header.nameOf(same.map.id === first.map.id ? 'map_name' : 'map_id');
      const message = `is filled otherwise than in line ${same.line}, which has the same recording`;
      errors.add({ line: first.line, column, message });
    }
    byKey.set(text, [...others, first]);
  }
}

/** True if the first names the same map, and leaves something out. */
const isPartOf = (some: StepRow['map'], more: StepRow['map']): boolean =>
  (some.id === more.id && some.name === '') || (some.name === more.name && some.id === '');
