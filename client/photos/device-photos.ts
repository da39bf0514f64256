/** The photos of a device: it keeps those that are taken, sends them, and shows those of others. */
import { combineLatest, defer, merge, Observable } from 'rxjs';
import { distinctUntilChanged, exhaustMap, map, takeWhile } from 'rxjs/operators';
import { hexOfPhotoId, photoIdOf } from '../../shared/schema/photos/photo-id.ts';
import { isoTime, type TrustedClock } from '../core/clock.ts';
import { GembaError } from '../core/errors.ts';
import { sha256Of } from '../core/hash.ts';
import { throwIfInvalid } from '../core/validate.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { TakenPhoto } from '../recording/recording.ts';
import { storageFullError, type StorageHealth } from '../storage/storage-health.ts';
import type { PhotoPolicy } from './row-shapes.ts';
import type { Status } from '../sync/tabs/status.ts';
import type { View } from '../view/view.ts';
import { refersTo } from './find-references.ts';
import { hexOfFile, thumbnailName, type PhotoFiles } from './photo-files.ts';
import type { PhotoRequests } from './photo-requests.ts';
import type { PhotoRows } from './photo-rows.ts';
import type { PhotoSender } from './photo-sender.ts';
import { maySend, type NetworkConnection } from './photo-policy.ts';
import type { PhotoEncoder } from './photo-worker-client.ts';
import type { PhotoSize, PhotosStatus } from './photo-verbs.ts';

interface DevicePhotosOptions {
  rows: PhotoRows;
  files: PhotoFiles;
  encoder: PhotoEncoder | undefined;
  requests: PhotoRequests;
  sender: PhotoSender;
  outbox: Pick<Outbox, 'uploads'>;
  view: Pick<View, 'runOfSession'>;
  /** Whether the recording is still a draft here, discarded ones included. */
  hasDraft(recordingSessionId: string): boolean;
  clock: TrustedClock;
  connection: NetworkConnection | undefined;
  storageHealth: StorageHealth;
  /** Throws `storage_full` if the space may not be enough to finish a recording. */
  requireSpace(): Promise<void>;
  status$: Observable<Pick<Status, 'phase'>>;
}

const dayMs = 86_400_000;
/** A stored photo stays here for this long, so that a person who just took it can look at it offline. */
const storedMsMax = 7 * dayMs;
const unusedMsMax = dayMs;
const askAgainMs = 60_000;

export class DevicePhotos {
  readonly #options: DevicePhotosOptions;
  readonly status$: Observable<PhotosStatus>;

  constructor(options: DevicePhotosOptions) {
    this.#options = options;
    this.status$ = this.#watchStatus();
  }

  /** Encodes a picture and stores the photo. Rejects with `photo_unreadable` or `storage_full`. */
  async keep(picture: Blob, session: string): Promise<TakenPhoto> {
    const { rows, requireSpace, clock } = this.#options;
    await requireSpace();
    const { photo, thumbnail, width, height } = await this.#encode(picture);
    const hex = await sha256Of(await photo.arrayBuffer());
    await this.#write(hex, photo);
    if (thumbnail) await this.#write(thumbnailName(hex), thumbnail);
    await rows.put(hex, (known) => ({
      kind: 'photo',
      sessions: [...new Set([...(known?.sessions ?? []), session])],
      content_type: 'image/jpeg',
      bytes: photo.size,
      width,
      height,
      taken_at: isoTime(clock.wallMs()),
      // The server may have collected a photo that it stored long ago.
      state: 'taken',
      is_declared: false,
      stored_at: null,
      problem: null,
    }));
    return { id: photoIdOf(hex) };
  }

