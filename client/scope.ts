/**
 * Makes a scope, for the option `scope` of `openGemba`. The code of the scope is loaded with the code of the sync, so
 * that a recording can begin earlier.
 */
import type { RunScope } from './sync/scope/hooks.ts';
import type { RunScopeBounds } from './sync/scope/run-scope.ts';

/**
 * Lets a device hold a part of the account's runs. A first pull brings the runs within all bounds. Later pulls bring
 * every changed run. Other runs stay on the server until `loadRuns` or a verb loads them. A scope belongs to one
 * engine.
 */
export const runScope = (bounds: RunScopeBounds): RunScope => ({
  bounds,
  attach: async (device) => (await import('./sync/scope/attach-scope.ts')).attachScope(bounds, device),
});
