/** Counts the runs that a device with a scope does not hold, by the counts that the pulled maps have. */
import type { Base } from '../../view/base.ts';

export interface RunsOnServer {
  /** How many runs of the account are not on the device. */
  count: number;
  /** How many runs of each map are not on the device, by the id of the map; a map that has none such is absent. */
  ofMap: ReadonlyMap<string, number>;
}

/** Before the first pull has ended, the device cannot tell what it will have. */
export function countRunsOnServer({ maps, runIdsOfMap, cursor }: Base): RunsOnServer {
  const ofMap = new Map<string, number>();
  if (!cursor?.complete || cursor.partial === undefined) return { count: 0, ofMap };
  let count = 0;
  for (const { id, run_count } of maps.values()) {
    const missing = run_count - (runIdsOfMap.get(id)?.size ?? 0);
    if (missing <= 0) continue;
    ofMap.set(id, missing);
    count += missing;
  }
  return { count, ofMap };
}

export const isSameRunsOnServer = (a: RunsOnServer, b: RunsOnServer): boolean =>
  a.count === b.count &&
  a.ofMap.size === b.ofMap.size &&
  [...a.ofMap].every(([id, count]) => b.ofMap.get(id) === count);
