/** Defines the scope of a device: which of the account's runs it holds. */
import type { RunScopeQuery } from '../../../shared/protocol/run-scope.ts';
import type { CursorBody } from '../../storage/rows.ts';

/** The bounds of a scope. An absent field sets no bound. */
export interface RunScopeBounds {
  /** How many runs the device holds besides those that it needs, the newest first. At most 50,000. */
  runsMax?: number;
  /** For how many days after its arrival a run is pulled. */
  runsDays?: number;
  /** How many of the highest run numbers of each map are pulled. */
  runsPerMap?: number;
}

export function toScopeQuery({ runsMax, runsDays, runsPerMap }: RunScopeBounds): RunScopeQuery {
  const query = { runs_max: runsMax, runs_days: runsDays, runs_per_map: runsPerMap };
  return Object.fromEntries(Object.entries(query).filter(([, bound]) => bound !== undefined));
}

const boundNames = ['runs_max', 'runs_days', 'runs_per_map'] as const;

/** Tells whether the scope `held` contains all runs of the scope `wanted`. */
export const coversScope = (held: RunScopeQuery, wanted: RunScopeQuery): boolean =>
  boundNames.every((name) => (wanted[name] ?? Infinity) <= (held[name] ?? Infinity));

export const isSameScope = (a: RunScopeQuery, b: RunScopeQuery): boolean => coversScope(a, b) && coversScope(b, a);

/** Tells whether a device with this cursor must pull all records again, now that its scope is `now`. */
export function needsFullPull({ scope, partial, complete }: CursorBody, now: RunScopeQuery): boolean {
  if (!scope) return true;
  if (!complete) return !isSameScope(scope, now);
  // A server without scopes has sent all runs, so no run is missing.
  return partial !== undefined && !coversScope(scope, now);
}
