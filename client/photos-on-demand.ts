/** Loads the code of photos and opens their rows when a device first has to do with a photo. Most devices never do. */
import { BehaviorSubject, defer, Subscription, type Observable } from 'rxjs';
import { filter, switchMap, take } from 'rxjs/operators';
import type { PhotosEngine } from './open-photos.ts';
import type { DevicePhotos } from './photos/device-photos.ts';
import type { PhotoSize, PhotoVerbs } from './photos/photo-verbs.ts';
import { photosOf } from './photos/find-references.ts';
import type { KeepPhoto } from './recording/photo-taps.ts';
import type { Status } from './sync/tabs/status.ts';

export interface PhotosOnDemand {
  keepPhoto: KeepPhoto;
  photos$: PhotoVerbs['photos$'];
  photo$(id: string, size?: PhotoSize): Observable<Blob | 'awaited'>;
  verbs: Pick<PhotoVerbs, 'setPhotoPolicy' | 'sendPhotosNow'>;
  /** Must be called once the device can sync. */
  connect(status$: Observable<Pick<Status, 'phase'>>): void;
  close(): void;
}

export function photosOnDemand(engine: Omit<PhotosEngine, 'status$'>): PhotosOnDemand {
  const status$ = new BehaviorSubject<Pick<Status, 'phase'>>({ phase: 'offline' });
  const subscriptions = new Subscription();
  let opening: Promise<DevicePhotos> | undefined;
  const open = () =>
    (opening ??= import('./open-photos.ts')
      .then(({ openPhotos }) => openPhotos({ ...engine, status$ }))
      .catch((error: unknown) => {
        opening = undefined;
        throw error;
      }));

  /** Photos of earlier openings wait to be sent. Where rows hold the bytes, only recordings tell that there are any. */
  const hasPhotos = async (): Promise<boolean> => {
    const { outbox, options, store } = engine;
    const refers = (['pending', 'forwarded', 'receipt', 'refused'] as const).some((state) =>
      outbox.entries(state).some(({ args }) => photosOf(args['steps']).length > 0),
    );
    if (refers || [...store.drafts.entries()].some(([, { kind }]) => kind === 'photographed')) return true;
    if (options.storage || typeof navigator === 'undefined') return false;
    const { hasPhotoFolder } = await import('./photos/opfs-photo-files.ts');
    return hasPhotoFolder(options.name);
  };

  return {
    keepPhoto: async (picture, session) => (await open()).keep(picture, session),
    photos$: defer(open).pipe(switchMap((photos) => photos.status$)),
    photo$: (id, size) => defer(open).pipe(switchMap((photos) => photos.photo$(id, size))),
    verbs: {
      setPhotoPolicy: async (policy) => (await open()).setPolicy(policy),
      sendPhotosNow: async () => (await open()).sendNow(),
    },
    connect: (source$) => {
      subscriptions.add(source$.subscribe(status$));
      const firstIdle$ = source$.pipe(
        filter(({ phase }) => phase === 'idle'),
        take(1),
      );
      const openIfNeeded = async () => void ((await hasPhotos()) && (await open()));
      // A failure is told by the next use of a photo.
      subscriptions.add(firstIdle$.subscribe(() => void openIfNeeded().catch(() => undefined)));
    },
    close: () => subscriptions.unsubscribe(),
  };
}
