/** The photos of a device: stores and sends the photos that the device takes, and reads the photos of other devices. */
import { defer, merge, Observable } from 'rxjs';
import { distinctUntilChanged, exhaustMap, filter, map, takeWhile } from 'rxjs/operators';
import { hexOfPhotoId, photoIdOf } from '../../shared/schema/photos/photo-id.ts';
import { isoTime, type TrustedClock } from '../core/clock.ts';
import { GembaError } from '../core/errors.ts';
import { sha256OfBytes } from '../core/hash.ts';
import { throwIfInvalid } from '../core/validate.ts';
import type { TakenPhoto } from '../recording/recording.ts';
import { storageFullError, type StorageHealth } from '../storage/storage-health.ts';
import type { PhotoPolicy } from './row-shapes.ts';
import type { Status } from '../sync/tabs/status.ts';
import { thumbnailNameOf, type PhotoFiles } from './photo-files.ts';
import type { PhotoRequests } from './photo-requests.ts';
import type { PhotoRows } from './photo-rows.ts';
import type { PhotoSender } from './photo-sender.ts';
import { RequestError } from '../sync/net/failure.ts';
import { isPhotoNotFound } from './send-failure.ts';
import type { PhotoNetwork } from './photo-policy.ts';
import { watchPhotosStatus } from './photos-status.ts';
import type { PhotoUpkeep } from './photo-upkeep.ts';
import type { PhotoEncoder } from './encode/photo-worker-client.ts';
import type { PhotoSize, PhotosStatus } from './photo-verbs.ts';

interface DevicePhotosOptions {
  rows: PhotoRows;
  files: PhotoFiles;
  encoder: PhotoEncoder | undefined;
  requests: PhotoRequests;
  sender: PhotoSender;
  upkeep: PhotoUpkeep;
  /** Aborts when the engine closes. */
  ended: AbortSignal;
  clock: TrustedClock;
  network: PhotoNetwork;
  storageHealth: StorageHealth;
  /** Throws `storage_full` if the space may not be enough to finish a recording. */
  requireSpace(): Promise<void>;
  status$: Observable<Pick<Status, 'phase'>>;
}

const askAgainMs = 60_000;

export class DevicePhotos {
  readonly #options: DevicePhotosOptions;
  readonly status$: Observable<PhotosStatus>;

  constructor(options: DevicePhotosOptions) {
    this.#options = options;
    this.status$ = watchPhotosStatus(options);
  }

