/** Loads the code of photos, and opens their storage, when a device first has a photo. Most devices never have one. */
import { BehaviorSubject, combineLatest, defer, type Observable, type Subscription } from 'rxjs';
import { map, switchMap } from 'rxjs/operators';
import type { PhotosEngine } from './open-photos.ts';
import type { DevicePhotos } from './photos/device-photos.ts';
import type { PhotoSize, PhotoVerbs } from './photos/photo-verbs.ts';
import type { KeepPhoto } from './recording/taps/take-photo.ts';
import type { Status } from './sync/tabs/status.ts';

export interface PhotosOnDemand {
  keepPhoto: KeepPhoto;
  photos$: PhotoVerbs['photos$'];
  photo$(id: string, size?: PhotoSize): Observable<Blob | 'awaited'>;
  verbs: Pick<PhotoVerbs, 'setPhotoPolicy' | 'sendPhotosNow' | 'retryPhotos'>;
  /** Deletes this device's copies of photos that the server has. */
  removeStored(): Promise<void>;
  /** Must be called once the device can sync. Returns the status with the number of photos that the server lacks. */
  connect(status$: Observable<Status>): Observable<Status>;
  close(): void;
}

export function photosOnDemand(engine: Omit<PhotosEngine, 'status$' | 'unsent$'>): PhotosOnDemand {
  const status$ = new BehaviorSubject<Pick<Status, 'phase'>>({ phase: 'offline' });
  const unsent$ = new BehaviorSubject(0);
  let subscription: Subscription | undefined;
  let opening: ReturnType<typeof import('./open-photos.ts').openPhotos> | undefined;
  const open = () =>
    (opening ??= import('./open-photos.ts')
      .then(({ openPhotos }) => openPhotos({ ...engine, status$, unsent$ }))
      .catch((error: unknown) => {
        opening = undefined;
        throw error;
      }));

  const whenOpen = <Value>(select: (photos: DevicePhotos) => Observable<Value>) =>
    defer(open).pipe(switchMap(({ photos }) => select(photos)));
  const openIfNeeded = async () => {
    const { hasPhotos } = await import('./photos/has-photos.ts');
    if (await hasPhotos(engine)) await open();
  };

  return {
    keepPhoto: async (...given) => (await open()).photos.keep(...given),
    photos$: whenOpen((photos) => photos.status$),
    photo$: (...given) => whenOpen((photos) => photos.photo$(...given)),
    verbs: {
      setPhotoPolicy: async (policy) => (await open()).photos.setPolicy(policy),
      sendPhotosNow: async () => (await open()).photos.sendNow(),
      retryPhotos: async () => (await open()).photos.retry(),
    },
    removeStored: async () => {
      await openIfNeeded().catch(() => undefined);
      await (await opening)?.upkeep.removeStored();
    },
    connect: (source$) => {
      let hasLooked = false;
      subscription = source$.subscribe((status) => {
        status$.next(status);
        // Looks for photos again after this tab has sent mutations. A tab that has closed since may have stored their
        // photos.
        if (status.phase === 'syncing' && status.pending > 0) hasLooked = false;
        if (hasLooked || status.phase !== 'idle') return;
        hasLooked = true;
        openIfNeeded().catch(() => (hasLooked = false));
      });
      return combineLatest([source$, unsent$]).pipe(
        map(([status, photos]) => (photos > 0 ? { ...status, photos } : status)),
      );
    },
    close: () => subscription?.unsubscribe(),
  };
}