  /** Emits the photo once this device or the server has it, and then ends. */
  photo$(id: string, size: PhotoSize = 'photo'): Observable<Blob | 'awaited'> {
    return defer(() => {
      const hex = hexOfPhotoId(id);
      throwIfInvalid(hex === undefined ? [{ path: '/id', message: 'must be the id of a photo' }] : []);
      const { rows, status$ } = this.#options;
      const phase$ = status$.pipe(
        map(({ phase }) => phase),
        distinctUntilChanged(),
      );
      const isHere$ = rows.changed$.pipe(
        map(() => rows.get(hex!) !== undefined),
        distinctUntilChanged(),
      );
      return merge(phase$, isHere$, this.#eachMinute$).pipe(
        exhaustMap(() => this.#read$(hex!, size)),
        distinctUntilChanged(),
        takeWhile((found) => found === 'awaited', true),
      );
    });
  }

  /** A photo that arrives at the server changes no record, so that no pull tells of it. */
  get #eachMinute$(): Observable<void> {
    return new Observable((subscriber) => {
      let cancel = () => {};
      const wait = () => {
        cancel = this.#options.clock.schedule(askAgainMs, () => {
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
    this.#options.sender.run();
  }

  /** Sends all photos that are here whatever the policy says, and tries those again that the server refused. */
  async sendNow(): Promise<void> {
    const { rows, sender, clock } = this.#options;
    const taken = rows.all().map(({ taken_at }) => taken_at);
    const last = [isoTime(clock.wallMs()), ...taken].toSorted().at(-1)!;
    await rows.changeSettings({ send_up_to: last });
    for (const { hex } of rows.inState('refused'))
      await rows.update(hex, 'refused', { state: 'unsent', problem: null });
    await rows.setHold(undefined);
    sender.run();
  }

  /** Makes those photos unsent to which a finished recording refers. */
  async findUnsent(): Promise<void> {
    const { rows, outbox, view } = this.#options;
    for (const { hex, sessions } of rows.inState('taken')) {
      const isReferenced = sessions.some((session) => refersTo({ outbox, view }, session, photoIdOf(hex)));
      if (isReferenced) await rows.update(hex, 'taken', { state: 'unsent' });
    }
  }

  /** Removes what is no longer needed here. Ignores failures, since the next opening tries again. */
  async sweep(): Promise<void> {
    const { rows, files, hasDraft, clock } = this.#options;
    await this.findUnsent();
    const before = (ms: number) => isoTime(clock.wallMs() - ms);
    for (const { hex, state, stored_at, taken_at, sessions } of rows.all()) {
      const isStoredLong = state === 'stored' && stored_at !== null && stored_at < before(storedMsMax);
      const isUnused = state === 'taken' && taken_at < before(unusedMsMax) && !sessions.some(hasDraft);
      if (isStoredLong || isUnused) await this.#remove(hex);
      else if (state === 'unsent' && !(await files.read(hex))) await rows.update(hex, 'unsent', { state: 'lost' });
    }
    for (const name of await files.namesBefore(clock.wallMs() - unusedMsMax))
      if (!rows.get(hexOfFile(name))) await files.remove(name);
  }

  async #remove(hex: string): Promise<void> {
    const { rows, files } = this.#options;
    await rows.remove(hex);
    await files.remove(hex);
    await files.remove(thumbnailName(hex));
  }

  async #encode(picture: Blob): ReturnType<PhotoEncoder['encode']> {
    try {
      const encoded = await this.#options.encoder?.encode(picture);
      if (encoded) return encoded;
    } catch {
      // Whatever a decoder says about a broken picture tells a person nothing more.
    }
    throw new GembaError({ code: 'photo_unreadable', detail: 'This device cannot read the picture.' });
  }

  async #write(name: string, content: Blob): Promise<void> {
    try {
      await this.#options.files.write(name, content);
    } catch (error) {
      const isFull = error instanceof DOMException && error.name === 'QuotaExceededError';
      if (!isFull) throw error;
      this.#options.storageHealth.reportFull();
      throw storageFullError();
    }
  }

  #read$(hex: string, size: PhotoSize): Observable<Blob | 'awaited'> {
    return new Observable((subscriber) => {
      const controller = new AbortController();
      void this.#read(hex, size, controller.signal).then((found) => {
        subscriber.next(found);
        subscriber.complete();
      });
      return () => controller.abort();
    });
  }

  /** A failure means no more than that the photo is not here yet. */
  async #read(hex: string, size: PhotoSize, signal: AbortSignal): Promise<Blob | 'awaited'> {
    const { files, requests } = this.#options;
    const local = await files.read(size === 'thumbnail' ? thumbnailName(hex) : hex).catch(() => undefined);
    return local ?? requests.read(photoIdOf(hex), size, signal).catch(() => 'awaited' as const);
  }

  #watchStatus(): Observable<PhotosStatus> {
    const { rows, sender, status$ } = this.#options;
    const offline$ = status$.pipe(map(({ phase }) => phase === 'offline'));
    return combineLatest([rows.changed$, sender.sentBytes$, sender.isUnreachable$, offline$]).pipe(
      map(([, sent, isUnreachable, isOffline]) => this.#statusOf(sent, isUnreachable || isOffline)),
      distinctUntilChanged((a, b) => JSON.stringify(a) === JSON.stringify(b)),
    );
  }

  #statusOf(sent: ReadonlyMap<string, number>, isOffline: boolean): PhotosStatus {
    const { rows, connection, clock } = this.#options;
    const unsent = rows.inState('unsent');
    const { hold, settings } = rows;
    const heldBy = () => {
      if (unsent.length === 0) return null;
      if (isOffline) return 'offline' as const;
      if (hold && hold.until > isoTime(clock.wallMs())) return hold.by;
      return unsent.some((photo) => maySend(settings, connection, photo)) ? null : ('metered' as const);
    };
    return {
      pending: unsent.length,
      bytes: unsent.reduce((sum, { hex, bytes }) => sum + bytes - (sent.get(hex) ?? 0), 0),
      held_by: heldBy(),
      policy: settings.policy,
      refused: rows.inState('refused').length,
      lost: rows.inState('lost').length,
    };
  }
}