  /** Encodes a picture and stores the photo. Rejects with `photo_unreadable` or `storage_full`. */
  async keep(picture: Blob, session: string): Promise<TakenPhoto> {
    const { requireSpace, clock } = this.#options;
    await requireSpace();
    const { photo, thumbnail, width, height } = await this.#encode(picture);
    const hex = await sha256OfBytes(await photo.arrayBuffer());
    await this.#write(hex, photo);
    if (thumbnail) await this.#write(thumbnailNameOf(hex), thumbnail);
    await this.#putRow(hex, (known) => ({
      kind: 'photo',
      sessions: [...new Set([...(known?.sessions ?? []), session])],
      content_type: 'image/jpeg',
      bytes: photo.size,
      width,
      height,
      taken_at: isoTime(clock.wallMs()),
      // Start again at `taken`, even if the photo was stored long ago: the server may have removed it since.
      state: known?.state === 'unsent' ? 'unsent' : 'taken',
      is_declared: false,
      sends_anyway: false,
      stored_at: null,
      problem: null,
    }));
    return { id: photoIdOf(hex) };
  }

  /** Emits `awaited` until this device or the server has the photo. Then emits the photo and completes. */
  photo$(id: string, size: PhotoSize = 'photo'): Observable<Blob | 'awaited'> {
    return defer(() => {
      const hex = hexOfPhotoId(id);
      throwIfInvalid(hex === undefined ? [{ path: '/id', message: 'must be the id of a photo' }] : []);
      const { rows, status$ } = this.#options;
      const atRest$ = status$.pipe(
        map(({ phase }) => phase === 'idle'),
        distinctUntilChanged(),
        filter(Boolean),
      );
      const isHere$ = rows.changed$.pipe(
        map(() => rows.get(hex!) !== undefined),
        distinctUntilChanged(),
      );
      return merge(isHere$, atRest$, this.#eachMinute$).pipe(
        exhaustMap(() => this.#read$(hex!, size)),
        distinctUntilChanged(),
        takeWhile((found) => found === 'awaited', true),
      );
    });
  }

  /**
   * Emits each minute, to read the photo from the server again. A pull does not tell when a photo arrives there, since
   * no record changes.
   */
  get #eachMinute$(): Observable<void> {
    return new Observable((subscriber) => {
      let cancel = () => {};
      const wait = () => {
        cancel = this.#options.clock.schedule(askAgainMs, () => {
          if (this.#options.ended.aborted) return subscriber.complete();
          wait();
          subscriber.next();
        });
      };
      wait();
      return () => cancel();
    });
  }

  async setPolicy(policy: PhotoPolicy): Promise<void> {
    const isPolicy = policy === 'always' || policy === 'wifi' || policy === 'ask';
    throwIfInvalid(isPolicy ? [] : [{ path: '/policy', message: 'must be always, wifi or ask' }]);
    await this.#options.rows.changeSettings({ policy });
    this.#options.sender.recheck();
  }

  /** Sends all photos of this device, whatever the photo policy says, and tries refused ones again. */
  async sendNow(): Promise<void> {
    const { rows, upkeep } = this.#options;
    await upkeep.sweep();
    for (const state of ['taken', 'unsent', 'refused'] as const)
      for (const { hex } of rows.inState(state)) await rows.update(hex, state, { sends_anyway: true });
    await this.retry();
  }

  async retry(): Promise<void> {
    const { rows, sender } = this.#options;
    for (const { hex } of rows.inState('refused'))
      await rows.update(hex, 'refused', { state: 'unsent', problem: null });
    await rows.setHold(undefined);
    sender.run();
  }

  async #encode(picture: Blob): ReturnType<PhotoEncoder['encode']> {
    try {
      const encoded = await this.#options.encoder?.encode(picture);
      if (encoded) return encoded;
    } catch {
      // A decoder's error tells a person no more than `photo_unreadable` does.
    }
    throw new GembaError({ code: 'photo_unreadable', detail: 'This device cannot read the picture.' });
  }

  /** Writes the row of a photo. If the write fails, removes the photo's files, which no row would mention. */
  async #putRow(hex: string, change: Parameters<PhotoRows['put']>[1]): Promise<void> {
    const { rows, files } = this.#options;
    try {
      await rows.put(hex, change);
    } catch (error) {
      if (!rows.get(hex))
        for (const name of [hex, thumbnailNameOf(hex)]) await files.remove(name).catch(() => undefined);
      throw error;
    }
  }

  /** Writes a file, unless it exists. A second write could fail halfway and destroy the first file. */
  async #write(name: string, content: Blob): Promise<void> {
    const { files } = this.#options;
    if ((await files.size(name)) === content.size) return;
    try {
      await files.write(name, content);
    } catch (error) {
      const isFull = error instanceof DOMException && error.name === 'QuotaExceededError';
      if (!isFull) throw error;
      this.#options.storageHealth.reportFull();
      throw storageFullError();
    }
  }

  #read$(hex: string, size: PhotoSize): Observable<Blob | 'awaited'> {
    return new Observable((subscriber) => {
      if (this.#options.ended.aborted) return subscriber.complete();
      const controller = new AbortController();
      void this.#read(hex, size, controller.signal).then((found) => {
        subscriber.next(found);
        subscriber.complete();
      });
      return () => controller.abort();
    });
  }

  /** Reads the photo from this device or the server. Any failure resolves to `awaited`. */
  async #read(hex: string, size: PhotoSize, signal: AbortSignal): Promise<Blob | 'awaited'> {
    const { files, requests } = this.#options;
    const local = await files.read(size === 'thumbnail' ? thumbnailNameOf(hex) : hex).catch(() => undefined);
    if (local) return local;
    try {
      const received = await requests.read(photoIdOf(hex), size, signal);
      // Check the hash, since a captive portal may answer with another picture. A thumbnail cannot be checked, since
      // the id contains only the hash of the photo.
      const isExpected = size === 'thumbnail' || (await sha256OfBytes(await received.arrayBuffer())) === hex;
      return isExpected ? received : 'awaited';
    } catch (error) {
      // Read the photo instead, since another program may have uploaded the photo without a thumbnail.
      const hasNoThumbnail = size === 'thumbnail' && error instanceof RequestError && isPhotoNotFound(error.failure);
      return hasNoThumbnail ? this.#read(hex, 'photo', signal) : 'awaited';
    }
  }
}
