/** Composes the engine of one device. The clock, the id generator and the storage are passed in here. */
import { defer, type Observable } from 'rxjs';
import { map, switchMap } from 'rxjs/operators';
import { loadMutationValidators, requireObject } from './core/validate.ts';
import { pullableKinds, type PullableKind } from '../shared/protocol/pullable-kinds.ts';
import { isoTime, systemClock, toTrustedClock, type TrustedClock } from './core/clock.ts';
import { lowerCaseUuid, randomIds } from './core/ids.ts';
import type { CarryingEngine } from './open-carrying.ts';
import type { HandOverEngine } from './open-hand-over.ts';
import type { EarlyEngine, Gemba, GembaOptions, ScopedGemba } from './gemba.ts';
import { Lifetime, withinLifetime } from './core/lifetime.ts';
import type { InspectedEngine } from './inspect/inspected-engine.ts';
import type { Remedy } from './outbox/attention/attention.ts';
import type { RefusedOrDiscardedEntry } from './outbox/model/entry.ts';
import { Outbox } from './outbox/outbox.ts';
import type { RecordingTarget } from './recording/recording.ts';
import { Recordings } from './recording/recordings.ts';
import { photosOnDemand } from './photos-on-demand.ts';
import { preloadTapCode } from './recording/taps.ts';
import { openDeviceTables, type DeviceTables } from './storage/device-tables.ts';
import { Purger } from './storage/purger.ts';
import { StorageQuota } from './storage/quota.ts';
import { createLocks } from './core/locks.ts';
import { verbsOf } from './verbs.ts';
import type { AttachedScope, RunScope } from './sync/scope/hooks.ts';
import { View } from './view/view.ts';

/**
 * Opens the device's database, or creates an empty one; needs no network. Errors: `storage_lost` if the database is
 * lost and the journal is unreadable, `unsupported_platform` if the platform lacks a needed part, such as IndexedDB
 * when no `storage` is given.
 */
export async function openGemba(options: GembaOptions & { scope: RunScope }): Promise<ScopedGemba>;
export async function openGemba(options: GembaOptions): Promise<Gemba>;
export async function openGemba(options: GembaOptions): Promise<Gemba> {
  const { name, storage, mirror, tabs } = options;
  const clock = toTrustedClock({ ...systemClock, ...options.clock });
  const store = await openDeviceTables({ name, storage, mirror, tabs, clock });
  const lifetime = new Lifetime();
  try {
    return await composeEngine({ store, clock, lifetime }, options);
  } catch (error) {
    // Waits for running verbs before it closes the database, since `onBegun` has handed out verbs early.
    await lifetime.end();
    await store.close();
    throw error;
  }
}

const loadAttentionModule = () => import('./outbox/attention/attention.ts');
const loadCustodyModule = () => import('./recording/custody.ts');
const loadResolveModule = () => import('./outbox/attention/resolve.ts');

interface EngineParts {
  store: DeviceTables;
  clock: TrustedClock;
  lifetime: Lifetime;
}

