/**
 * Keeps a part of the account's runs on the device: pulls the runs of the scope, loads other runs on demand, and drops
 * the runs beyond the scope that nobody has looked at for longest. This module has only what each pull needs; it loads
 * other-runs.ts when something else is needed.
 *
 *   pull (scope) ──► runs here ──► beyond the scope, idle ──► dropped
 *   loadRuns ──────────┘  ▲ needed by the outbox or looked at in any tab: kept
 */
import { defer, Observable } from 'rxjs';
import { switchMap } from 'rxjs/operators';
import { GembaError } from '../../core/errors.ts';
import type { AttachedScope, ScopedEngine, ServerConnection } from './hooks.ts';
import type { OtherRuns } from './other-runs.ts';
import { needsFullPull, toScopeQuery, type RunScopeBounds } from './run-scope.ts';

export function attachScope(bounds: RunScopeBounds, device: ScopedEngine): AttachedScope {
  const query = toScopeQuery(bounds);
  let server: ServerConnection | undefined;
  let loading: Promise<OtherRuns> | undefined;

  async function importOtherRuns() {
    const { OtherRuns } = await import('./other-runs.ts');
    return new OtherRuns({ ...device, query, server: () => server });
  }
  async function otherRuns() {
    loading ??= importOtherRuns();
    try {
      return await loading;
    } catch {
      loading = undefined;
      throw new GembaError({ code: 'unreachable', detail: 'The code of this verb could not be loaded.' });
    }
  }
  /** Does nothing if the module cannot be loaded. The device then works with the runs that it has. */
  const withOtherRuns = <Result>(work: (others: OtherRuns) => Result | Promise<Result>) =>
    otherRuns().then(work, () => undefined);

  return {
    pull: {
      query,
      isOutdated: (stored) => needsFullPull(stored, query),
      cursorFields: (page, held) => {
        const partial = page.partial ?? held?.partial;
        return { scope: held?.scope ?? query, ...(partial === undefined ? {} : { partial }) };
      },
      neededChanges: async (...args) => (await otherRuns()).neededChanges(...args),
    },
    verbs: {
      runsOnServer$: defer(otherRuns).pipe(switchMap(({ runsOnServer$ }) => runsOnServer$)),
      latestRuns$: (...args) => defer(otherRuns).pipe(switchMap((others) => others.latestRuns$(...args))),
      loadRuns: async (...args) => (await otherRuns()).loadRuns(...args),
    },
    watch: (source, key) =>
      new Observable((subscriber) => {
        const look = withOtherRuns(({ shownRuns }) => shownRuns.begin(key));
        subscriber.add(() => void look.then((end) => end?.()));
        return source.subscribe(subscriber);
      }),
    ensureRuns: (args) => withOtherRuns((others) => others.ensureRuns(args)),
    connect: (connected) => void (server = connected),
    dropWhenIdle: () => withOtherRuns((others) => others.dropWhenIdle()),
  };
}
