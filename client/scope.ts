/** A scope for `openGemba`. Its code stands apart, so that an app without a scope does not load it. */
import { attachScope } from './sync/scope/attach-scope.ts';
import type { RunScope } from './sync/scope/hooks.ts';
import { toScopeQuery, type RunScopeBounds } from './sync/scope/run-scope.ts';

/**
 * Lets a device hold a part of the account's runs: those within all of the bounds, and those that it loads. The other
 * runs stay on the server until `loadRuns` or a verb asks for them. A scope is for one engine.
 */
export const runScope = (bounds: RunScopeBounds): RunScope => ({
  attach: (device) => attachScope(toScopeQuery(bounds), device),
});
