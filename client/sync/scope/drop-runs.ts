/**
 * Decides which runs a device with a scope drops. Loaded when the device holds more runs than its scope allows. Pure.
 */
import type { RunScopeQuery } from '../../../shared/protocol/run-scope.ts';
import type { RunDoc } from '../../../shared/schema/run.ts';
import type { Base } from '../../view/base.ts';

export interface DropOptions {
  base: Pick<Base, 'runs' | 'maps'>;
  scope: RunScopeQuery;
  /** True if the scope was wider before. The runs outside of the new scope are then dropped first. */
  isNarrowed: boolean;
  /** The ids of runs that must stay: the outbox names them, or a tab shows them. */
  needed: ReadonlySet<number>;
  /**
   * Returns the rank of the last look at a run: a later look has a higher rank. Returns 0 if nobody looked at the run.
   */
  lastSeen: (run: RunDoc) => number;
  nowMs: number;
}

/**
 * Returns the ids of the runs to drop. After the scope was narrowed, the runs outside of it go first, then the least
 * recently seen.
 */
export function runsToDrop({ base, scope, isNarrowed, needed, lastSeen, nowMs }: DropOptions): number[] {
  const rank = (run: RunDoc) => ({
    id: run.id,
    lastSeen: lastSeen(run),
    isInside: isInScope(scope, run, { nowMs, lastNumber: base.maps.get(run.map_id)?.last_run_number ?? 0 }),
    createdMs: Date.parse(run.created_at),
  });
  const droppable = [...base.runs.values()].filter(({ id }) => !needed.has(id)).map(rank);
  const outside = isNarrowed ? droppable.filter(({ isInside }) => !isInside) : [];
  const rest = isNarrowed ? droppable.filter(({ isInside }) => isInside) : droppable;
  const excess = base.runs.size - outside.length - (scope.runs_max ?? Infinity);
  const leastSeen = rest.toSorted(
    (a, b) =>
      a.lastSeen - b.lastSeen || Number(a.isInside) - Number(b.isInside) || a.createdMs - b.createdMs || a.id - b.id,
  );
  return [...outside, ...leastSeen.slice(0, Math.max(0, excess))].map(({ id }) => id);
}

const msPerDay = 86_400_000;

/**
 * Tells whether a run is recent enough for the scope: by its age, and by its distance from the map's last run number.
 */
function isInScope(
  { runs_days = Infinity, runs_per_map = Infinity }: RunScopeQuery,
  run: Pick<RunDoc, 'created_at' | 'number'>,
  { nowMs, lastNumber }: { nowMs: number; lastNumber: number },
): boolean {
  return Date.parse(run.created_at) >= nowMs - runs_days * msPerDay && run.number > lastNumber - runs_per_map;
}
