/**
 * Sends photos while no mutation waits: each one's thumbnail, then the photos one at a time.
 *
 *   taken ── a finished recording refers to it ─► unsent ─► declared, with its thumbnail ─► all bytes sent ─► stored
 *                                                   │ ▲                                         │
 *                                                   │ └── sent again once: the server got other bytes
 *                                                   └──► refused by the server for good, or lost by this device
 */
import { BehaviorSubject } from 'rxjs';
import { photoIdOf } from '../../shared/schema/photos/photo-id.ts';
import { isoTime, type TrustedClock } from '../core/clock.ts';
import { sha256Of } from '../core/hash.ts';
import type { Locks } from '../core/locks.ts';
import { exponentialBackoffMs } from '../sync/net/backoff.ts';
import { RequestError } from '../sync/net/failure.ts';
import { maySend, type NetworkConnection } from './photo-policy.ts';
import { base64Of, thumbnailName, type PhotoFiles } from './photo-files.ts';
import type { PhotoRequests } from './photo-requests.ts';
import type { KnownPhoto, PhotoRows } from './photo-rows.ts';
import { holdOf, isRefusal, saysNoServer } from './send-failure.ts';

interface PhotoSenderOptions {
  rows: PhotoRows;
  files: PhotoFiles;
  requests: PhotoRequests;
  locks: Locks;
  clock: TrustedClock;
  random: () => number;
  connection: NetworkConnection | undefined;
  /** Finds the photos that became unsent since. Called before photos are sent. */
  findUnsent(): Promise<void>;
}

const retryMsMin = 5_000;
const retryMsMax = 10 * 60_000;
/** So many photos may fail one after the other before the rest waits, too. */
const failuresInARowMax = 3;
/** An upload that something else keeps moving is left to the next attempt. */
const movesMax = 5;

export class PhotoSender {
  readonly #options: PhotoSenderOptions;
  /** The bytes of unsent photos that the server has, by their hex digits. */
  readonly sentBytes$ = new BehaviorSubject<ReadonlyMap<string, number>>(new Map());
  /** Whether the last attempt found no server. */
  readonly isUnreachable$ = new BehaviorSubject(false);
  #sending: AbortController | undefined;
  /** Whether something changed while photos were being sent. */
  #mustRunAgain = false;
  #mayRun = false;
  #isStopped = false;
  #failedAttempts = 0;
  /** How often each photo has failed, by its hex digits. The others go first. */
  readonly #failures = new Map<string, number>();
  #cancelRetry = () => {};

  constructor(options: PhotoSenderOptions) {
    this.#options = options;
  }

