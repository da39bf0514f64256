/** Counts the runs that a device with a scope does not hold, from the run counts of the pulled maps. */
import type { Base } from '../../view/base.ts';

export interface RunsOnServer {
  /** How many of the account's runs are not on the device. */
  count: number;
  /** How many runs of each map are not on the device, by map id. Maps of which no run is missing are absent. */
  ofMap: ReadonlyMap<string, number>;
}

/** Counts no runs before the end of the first pull, since the device cannot tell which runs the pull will bring. */
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
