import type { StageKey } from '../transaction.ts';

/** Groups stage ids by their map. SQLite reads one list of numbers for each map twice as fast as a list of pairs. */
export function stageIdsByMap(keys: readonly StageKey[]): Map<string, number[]> {
  const idsByMap = new Map<string, number[]>();
  for (const { map_id, id } of keys) {
    const ids = idsByMap.get(map_id);
    if (ids) ids.push(id);
    else idsByMap.set(map_id, [id]);
  }
  return idsByMap;
}
