/** Finds recordings whose lines contradict each other, and adds errors for them. */
import type { ColumnName } from './columns.ts';
import type { ImportErrorInfo } from './error-list.ts';
import type { RowContext, StepRow } from './read-row.ts';

type Refuse = (row: StepRow, column: ColumnName, error: ImportErrorInfo) => void;

/**
 * Refuses a step that starts before an earlier step. Many event logs are unsorted or have the newest line first, which
 * would give the process a wrong order.
 */
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

/**
 * The shortest pause that separates two recordings: the night between two shifts. Every wait within a shift is shorter.
 */
const pauseHoursMin = 8;

/**
 * Refuses steps that begin so long after the previous step that they belong to another day, and so to another
 * recording.
 */
export function refuseDistantSteps(
  rows: StepRow[],
  refuse: (row: StepRow, values: { other_line: number; hours: number }) => void,
): void {
  let latest: { endMs: number; line: number } | undefined;
  for (const row of rows) {
    const startMs = row.started_at === undefined ? latest?.endMs : Date.parse(row.started_at);
    if (startMs === undefined) continue;
    const hours = latest ? Math.floor((startMs - latest.endMs) / msPerHour) : 0;
    if (latest && hours >= pauseHoursMin) refuse(row, { other_line: latest.line, hours });
    const endMs = startMs + row.step.duration_secs * msPerSec;
    if (!latest || endMs >= latest.endMs) latest = { endMs, line: row.line };
  }
}

const msPerSec = 1_000;
const msPerHour = 3_600 * msPerSec;

/**
 * Refuses two recordings with the same key if one of them names its map by id and name, and the other names the same
 * map only by id or only by name. Recordings of different maps may have the same key.
 */
export function refuseIncompleteMaps(groups: Iterable<StepRow[]>, { header, errors }: RowContext): void {
  const firstRows = new Map<string, StepRow>();
  for (const [row] of groups) {
    if (!row) continue;
    const { keys, conflicting } = mapKeysOf(row);
    const [same] = conflicting.flatMap((key) => firstRows.get(key) ?? []).toSorted((a, b) => a.line - b.line);
    if (same) {
      const column = header.nameOf(same.map.id === row.map.id ? 'map_name' : 'map_id');
      errors.add({ line: row.line, column }, { code: 'map_filled_otherwise', params: { other_line: same.line } });
    }
    for (const key of keys) if (!firstRows.has(key)) firstRows.set(key, row);
  }
}

/**
 * Returns the keys under which later recordings find this one, and those under which it finds an earlier recording
 * with the same key that names the same map otherwise. So the check takes the same time for each recording.
 */
function mapKeysOf({ key, map: { id, name } }: StepRow): { keys: string[]; conflicting: string[] } {
  const keyOf = (part: 'id' | 'name', value: string, isAlone: boolean) => JSON.stringify([key, part, value, isAlone]);
  return {
    keys: [
      keyOf('id', id, false),
      keyOf('name', name, false),
      ...(name === '' ? [keyOf('id', id, true)] : []),
      ...(id === '' ? [keyOf('name', name, true)] : []),
    ],
    conflicting: [keyOf('id', id, name !== ''), keyOf('name', name, id !== '')],
  };
}