  /** Sends what may be sent now. Has no effect while something else goes first. */
  run(): void {
    if (!this.#mayRun || this.#isStopped) return;
    if (this.#sending) return void (this.#mustRunAgain = true);
    this.#cancelRetry();
    this.#mustRunAgain = false;
    const sending = new AbortController();
    this.#sending = sending;
    void this.#send(sending)
      .catch(() => this.#retryLater())
      .finally(() => {
        this.#sending = undefined;
        if (sending.signal.aborted || this.#mustRunAgain) this.run();
      });
  }

  /** Lets photos be sent. */
  resume(): void {
    this.#mayRun = true;
    this.run();
  }

  /** Breaks off what is being sent, since something else goes first. What arrived of it counts. */
  pause(): void {
    this.#mayRun = false;
    this.#cancelRetry();
    this.#sending?.abort();
  }

  stop(): void {
    this.#isStopped = true;
    this.pause();
  }

  async #send(sending: AbortController): Promise<void> {
    const { locks, rows } = this.#options;
    const { signal } = sending;
    await locks.hold('photos', { signal }, async (lost) => {
      lost.addEventListener('abort', () => sending.abort(), { once: true });
      await this.#options.findUnsent();
      if (this.#isHeld() || signal.aborted) return;
      if (rows.hold) await rows.setHold(undefined);
      let failures = 0;
      const attempt = async (photo: KnownPhoto, work: () => Promise<void>) => {
        if (signal.aborted || failures >= failuresInARowMax || this.#isHeld()) return;
        try {
          await work();
          failures = 0;
          this.isUnreachable$.next(false);
        } catch (error) {
          if (signal.aborted) return;
          failures += await this.#onFailure(photo, error);
        }
      };
      for (const photo of this.#unsent())
        if (!photo.is_declared) await attempt(photo, () => this.#declare(photo, signal).then(() => undefined));
      for (const photo of this.#unsent())
        if (this.#maySend(photo)) await attempt(photo, () => this.#upload(photo, signal));
      if (failures > 0 || this.#isHeld()) return this.#retryLater();
      this.#failedAttempts = 0;
    });
  }

  #unsent(): KnownPhoto[] {
    const failuresOf = ({ hex }: KnownPhoto) => this.#failures.get(hex) ?? 0;
    return this.#options.rows.inState('unsent').toSorted((a, b) => failuresOf(a) - failuresOf(b));
  }

  #isHeld(): boolean {
    const { rows, clock } = this.#options;
    return rows.hold !== undefined && rows.hold.until > isoTime(clock.wallMs());
  }

  #maySend(photo: KnownPhoto): boolean {
    return maySend(this.#options.rows.settings, this.#options.connection, photo);
  }

  /** Resolves to where the upload is. */
  async #declare(photo: KnownPhoto, signal: AbortSignal): Promise<{ offset: number; chunkBytesMax: number }> {
    const { rows, files, requests } = this.#options;
    const { hex, bytes, content_type, width, height } = photo;
    const thumbnail = await files.read(thumbnailName(hex));
    const described = { id: photoIdOf(hex), bytes, content_type, width, height };
    const upload = await requests.declare(
      thumbnail ? { ...described, thumbnail: await base64Of(thumbnail) } : described,
      signal,
    );
    if (upload.status === 'stored') {
      await this.#markStored(hex);
      return { offset: bytes, chunkBytesMax: bytes };
    }
    if (!photo.is_declared) await rows.update(hex, 'unsent', { is_declared: true });
    return { offset: upload.offset, chunkBytesMax: upload.chunk_bytes_max };
  }

  async #upload(photo: KnownPhoto, signal: AbortSignal): Promise<void> {
    const { rows, files, requests } = this.#options;
    const { hex, bytes } = photo;
    const content = await files.read(hex);
    if (content?.size !== bytes) return rows.update(hex, 'unsent', { state: 'lost' });
    const { chunkBytesMax, ...declared } = await this.#declare(photo, signal);
    let { offset } = declared;
    for (let moves = 0; offset < bytes && moves < movesMax;) {
      this.#noteSent(hex, offset);
      const chunk = { offset, bytes: content.slice(offset, Math.min(bytes, offset + chunkBytesMax)) };
      const appended = await requests.append(photoIdOf(hex), chunk, signal);
      moves += Number(appended.isMoved);
      offset = appended.offset;
    }
    if (offset < bytes) throw new Error('something else keeps moving the upload');
    await this.#markStored(hex);
  }

  async #markStored(hex: string): Promise<void> {
    const { rows, clock } = this.#options;
    await rows.update(hex, 'unsent', { state: 'stored', is_declared: true, stored_at: isoTime(clock.wallMs()) });
    this.#noteSent(hex, undefined);
  }

  #noteSent(hex: string, bytes: number | undefined): void {
    const sent = new Map(this.sentBytes$.value);
    if (bytes === undefined) sent.delete(hex);
    else sent.set(hex, bytes);
    this.sentBytes$.next(sent);
  }

  /** Returns how much the failure says about other photos: 0 if nothing, 1 if they may fail, too. */
  async #onFailure(photo: KnownPhoto, error: unknown): Promise<number> {
    const { rows, files, clock } = this.#options;
    const failure = error instanceof RequestError ? error.failure : undefined;
    this.isUnreachable$.next(failure !== undefined && saysNoServer(failure));
    const hold = failure && holdOf(failure);
    if (hold) {
      await rows.setHold({ by: hold.by, until: isoTime(clock.wallMs() + hold.ms) });
      return 1;
    }
    if (failure && saysNoServer(failure)) return failuresInARowMax;
    if (!failure || !isRefusal(failure)) {
      this.#failures.set(photo.hex, (this.#failures.get(photo.hex) ?? 0) + 1);
      return 1;
    }
    const { problem } = failure;
    const isIntact = (await hexOf(await files.read(photo.hex))) === photo.hex;
    // Bytes that were changed on the way are refused like those that this device has lost.
    if (problem.code === 'photo_corrupt' && isIntact && photo.problem === null)
      await rows.update(photo.hex, 'unsent', { problem });
    else await rows.update(photo.hex, 'unsent', isIntact ? { state: 'refused', problem } : { state: 'lost', problem });
    return 0;
  }

  #retryLater(): void {
    const ms = exponentialBackoffMs(this.#failedAttempts++, {
      min: retryMsMin,
      max: retryMsMax,
      random: this.#options.random(),
    });
    this.#cancelRetry();
    if (!this.#isStopped) this.#cancelRetry = this.#options.clock.schedule(ms, () => this.run());
  }
}

const hexOf = async (content: Blob | undefined): Promise<string | undefined> =>
  content && sha256Of(await content.arrayBuffer());
