/** A scope for `openGemba`. Its code loads beside that of the sync, so that a recording can begin before. */
import type { RunScope } from './sync/scope/hooks.ts';
import type { RunScopeBounds } from './sync/scope/run-scope.ts';

/**
 * Lets a device hold a part of the account's runs: those within all of the bounds, and those that it loads. The other
 * runs stay on the server until `loadRuns` or a verb asks for them. A scope is for one engine.
 */
export const runScope = (bounds: RunScopeBounds): RunScope => ({
  bounds,
  attach: async (device) => (await import('./sync/scope/attach-scope.ts')).attachScope(bounds, device),
});
