/** Finds recordings whose lines contradict each other. */
import type { ColumnName } from './columns.ts';
import type { ErrorKind } from './error-list.ts';
import type { RowContext, StepRow } from './read-row.ts';

type Refuse = (row: StepRow, column: ColumnName, error: ErrorKind) => void;

/** Event logs are often sorted by their newest line, or by nothing, which would turn the process around. */
export function refuseBackwardStarts(rows: StepRow[], refuse: Refuse): void {
  let latest: StepRow | undefined;
  for (const row of rows.toSorted((a, b) => a.step.order - b.step.order)) {
    if (row.started_at === undefined) continue;
    if (latest?.started_at !== undefined && row.started_at < latest.started_at) {
      const code = row.hasOrder ? 'starts_against_order' : 'starts_unsorted';
      return refuse(row, 'started_at', { code, params: { other_line: latest.line } });
    }
    latest = row;
  }
}

/** Two shifts of 8 hours have a night of 8 hours between them, and no wait within a shift takes as long. */
const distanceHoursMin = 8;

/** Finds steps that begin so long after the step before them that they are of another day, and so of another recording. */
export function refuseDistantSteps(
  rows: StepRow[],
  refuse: (row: StepRow, values: { other_line: number; hours: number }) => void,
): void {
  let latest: { endMs: number; line: number } | undefined;
  for (const row of rows) {
    const startMs = row.started_at === undefined ? latest?.endMs : Date.parse(row.started_at);
    if (startMs === undefined) continue;
    const hours = latest ? Math.floor((startMs - latest.endMs) / msPerHour) : 0;
    if (latest && hours >= distanceHoursMin) refuse(row, { other_line: latest.line, hours });
    const endMs = startMs + row.step.duration_secs * msPerSec;
    if (!latest || endMs >= latest.endMs) latest = { endMs, line: row.line };
  }
}

const msPerSec = 1_000;
const msPerHour = 3_600 * msPerSec;

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
      errors.add({ line: first.line, column }, { code: 'map_filled_otherwise', params: { other_line: same.line } });
    }
    byKey.set(text, [...others, first]);
  }
}

/** True if the first names the same map, and leaves something out. */
const isPartOf = (some: StepRow['map'], more: StepRow['map']): boolean =>
  (some.id === more.id && some.name === '') || (some.name === more.name && some.id === '');
