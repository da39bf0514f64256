/**
 * Keeps a part of the account's runs on the device: pulls a scope, loads other runs on demand, and drops those that are
 * beyond the scope and were not looked at for longest. The code of loads and drops is loaded with the first of them.
 *
 *   pull (scope) ──► runs here ──► beyond the scope, idle ──► dropped
 *   loadRuns ──────────┘  ▲ needed by the outbox or looked at: kept
 */
import { map, distinctUntilChanged } from 'rxjs/operators';
import type { RunScopeQuery } from '../../../shared/protocol/run-scope.ts';
import type { RunDoc } from '../../../shared/schema/run.ts';
import { GembaError } from '../../core/errors.ts';
import { lowerCaseUuid } from '../../core/ids.ts';
import { mutex } from '../../core/mutex.ts';
import { cursorRowId, recordRowId } from '../../storage/rows.ts';
import { WriteConflict } from '../../storage/table.ts';
import { listKey, runKey, RunLooks } from '../../view/run-looks.ts';
import { isSameRunsOnServer, runsNotHere } from '../../view/runs-on-server.ts';
import { RequestError } from '../net/failure.ts';
import type { Transport } from '../net/transport.ts';
import type { AttachedScope, LoadedRuns, PullScope, ScopedDevice } from './hooks.ts';
import type { LoadRunsOptions } from './load-runs.ts';
import { isSameScope, mustPullAnew } from './run-scope.ts';

/** The device holds this share of its scope more before it drops runs, so that not each new run is a drop. */
const slack = 0.05;

export function attachScope(query: RunScopeQuery, device: ScopedDevice): AttachedScope {
  const { records, outbox, view, lifetime, clock } = device;
  const { base } = view;
  const looks = new RunLooks();
  /** Lets no load come between the decision of a drop and its write. A pull meanwhile makes either of them conflict. */
  const writeInTurn = mutex();
  let server: { transport: Transport; sync: () => Promise<void> } | undefined;
  let isDropping = false;

  /** The runs that the outbox names, refused mutations included, and those that a person looks at. */
  function needed(): Set<number> {
    const ids = new Set<number>();
    for (const state of ['pending', 'forwarded', 'refused'] as const) {
      for (const { args } of outbox.entries(state)) {
        if (typeof args['run_id'] === 'number') ids.add(args['run_id']);
      }
    }
    for (const [id, { map_id }] of base.runs) {
      if (looks.isOpen(runKey(id)) || looks.isOpen(listKey(map_id))) ids.add(id);
    }
    return ids;
  }

  async function load<Result>(work: (options: LoadRunsOptions) => Promise<Result>): Promise<Result> {
    if (!server) throw new GembaError({ code: 'unreachable', detail: 'The device is still opening.' });
    const options = { base, records, accountId: () => outbox.device.account_id, writeInTurn, ...server };
    // A drop under way would take away what the load finds to be here.
    await writeInTurn(async () => {});
    try {
      return await lifetime.runUnawaited((signal) => work({ ...options, signal }));
    } catch (error) {
      throw error instanceof RequestError ? gembaErrorOf(error) : error;
    }
  }

  async function loadRuns(mapId: string, runIds?: readonly number[]): Promise<LoadedRuns> {
    const id = lowerCaseUuid(mapId);
    const { loadRunsByIds, loadRunsOfMap } = await importLoadModule();
    return load(async (options) => {
      const before = base.runs.size;
      const missing = runIds ? await loadRunsByIds(options, runIds) : [];
      if (!runIds) await loadRunsOfMap(options, id);
      return { loaded: Math.max(0, base.runs.size - before), missing };
    });
  }

  async function ensureRuns(args: { run_id?: unknown; run_ids?: unknown }): Promise<void> {
    const asked: unknown[] = Array.isArray(args.run_ids) ? args.run_ids : [args.run_id];
    if (base.cursor?.partial === undefined) return;
    const lacking = asked.filter((id): id is number => isRunId(id) && !base.runs.has(id) && !view.run(id));
    if (lacking.length === 0) return;
    const { loadRunsByIds } = await importLoadModule();
    await load((options) => loadRunsByIds(options, lacking));
  }

  async function dropNow(runsToDrop: typeof import('./drop-runs.ts').runsToDrop): Promise<void> {
    const { cursor } = base;
    if (!cursor) return;
    const lastSeen = ({ id, map_id }: RunDoc) => Math.max(looks.lastSeen(runKey(id)), looks.lastSeen(listKey(map_id)));
    const isNarrowed = !isSameScope(cursor.scope ?? {}, query);
    const ids = runsToDrop({ base, scope: query, isNarrowed, needed: needed(), lastSeen, nowMs: clock.wallMs() });
    if (ids.length === 0 && !isNarrowed) return;
    const rowIds = ids.map((id) => recordRowId({ kind: 'run', id }));
    await records.write([{ id: cursorRowId, body: { ...cursor, scope: query } }], rowIds);
  }

  async function dropWhenIdle(): Promise<void> {
    const { cursor, runs } = base;
    // A server without scopes cannot bring back what the device drops.
    if (isDropping || !cursor?.complete || cursor.partial === undefined) return;
    const isBeyond = runs.size > (query.runs_max ?? Infinity) * (1 + slack);
    if (!isBeyond && isSameScope(cursor.scope ?? {}, query)) return;
    isDropping = true;
    try {
      const { runsToDrop } = await import('./drop-runs.ts');
      await writeInTurn(() => dropNow(runsToDrop));
    } catch (error) {
      // Another tab wrote meanwhile, or the storage refuses removals: the next idle moment tries again.
      if (error instanceof WriteConflict) await records.refreshAll().catch(() => {});
    } finally {
      isDropping = false;
    }
  }

  const pull: PullScope = {
    query,
    isOutdated: (stored) => mustPullAnew(stored, query),
    cursorFields: (page, held) => {
      const partial = page.partial ?? held?.partial;
      return { scope: held?.scope ?? query, ...(partial === undefined ? {} : { partial }) };
    },
    neededChanges: async (pages, page, signal) => {
      if (page.partial === undefined || !server) return [];
      const { loadNeededRuns } = await import('./needed-runs.ts');
      return loadNeededRuns({ ...server, base, outbox }, { pages, page, needed: needed(), signal });
    },
  };
  return {
    pull,
    verbs: {
      runsOnServer$: view.changed$.pipe(
        map(() => runsNotHere(base)),
        distinctUntilChanged(isSameRunsOnServer),
      ),
      loadRuns,
    },
    watch: (source, key) => looks.watch(key, source),
    ensureRuns,
    connect: (connected) => void (server = connected),
    dropWhenIdle,
  };
}

const isRunId = (id: unknown): id is number => Number.isSafeInteger(id) && Number(id) > 0;

const importLoadModule = () =>
  import('./load-runs.ts').catch(() => {
    throw new GembaError({ code: 'unreachable', detail: 'The code of this verb could not be loaded.' });
  });

function gembaErrorOf({ failure }: RequestError): GembaError {
  if (failure.kind === 'unreachable') return new GembaError({ code: 'unreachable', detail: failure.detail });
  return new GembaError(failure.problem);
}
