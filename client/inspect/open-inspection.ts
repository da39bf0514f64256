/** Composes the verbs that show what an engine does. They read its parts; only a trace changes one, the detour. */
import { firstValueFrom, merge, type Observable } from 'rxjs';
import { map } from 'rxjs/operators';
import { migrations } from '../storage/migration/migrations.ts';
import { isoTime } from '../core/clock.ts';
import { appVersion, protocolVersion } from '../../shared/protocol/version.ts';
import type { ObservedEngine } from './inspected-engine.ts';
import type { InspectorVerbs } from './inspector-verbs.ts';
import { Pseudonyms } from './pseudonyms.ts';
import { readCustody } from './read-custody.ts';
import { readOutbox } from './read-outbox.ts';
import { listMaps, listRuns, readBase, readRecord } from './read-records.ts';
import { readJournal, readStorage } from './read-storage.ts';
import type { DeviceSnapshot, EngineFacts, PlatformFacts } from './shapes.ts';
import { recordsMax, supportBundleOf } from './support-bundle.ts';
import { SyncTrace } from './sync-trace.ts';

export function openInspection(engine: ObservedEngine): InspectorVerbs {
  const { outbox, view, recordings, store, clock, lifetime, status$ } = engine;
  const trace = new SyncTrace(engine);
  const pseudonyms = new Pseudonyms();
  let journalWrittenAt: string | null = null;
  const onWrite = () => {
    if (store.journal.state$.value === 'kept') journalWrittenAt = isoTime(clock.wallMs());
  };
  const writes = [store.outbox.onWrite('observer', onWrite), store.drafts.onWrite('observer', onWrite)];
  lifetime.signal.addEventListener('abort', () => {
    trace.stop();
    for (const subscription of writes) subscription.unsubscribe();
  });
  const snapshot = async (): Promise<DeviceSnapshot> => {
    const [status, custody, journal, storage] = await Promise.all([
      firstValueFrom(status$),
      readCustody(engine),
      readJournal(engine, journalWrittenAt),
      readStorage(engine),
    ]);
    const { facts } = trace;
    return {
      taken_at: isoTime(clock.wallMs()),
      engine: engineFacts(engine),
      platform: platformFacts(),
      status,
      outbox: readOutbox(outbox, facts),
      base: readBase(view),
      custody,
      trace: facts,
      journal,
      storage,
    };
  };
  const whileOpen = <Result>(read: () => Result | Promise<Result>) => lifetime.runUnawaited(async () => read());
  const sources: Observable<unknown>[] = [view.changed$, recordings.recording$, store.journal.state$, status$];
  return {
    snapshot: () => whileOpen(snapshot),
    maps: () => whileOpen(() => listMaps(view)),
    runs: (mapId) => whileOpen(() => listRuns(view, mapId)),
    record: (kind, id) => whileOpen(() => readRecord(view, kind, id, trace.facts)),
    trace: (isOn) => whileOpen(() => (isOn ? trace.start() : trace.stop())),
    changes$: merge(trace.changed$, ...sources).pipe(map(() => undefined)),
    supportBundle: (options = {}) =>
      whileOpen(async () => {
        const { base, ...rest } = await snapshot();
        const records = base.pending.slice(0, recordsMax).map(({ kind, id }) => readRecord(view, kind, id, rest.trace));
        return supportBundleOf({ snapshot: { base, ...rest }, records, pseudonyms }, options);
      }),
  };
}

function engineFacts({ options, outbox, view }: ObservedEngine): EngineFacts {
  const { client_id, device_id, account_id, token, last_seq, offered_seq, proven_seq } = outbox.device;
  const { runsMax, runsDays, runsPerMap } = options.scope?.bounds ?? {};
  const numbers = Object.entries({ runs_max: runsMax, runs_days: runsDays, runs_per_map: runsPerMap });
  return {
    version: appVersion,
    protocol: protocolVersion,
    rows_version: migrations.length,
    kind: options.kind ?? 'phone',
    server: new URL(options.url).origin,
    database: options.name,
    device_id,
    client_id,
    account_id: account_id ?? null,
    has_token: options.token !== undefined || token !== null,
    last_seq,
    sent_seq: offered_seq ?? null,
    proven_seq: proven_seq ?? (view.client ? view.settledSeq : null),
    options: {
      ...Object.fromEntries(numbers.filter((entry): entry is [string, number] => entry[1] !== undefined)),
      push_effects: options.pushEffects ?? options.fetch === undefined,
      packed_pages: options.packedPages ?? options.fetch === undefined,
      report: options.report ?? true,
      own_fetch: options.fetch !== undefined,
      carries: options.carrier !== undefined,
      hands_over: options.handOver !== undefined,
    },
  };
}

function platformFacts(): PlatformFacts {
  const { userAgent, language, onLine }: Partial<Navigator> = globalThis.navigator ?? {};
  return {
    user_agent: userAgent ?? null,
    language: language ?? null,
    time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    is_online: onLine ?? null,
    is_visible: typeof document === 'undefined' ? null : document.visibilityState === 'visible',
  };
}
