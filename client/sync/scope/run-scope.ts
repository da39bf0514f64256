/** Defines the scope of a device: which of the account's runs it holds. */
import type { RunScopeQuery } from '../../../shared/protocol/run-scope.ts';
import type { CursorBody } from '../../storage/rows.ts';

/** The bounds of a scope. An absent field sets no bound. */
export interface RunScopeBounds {
  /**
   * Limits the runs that a first pull brings and that the device then holds. If it holds more, it drops the runs that
   * nobody has looked at for longest. At most 50,000.
   */
  runsMax?: number;
  /** Limits a first pull to runs that arrived in the last `runsDays` days. */
  runsDays?: number;
  /** Limits a first pull to the `runsPerMap` highest run numbers of each map. */
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

/** Tells whether a device with this cursor must pull all records again to have the scope `wanted`. */
export function needsFullPull({ scope, partial, complete }: CursorBody, wanted: RunScopeQuery): boolean {
  if (!scope) return true;
  if (!complete) return !isSameScope(scope, wanted);
  // A server without scopes has sent all runs, so no run is missing.
  return partial !== undefined && !coversScope(scope, wanted);
}
