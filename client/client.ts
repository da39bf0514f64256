/** Opens the engine of one device. Time, randomness, storage and network come in here. */
import { combineLatest, type Observable } from 'rxjs';
import { distinctUntilChanged, map } from 'rxjs/operators';
import type { RecordKind } from '../shared/protocol/pull.ts';
import { recordKinds } from '../shared/protocol/pull.ts';
import { isoTime, systemClock, type Clock } from './clock.ts';
import { randomIds } from './ids.ts';
import type { Custody, Gemba } from './gemba.ts';
import { attentions, resolveAttention } from './outbox/resolve.ts';
import { Outbox, receiptMsMax } from './outbox/outbox.ts';
import { Recordings } from './recorder/recordings.ts';
import { openDeviceStore, type DeviceStorage, type DeviceStore } from './store/device-store.ts';
import { locksOf } from './store/locks.ts';
import { phaseOf, type Status } from './sync/status.ts';
import { Sync } from './sync/sync.ts';
import { httpTransport, type Fetch } from './sync/transport.ts';
import { verbsOf } from './verbs.ts';
import { View } from './view/view.ts';

export type { Clock } from './clock.ts';
export { GembaError, type DeviceErrorCode } from './errors.ts';
export type { Custody, Gemba } from './gemba.ts';
export type { Attention, Remedy } from './outbox/attention.ts';
export type { Finished, Recording, StepFields } from './recorder/recording.ts';
export type { RecordingTarget } from './recorder/recordings.ts';
export type { DeviceStorage } from './store/device-store.ts';
export type { Progress, Status } from './sync/status.ts';
export type { Pending } from './view/view.ts';

export interface GembaOptions {
  /** Names the device's database; one engine a name and process. */
  name: string;
  /** Where the server is, such as https://gemba.example. */
  url: string;
  /** An API key or a device token; without one, that of the pairing. */
  token?: string;
  /** An RxDB storage; the default is Dexie on IndexedDB with strict durability. */
  storage?: DeviceStorage;
  /** Parts of the clock to replace. */
  clock?: Partial<Clock>;
  fetch?: Fetch;
  /** A wearable pulls maps alone. */
  kind?: 'phone' | 'wearable';
}

export async function openGemba(options: GembaOptions): Promise<Gemba> {
  const store = await openDeviceStore(options.name, options.storage);
  try {
    return await openEngine(store, options);
  } catch (error) {
    // Whoever opens again must find the database free.
    await store.close();
    throw error;
  }
}

async function openEngine(store: DeviceStore, options: GembaOptions): Promise<Gemba> {
  const { name, url, kind = 'phone' } = options;
  const clock: Clock = { ...systemClock, ...options.clock };
  const now = () => isoTime(clock.wallMs());
  const ids = randomIds;
  const locks = locksOf(name);
  const outbox = await Outbox.open({ table: store.outbox, locks, ids, now });
  const recordings = await Recordings.open({ table: store.drafts, outbox, locks, clock, ids });
  await outbox.pruneReceipts(isoTime(clock.wallMs() - receiptMsMax));
  const view = new View(store.records, outbox);
  const transport = httpTransport({
    url,
    fetch: options.fetch ?? globalThis.fetch.bind(globalThis),
    token: () => options.token ?? outbox.device.token,
    timeout: (ms) => AbortSignal.timeout(ms),
  });
  const kinds: readonly RecordKind[] = kind === 'wearable' ? ['map'] : recordKinds;
  const sync = new Sync({ store, outbox, view, transport, locks, clock, random: Math.random, kinds });

  return {
    maps$: view.maps$(false),
    deletedMaps$: view.maps$(true),
    map$: (mapId) => view.map$(mapId),
    runs$: (mapId) => view.runs$(mapId),
    run$: (runId) => view.run$(runId),
    ...verbsOf({ view, outbox, recordings, ids, now }),
    recording$: recordings.recording$,
    custody$: (session) => custody$(view, outbox, session),
    status$: status$({ sync, view, outbox }),
    attention$: view.changed$.pipe(map(() => attentions({ view, outbox }))),
    resolve: (seq, remedy) => resolveAttention({ view, outbox, ids, seq, remedy }),
    sync: () => sync.ask(),
    pair: async (code, deviceName) => {
      const { device_id } = outbox.device;
      const { token } = await transport.pair({ code, device_id, device_name: deviceName, device_kind: kind });
      await outbox.rememberToken(token);
      void sync.ask();
    },
    close: async () => {
      sync.stop();
      await store.close();
    },
  };
}

function status$({ sync, view, outbox }: { sync: Sync; view: View; outbox: Outbox }): Observable<Status> {
  return combineLatest([sync.state$, sync.progress$, view.changed$]).pipe(
    map(([state, progress]) => ({
      phase: phaseOf(state),
      pending: view.pending.length,
      oldest_pending_at: view.pending[0]?.recorded_at ?? null,
      last_synced_at: view.base.cursor?.synced_at ?? null,
      attention: attentions({ view, outbox }).length,
      error: state.error,
      progress,
    })),
    distinctUntilChanged((a, b) => JSON.stringify(a) === JSON.stringify(b)),
  );
}

/** The server has a recording once its run, or that its mutation was done, came with the pull. */
function custody$(view: View, outbox: Outbox, recordingSessionId: string): Observable<Custody> {
  return view.changed$.pipe(
    map((): Custody => {
      if (view.base.runIdOfSession.has(recordingSessionId)) return 'server';
      const mutation = outbox.uploadOf(recordingSessionId);
      if (mutation?.state === 'receipt') return 'server';
      const settled = mutation?.state === 'pending' && mutation.seq <= view.settledSeq;
      const refused = attentions({ view, outbox }).some(
        ({ args }) => args['recording_session_id'] === recordingSessionId,
      );
      return settled && !refused ? 'server' : 'device';
    }),
    distinctUntilChanged(),
  );
}
