/** The scope of a device: which of the account's runs it holds. */
import type { RunScopeQuery } from '../../../shared/protocol/run-scope.ts';
import type { RunDoc } from '../../../shared/schema/run.ts';
import type { CursorBody } from '../../storage/rows.ts';

/** Each field is a bound, and an absent one means no bound. */
export interface RunScopeBounds {
  /** How many runs the device holds, apart from those that it needs: the newest ones at first. At most 50,000. */
  runsMax?: number;
  /** How many days after its arrival a run is pulled. */
  runsDays?: number;
  /** How many of the last run numbers of a map are pulled. */
  runsPerMap?: number;
}

export const toScopeQuery = ({ runsMax, runsDays, runsPerMap }: RunScopeBounds): RunScopeQuery => ({
  ...(runsMax === undefined ? {} : { runs_max: runsMax }),
  ...(runsDays === undefined ? {} : { runs_days: runsDays }),
  ...(runsPerMap === undefined ? {} : { runs_per_map: runsPerMap }),
});

const bounds = ['runs_max', 'runs_days', 'runs_per_map'] as const;

/** Tells whether a device that holds the runs of `held` holds those of `wanted`, too. */
export const coversScope = (held: RunScopeQuery, wanted: RunScopeQuery): boolean =>
  bounds.every((bound) => (wanted[bound] ?? Infinity) <= (held[bound] ?? Infinity));

export const isSameScope = (a: RunScopeQuery, b: RunScopeQuery): boolean => coversScope(a, b) && coversScope(b, a);

/** Tells whether a device whose cursor has this scope must pull all that the scope is now. */
export function mustPullAnew({ scope, partial, complete }: CursorBody, now: RunScopeQuery): boolean {
  if (!scope) return true;
  if (!complete) return !isSameScope(scope, now);
  // A server without scopes has sent all runs.
  return partial !== undefined && !coversScope(scope, now);
}

const msPerDay = 86_400_000;

/** Tells whether a run is within the bounds that concern it alone. */
export function isInScope(
  { runs_days = Infinity, runs_per_map = Infinity }: RunScopeQuery,
  run: Pick<RunDoc, 'created_at' | 'number'>,
  { nowMs, lastNumber }: { nowMs: number; lastNumber: number },
): boolean {
  return Date.parse(run.created_at) >= nowMs - runs_days * msPerDay && run.number > lastNumber - runs_per_map;
}
