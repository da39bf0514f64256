/**
 * Composes the verbs of an inspector for one engine. The verbs only read the engine, but a trace changes the detour, an
 * object that can replace the engine's `fetch`.
 */
import { firstValueFrom, Observable } from 'rxjs';
import { isoTime } from '../core/clock.ts';
import type { ObservedEngine } from './inspected-engine.ts';
import type { InspectorVerbs } from './inspector-verbs.ts';
import { Pseudonyms } from './support/pseudonyms.ts';
import { custodyChanges, readCustody } from './read-custody.ts';
import { readEngine, readPlatform } from './read-engine.ts';
import { readOutbox } from './read-outbox.ts';
import { listMaps, listRuns, readBase, readRecord } from './read-records.ts';
import { readJournal, readStorage } from './read-storage.ts';
import type { DeviceSnapshot, Snapshot, SnapshotPart } from './shapes.ts';
import { bundledRecordsMax, supportBundleOf } from './support/support-bundle.ts';
import { SyncTrace } from './sync-trace.ts';

export interface Inspection extends InspectorVerbs {
  /** Ends the trace and the inspection's subscriptions to the engine. */
  end(): void;
}

type PartReaders = { [Part in SnapshotPart]: () => DeviceSnapshot[Part] | Promise<DeviceSnapshot[Part]> };

export function openInspection(engine: ObservedEngine): Inspection {
  const { outbox, view, recordings, store, clock, lifetime, status$ } = engine;
  const trace = new SyncTrace(engine);
  const pseudonyms = new Pseudonyms();
  let journalWrittenAt: string | null = null;
  const onWrite = () => {
    if (store.journal.state$.value === 'kept') journalWrittenAt = isoTime(clock.wallMs());
  };
  const writes = [store.outbox.onWrite('observer', onWrite), store.drafts.onWrite('observer', onWrite)];
  const end = () => {
    trace.stop();
    for (const subscription of writes) subscription.unsubscribe();
  };
  lifetime.signal.addEventListener('abort', end);
  const readers: PartReaders = {
    engine: () => readEngine(engine),
    platform: () => readPlatform(),
    status: () => firstValueFrom(status$),
    outbox: () => readOutbox(outbox, trace.facts),
    base: () => readBase(view),
    custody: () => readCustody(engine),
    trace: () => trace.facts,
    journal: () => readJournal(engine, journalWrittenAt),
    storage: () => readStorage(engine),
  };
  const allParts = Object.keys(readers) as SnapshotPart[];
  const snapshot = async <Part extends SnapshotPart>(parts: readonly Part[]): Promise<Snapshot<Part>> => {
    const read = await Promise.all(parts.map(async (part) => [part, await readers[part]()] as const));
    return { taken_at: isoTime(clock.wallMs()), ...Object.fromEntries(read) } as Snapshot<Part>;
  };
  const whileOpen = <Result>(read: () => Result | Promise<Result>) => lifetime.runUnawaited(async () => read());
  const sources = [trace.changed$, view.changed$, recordings.recording$, store.journal.state$, status$];
  return {
    snapshot: (parts) => whileOpen(() => snapshot(parts ?? allParts)),
    maps: () => whileOpen(() => listMaps(view)),
    runs: (mapId) => whileOpen(() => listRuns(view, mapId)),
    record: (kind, id) => whileOpen(() => readRecord(view, kind, id, trace.facts)),
    trace: (isOn) => whileOpen(() => (isOn ? trace.start() : trace.stop())),
    changes$: changesOf([...sources, ...custodyChanges(engine)]),
    supportBundle: (options = {}) =>
      whileOpen(async () => {
        const { base, ...rest } = await snapshot(allParts);
        const records = base.pending
          .slice(0, bundledRecordsMax)
          .map(({ kind, id }) => readRecord(view, kind, id, rest.trace));
        return supportBundleOf({ snapshot: { base, ...rest }, records, pseudonyms }, options);
      }),
    end,
  };
}

/** Emits when one of the sources emits. A failing source does not end the others. */
const changesOf = (sources: readonly Observable<unknown>[]): Observable<void> =>
  new Observable((subscriber) => {
    for (const source of sources)
      subscriber.add(source.subscribe({ next: () => subscriber.next(), error: () => undefined }));
  });