async function composeEngine({ store, clock, lifetime }: EngineParts, options: GembaOptions): Promise<Gemba> {
  const { name, kind = 'phone' } = options;
  const now = () => isoTime(clock.wallMs());
  const { ids = randomIds } = options;
  const locks = createLocks(name, clock.schedule, options.tabs?.locks);
  const kinds: readonly PullableKind[] = kind === 'wearable' ? ['map'] : pullableKinds;
  let serverClock: string | undefined;
  const outbox = await Outbox.open({ table: store.outbox, locks, ids, now, serverNow: () => serverClock });
  const view = new View({ records: store.records, outbox, kinds });
  const purger = new Purger(store);
  const removeSent = async () => {
    await photos.removeStored();
    await outbox.writer.deleteReceipts();
  };
  const quota = new StorageQuota({ tables: store, purger, removeSent, schedule: clock.schedule });
  const requireSpace = () => quota.requireSpace();
  const detour = {};
  const photos = photosOnDemand({
    options,
    store,
    outbox,
    view,
    locks,
    clock,
    lifetime,
    detour,
    requireSpace,
  });
  const { keepPhoto } = photos;
  const recordings = new Recordings({
    table: store.drafts,
    outbox,
    view,
    locks,
    clock,
    ids,
    lifetime,
    requireSpace,
    keepPhoto,
  });
  let scope: AttachedScope | undefined = undefined;
  const ensureRuns = (args: object) => scope?.ensureRuns(args);
  const recordVerbs = verbsOf({ view, outbox, recordings, ids, now, ensureRuns });
  const verbs = withinLifetime(lifetime, quota.withSpaceCheck(recordVerbs));
  const earlyObservables = {
    recording$: recordings.recording$,
    discardedRecordings$: recordings.discarded$,
    map$: (mapId: string) => view.observed.map$(mapId),
  };
  const readAll = async () => {
    await store.records.refreshAll();
    await recordings.completeOpening();
  };
  // Reads the runs first, since a finished draft may already be a run on the server and must not be uploaded twice.
  if (recordings.hasFinishedDraft) await readAll();
  options.onBegun?.({ ...earlyObservables, ...earlyVerbs({ verbs, view, lifetime }) });
  // Loads the code of the sync while the page's first calls run.
  const syncLoading = import('./open-sync.ts');
  syncLoading.catch(() => undefined);
  if (options.onBegun) await yieldToPage(lifetime);
  const attaching = options.scope?.attach({ name, records: store.records, outbox, view, lifetime, clock });
  const [{ openSync }, attached] = await Promise.all([syncLoading, attaching, readAll()]);
  scope = attached;
  const onTime = (at: string) => void (serverClock = at);
  const onIdle = () => {
    void purger.purgeWhenIdle();
    void scope?.dropWhenIdle();
  };
  const parts = {
    options,
    store,
    outbox,
    view,
    recordings,
    locks,
    clock,
    ids,
    lifetime,
    kinds,
    scope,
    detour,
    now,
    kind,
    onTime,
    onIdle,
  };
  const sync = openSync(parts);
  const status$ = photos.connect(sync.status$);
  const engine = { ...parts, ...sync } satisfies CarryingEngine & HandOverEngine & InspectedEngine;
  for (const part of [options.carrier, options.handOver, options.inspector]) part?.attach(engine, sync.status$);

  const watch = <Value>(source: Observable<Value>, key: string) => scope?.watch(source, key) ?? source;
  const attentions$ = (entriesOf: () => RefusedOrDiscardedEntry[]) =>
    defer(loadAttentionModule).pipe(
      switchMap(({ attentionsOf }) => view.changed$.pipe(map(() => attentionsOf(entriesOf(), view.findRun)))),
    );
  // Preloads the code of edits, remedies and custody, so that they work offline. If this fails, their first use loads
  // it.
  for (const load of [loadMutationValidators, loadResolveModule, loadCustodyModule, preloadTapCode])
    load().catch(() => undefined);
  return {
    ...earlyObservables,
    ...verbs,
    maps$: view.observed.maps$(false),
    deletedMaps$: view.observed.maps$(true),
    ...scope?.verbs,
    runs$: (mapId) => watch(view.observed.runs$(mapId), `list|${mapId}`),
    run$: (runId) => watch(view.observed.run$(runId), `run|${runId}`),
    photos$: photos.photos$,
    photo$: photos.photo$,
    custody$: (session) => defer(loadCustodyModule).pipe(switchMap((module) => module.custody$(engine, session))),
    status$,
    report$: sync.report$,
    attention$: attentions$(() => view.refused),
    discardedChanges$: attentions$(() => outbox.discardedLatestFirst),
    ...withinLifetime(lifetime, {
      ...photos.verbs,
      resolve: async (seq: number, remedy: Remedy, args?: Record<string, unknown>) => {
        const { resolveAttention } = await loadResolveModule();
        return resolveAttention({ outbox, ids, maps: view, seq, remedy, args });
      },
      restoreChange: async (seq: number) => (await loadResolveModule()).restoreChange(outbox, seq),
      // Loads the transfer code on demand, since few people ever move work to another device.
      exportUnsent: async () => {
        const { exportUnsent } = await import('./transfer/export-unsent.ts');
        return exportUnsent(engine);
      },
      importUnsent: async (content: unknown) => {
        const { importUnsent } = await import('./transfer/import-unsent.ts');
        return importUnsent(engine, content);
      },
    }),
    sync: sync.sync,
    ...sync.deviceVerbs,
    close: async () => {
      sync.stop();
      photos.close();
      await lifetime.end();
      recordings.close();
      view.close();
      quota.close();
      purger.close();
      await store.close();
    },
  };
}

interface EarlyVerbsOptions {
  verbs: Pick<Gemba, 'startRecording'>;
  view: View;
  lifetime: Lifetime;
}

/** Makes verbs that work before all records are loaded: they load only the map that a person wants to record. */
function earlyVerbs({ verbs, view, lifetime }: EarlyVerbsOptions): Pick<EarlyEngine, 'loadMap' | 'startRecording'> {
  const loadMap = (mapId: string) => lifetime.run(() => view.loadMap(mapId));
  const startRecording = async (target: RecordingTarget) => {
    requireObject(target);
    if ('mapId' in target) await loadMap(lowerCaseUuid(target.mapId));
    return verbs.startRecording(target);
  };
  return { loadMap, startRecording: (target) => lifetime.run(() => startRecording(target)) };
}

/** Yields to the event loop twice, so that the page's first reads and taps run before all records are loaded. */
async function yieldToPage(lifetime: Lifetime): Promise<void> {
  for (let step = 0; step < 2; step++) {
    await new Promise((resolve) => setTimeout(resolve));
    await lifetime.untilIdle();
  }
}
