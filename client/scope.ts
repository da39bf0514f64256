/**
 * Makes a scope, for the option `scope` of `openGemba`. Its code is loaded with the code of the sync, so that a
 * recording can begin before.
 */
import type { RunScope } from './sync/scope/hooks.ts';
import type { RunScopeBounds } from './sync/scope/run-scope.ts';

/**
 * Lets a device hold a part of the account's runs: a first pull brings the runs within all bounds, later changes come
 * whatever their age, and other runs stay on the server until `loadRuns` or a verb asks for them. A scope belongs to one engine.
 */
export const runScope = (bounds: RunScopeBounds): RunScope => ({
  bounds,
  attach: async (device) => (await import('./sync/scope/attach-scope.ts')).attachScope(bounds, device),
});
