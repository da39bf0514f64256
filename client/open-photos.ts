/** Composes the part of the engine that stores and sends photos. Loaded when a device first has a photo. */
import { combineLatest, type Observable, type Subject } from 'rxjs';
import { distinctUntilChanged, scan } from 'rxjs/operators';
import type { TrustedClock } from './core/clock.ts';
import type { Lifetime } from './core/lifetime.ts';
import type { Locks } from './core/locks.ts';
import type { GembaOptions } from './gemba.ts';
import type { Outbox } from './outbox/outbox.ts';
import { DevicePhotos } from './photos/device-photos.ts';
import { openOpfsPhotoFiles } from './photos/opfs-photo-files.ts';
import { openRowPhotoFiles } from './photos/photo-files.ts';
import { createPhotoNetwork, readPlatformConnection } from './photos/photo-policy.ts';
import { createPhotoRequests } from './photos/photo-requests.ts';
import {
  carrierPieceBytesMax,
  carrierSendRate,
  carrierReadRate,
  networkSendRate,
  networkReadRate,
  RateLimiter,
} from './photos/request-rate.ts';
import { PhotoRows } from './photos/photo-rows.ts';
import { PhotoSender } from './photos/photo-sender.ts';
import { PhotoUpkeep } from './photos/photo-upkeep.ts';
import { createPhotoWorker } from './photos/encode/photo-worker-client.ts';
import { tapRowId } from './recording/drafts.ts';
import type { DeviceTables } from './storage/device-tables.ts';
import type { Detour } from './sync/net/detour.ts';
import type { Status } from './sync/tabs/status.ts';
import type { View } from './view/view.ts';

/** The parts of the engine that photos need. */
export interface PhotosEngine {
  options: GembaOptions;
  store: DeviceTables;
  outbox: Outbox;
  view: View;
  locks: Locks;
  clock: TrustedClock;
  lifetime: Lifetime;
  /** Photos take the same way to the server as the sync's requests: the network or a carrier. */
  detour: Pick<Detour, 'fetch' | 'carrierFetch'>;
  requireSpace(): Promise<void>;
  status$: Observable<Pick<Status, 'phase'>>;
  /** Receives the number of photos that the server lacks. */
  unsent$: Subject<number>;
}

const sweepIntervalMs = 86_400_000;

export async function openPhotos({
  options,
  store,
  outbox,
  view,
  locks,
  clock,
  lifetime,
  detour,
  requireSpace,
  status$,
  unsent$,
}: PhotosEngine): Promise<{ photos: DevicePhotos; upkeep: PhotoUpkeep }> {
  const { url, name, storage, photos: platform = {} } = options;
  const { schedule } = clock;
  const worker = typeof Worker === 'undefined' ? undefined : createPhotoWorker(schedule);
  const files =
    platform.files ??
    (worker && !storage ? await openOpfsPhotoFiles(name, worker) : undefined) ??
    (await openRowPhotoFiles(store, schedule));
  const rows = await PhotoRows.open(store, schedule);
  const network = createPhotoNetwork(platform.connection ?? readPlatformConnection(), { detour, status$ });
  const fetch = options.fetch ?? globalThis.fetch.bind(globalThis);
  const carrierSends = new RateLimiter(clock, carrierSendRate);
  const carrierReads = new RateLimiter(clock, carrierReadRate);
  const networkSends = new RateLimiter(clock, networkSendRate);
  const networkReads = new RateLimiter(clock, networkReadRate);
  const requests = createPhotoRequests({
    url,
    fetch: (...request) => (detour.fetch ?? fetch)(...request),
    token: () => options.token ?? outbox.device.token,
    ownAccount: () => {
      const { account_id: accountId } = outbox.device;
      const isOwnToken = options.token === undefined;
      return isOwnToken || accountId === undefined ? undefined : { accountId, cursor: view.base.cursor?.cursor ?? '' };
    },
    schedule,
    limiter: { wait: (signal) => (detour.carrierFetch ? carrierSends : networkSends).wait(signal) },
    readLimiter: { wait: (signal) => (detour.carrierFetch ? carrierReads : networkReads).wait(signal) },
    pieceBytesMax: () => (detour.carrierFetch ? carrierPieceBytesMax : Infinity),
  });
  const upkeep = new PhotoUpkeep({
    rows,
    files,
    outbox,
    view,
    drafts: store.drafts,
    hasDraft: (session) => store.drafts.get(tapRowId(session, 0)) !== undefined,
    clock,
  });
  const sender = new PhotoSender({
    rows,
    files,
    requests,
    locks,
    clock,
    random: options.random ?? Math.random,
    network,
    findUnsent: () => upkeep.findUnsent(),
  });
  const { storageHealth } = store;
  const encoder = platform.encoder ?? worker;
  const photos = new DevicePhotos({
    rows,
    files,
    encoder,
    requests,
    sender,
    upkeep,
    ended: lifetime.signal,
    clock,
    network,
    storageHealth,
    requireSpace,
    status$,
  });
  // Lets photos be sent while nothing waits to be pushed. A pull does not interrupt the sending; new mutations do.
  const mayRun$ = combineLatest([status$, view.changed$]).pipe(
    scan((may, [{ phase }]) => {
      const isAtRest = phase === 'idle' || (may && phase === 'syncing');
      return isAtRest && view.unsettled.length === 0;
    }, false),
    distinctUntilChanged(),
  );
  const subscription = mayRun$.subscribe((mayRun) => (mayRun ? sender.resume() : sender.pause()));
  subscription.add(photos.status$.subscribe(({ pending, refused }) => unsent$.next(pending + refused)));
  subscription.add(network.changed$.subscribe(() => sender.recheck()));
  const sendFound = async () => {
    if (await upkeep.findUnsent()) sender.run();
  };
  // Looks for photos that a changed record refers to. The record may be a pulled run whose recording another device
  // finished.
  const onViewChanged = () => rows.inState('taken').length > 0 && lifetime.run(sendFound).catch(() => {});
  subscription.add(view.changed$.subscribe(() => void onViewChanged()));
  let cancelSweep = () => {};
  const sweep = async () => {
    cancelSweep = schedule(sweepIntervalMs, () => void sweep());
    const before = rows.inState('unsent').length;
    await lifetime.run(() => upkeep.sweep()).catch(() => undefined);
    if (rows.inState('unsent').length > before) sender.run();
  };
  const end = () => {
    subscription.unsubscribe();
    cancelSweep();
    sender.stop();
    worker?.end();
  };
  // The engine may have closed while the rows were being read.
  if (lifetime.signal.aborted) end();
  else {
    lifetime.signal.addEventListener('abort', end);
    await sweep();
  }
  return { photos, upkeep };
}
