/** The scope of a device: which of the account's runs it holds. */
import type { RunScopeQuery } from '../../../shared/protocol/run-scope.ts';
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

export function toScopeQuery({ runsMax, runsDays, runsPerMap }: RunScopeBounds): RunScopeQuery {
  const query = { runs_max: runsMax, runs_days: runsDays, runs_per_map: runsPerMap };
  return Object.fromEntries(Object.entries(query).filter(([, bound]) => bound !== undefined));
}

const boundNames = ['runs_max', 'runs_days', 'runs_per_map'] as const;

/** Tells whether a device that holds the runs of `held` holds those of `wanted`, too. */
export const coversScope = (held: RunScopeQuery, wanted: RunScopeQuery): boolean =>
  boundNames.every((name) => (wanted[name] ?? Infinity) <= (held[name] ?? Infinity));

export const isSameScope = (a: RunScopeQuery, b: RunScopeQuery): boolean => coversScope(a, b) && coversScope(b, a);

/** Tells whether a device whose cursor has this scope must pull all that the scope is now. */
export function needsFullPull({ scope, partial, complete }: CursorBody, now: RunScopeQuery): boolean {
  if (!scope) return true;
  if (!complete) return !isSameScope(scope, now);
  // A server without scopes has sent all runs.
  return partial !== undefined && !coversScope(scope, now);
}
