/**
 * Sends photos while no mutation waits: first the declarations of all photos, with their thumbnails, then the photos'
 * bytes, one photo at a time.
 *
 *   taken ── a finished recording refers to it ─► unsent ─► declared, with its thumbnail ─► all bytes sent ─► stored
 *                                                   │ ▲                                         │
 *                                                   │ └── sent again, once: the bytes were damaged on the way
 *                                                   └──► refused by the server for good, or lost by this device
 */
import { BehaviorSubject, type Observable } from 'rxjs';
import { isoTime, type TrustedClock } from '../core/clock.ts';
import { sha256OfBytes } from '../core/hash.ts';
import type { Locks } from '../core/locks.ts';
import { RequestError, type RequestFailure } from '../sync/net/failure.ts';
import { maySend, type PhotoNetwork } from './photo-policy.ts';
import type { PhotoFiles } from './photo-files.ts';
import type { PhotoRequests } from './photo-requests.ts';
import type { KnownPhoto, PhotoRows } from './photo-rows.ts';
import { RetrySchedule } from './retry-schedule.ts';
import { holdAfter, isHoldActive, isRefusal, isServerUnreachable, serverWaitMsOf } from './send-failure.ts';
import { declarePhoto, sendPhoto, type DeclaredPhoto } from './send-photo.ts';

interface PhotoSenderOptions {
  rows: PhotoRows;
  files: PhotoFiles;
  requests: PhotoRequests;
  locks: Locks;
  clock: TrustedClock;
  random: () => number;
  network: Pick<PhotoNetwork, 'isMetered'>;
  /** Marks the photos that became unsent. Called before photos are sent. */
  findUnsent(): Promise<unknown>;
}

/** After this many failures in a row, the remaining photos wait for the next retry. */
const failuresInARowMax = 3;

export class PhotoSender {
  readonly #options: PhotoSenderOptions;
  /** Maps the hex digits of each unsent photo to the number of its bytes that the server has. */
  readonly sentBytes$ = new BehaviorSubject<ReadonlyMap<string, number>>(new Map());
  /** True if the last attempt reached no server. */
  readonly isUnreachable$ = new BehaviorSubject(false);
  /** True while photos that failed wait for their next attempt. */
  readonly isWaiting$: Observable<boolean>;
  /** True while photos wait because the sync goes first. */
  readonly isPaused$ = new BehaviorSubject(true);
  #sending: AbortController | undefined;
  /** The photo whose bytes are being sent. */
  #current: KnownPhoto | undefined;
  /** True if `run` must start again once the sending under way, or a wait that the server asked for, has ended. */
  #mustRunAgain = false;
  #isStopped = false;
  /** Counts the failures of each photo by the photo's hex digits. Photos with fewer failures go first. */
  readonly #failures = new Map<string, number>();
  readonly #retries: RetrySchedule;

  constructor(options: PhotoSenderOptions) {
    this.#options = options;
    this.#retries = new RetrySchedule(options, (isDue) => (isDue || this.#mustRunAgain) && this.run());
    this.isWaiting$ = this.#retries.isWaiting$;
  }

  /** Sends the photos that may be sent now. Does nothing while paused. */
  run(): void {
    if (this.isPaused$.value || this.#isStopped) return;
    if (this.#sending || this.#retries.isAskedToWait) return void (this.#mustRunAgain = true);
    this.#retries.cancelRetry();
    this.#mustRunAgain = false;
    const sending = new AbortController();
    this.#sending = sending;
    void this.#send(sending)
      .catch(() => sending.signal.aborted || this.#retries.retryLater())
      .finally(() => {
        this.#sending = undefined;
        this.#current = undefined;
        if (sending.signal.aborted || this.#mustRunAgain) this.run();
      });
  }

  /** Must be called when the policy or the network has changed. Stops sending a photo that may no longer be sent. */
  recheck(): void {
    // Assume that the new network reaches the server: the policy may forbid the attempts that would show this.
    this.isUnreachable$.next(false);
    if (this.#current && !this.#maySend(this.#current)) this.#sending?.abort();
    this.run();
  }

  /**
   * Ends a pause. A pending retry keeps its time, since each recording causes a pause. If the last attempt reached no
   * server, tries again at once.
   */
  resume(): void {
    this.isPaused$.next(false);
    if (this.isUnreachable$.value || !this.#retries.goOn()) this.run();
  }

  /** Stops sending, since the sync goes first. The server keeps the bytes that have arrived. */
  pause(): void {
    this.isPaused$.next(true);
    this.#retries.pause();
    this.#sending?.abort();
  }

  stop(): void {
    this.#isStopped = true;
    this.pause();
    this.#retries.stop();
  }

  async #send(sending: AbortController): Promise<void> {
    const { locks, rows, clock } = this.#options;
    const { signal } = sending;
    await locks.hold('photos', { signal }, async (lost) => {
      lost.addEventListener('abort', () => sending.abort(), { once: true });
      await this.#options.findUnsent();
      if (signal.aborted) return;
      if (rows.hold && !isHoldActive(rows.hold, clock.wallMs())) await rows.setHold(undefined);
      await this.#sendAll(signal);
    });
  }

  /** Declares all photos, then sends bytes. A failed declaration does not stop the bytes of declared photos. */
  async #sendAll(signal: AbortSignal): Promise<void> {
    const { rows, clock } = this.#options;
    const declared = new Map<string, DeclaredPhoto>();
    const declare = async (photo: KnownPhoto) => void declared.set(photo.hex, await this.#declare(photo, signal));
    const sendBytes = (photo: KnownPhoto) => this.#sendBytes(photo, declared.get(photo.hex), signal);
    const mayDeclare = (photo: KnownPhoto) => !photo.is_declared && rows.hold === undefined;
    const maySendBytes = (photo: KnownPhoto) =>
      rows.hold?.by !== 'server' && this.#maySend(photo) && (photo.is_declared || rows.hold === undefined);
    const isReached = await this.#attemptEach(mayDeclare, declare, signal);
    if (isReached) await this.#attemptEach(maySendBytes, sendBytes, signal);
    if (signal.aborted) return;
    const { hold } = rows;
    if (this.#unsent().some((photo) => mayDeclare(photo) || maySendBytes(photo))) this.#retries.retryLater();
    else if (hold) this.#retries.retryIn(Date.parse(hold.until) - clock.wallMs());
    else this.#retries.onSuccess();
  }

  /**
   * Calls `work` for each photo that may be sent. Resolves to false if no server is there or the server asks to wait.
   */
  async #attemptEach(
    mayGo: (photo: KnownPhoto) => boolean,
    work: (photo: KnownPhoto) => Promise<void>,
    signal: AbortSignal,
  ): Promise<boolean> {
    let failuresInARow = 0;
    for (const { hex } of this.#unsent()) {
      const photo = this.#unsent().find((one) => one.hex === hex);
      if (signal.aborted || failuresInARow >= failuresInARowMax) break;
      if (!photo || !mayGo(photo)) continue;
      try {
        await work(photo);
        failuresInARow = 0;
        this.isUnreachable$.next(false);
      } catch (error) {
        if (signal.aborted) break;
        const failure = error instanceof RequestError ? error.failure : undefined;
        this.isUnreachable$.next(failure !== undefined && isServerUnreachable(failure));
        if (this.isUnreachable$.value) {
          // Count a failure, so that the next attempt begins with another photo: a proxy may break off only this photo.
          this.#countFailure(photo);
          return false;
        }
        failuresInARow += Number(await this.#onFailure(photo, failure));
        const waitMs = failure && serverWaitMsOf(failure);
        if (waitMs === undefined) continue;
        this.#retries.waitFor(waitMs);
        return false;
      }
    }
    return true;
  }

  #unsent(): KnownPhoto[] {
    const failuresOf = ({ hex }: KnownPhoto) => this.#failures.get(hex) ?? 0;
    return this.#options.rows.inState('unsent').toSorted((a, b) => failuresOf(a) - failuresOf(b));
  }

  #maySend(photo: KnownPhoto): boolean {
    const known = this.#options.rows.get(photo.hex) ?? photo;
    return maySend(this.#options.rows.settings, this.#options.network, known);
  }

  async #declare(photo: KnownPhoto, signal: AbortSignal): Promise<DeclaredPhoto> {
    const declared = await declarePhoto(this.#options, photo, signal);
    const { rows, files } = this.#options;
    const { hex, bytes } = photo;
    if (declared.isStored) await this.#markStored(hex);
    // The browser may have removed the file. The photo counts as lost only if the server lacks the photo, too.
    else if ((await files.size(hex)) === bytes) await rows.update(hex, 'unsent', { is_declared: true });
    else await rows.update(hex, 'unsent', { state: 'lost' });
    return declared;
  }

  async #sendBytes(photo: KnownPhoto, known: DeclaredPhoto | undefined, signal: AbortSignal): Promise<void> {
    const { files } = this.#options;
    const { hex, bytes } = photo;
    this.#current = photo;
    const content = await files.read(hex);
    if (content?.size !== bytes) return void (await this.#declare(photo, signal));
    const declared = known ?? (await this.#declare(photo, signal));
    const onOffset = (offset: number) => this.#noteSent(hex, offset);
    await sendPhoto(this.#options, photo, declared, { content, signal, onOffset });
    await this.#markStored(hex);
  }

  async #markStored(hex: string): Promise<void> {
    const { rows, clock } = this.#options;
    await rows.update(hex, 'unsent', { state: 'stored', is_declared: true, stored_at: isoTime(clock.wallMs()) });
    this.#retries.onSuccess();
    this.#noteSent(hex, undefined);
  }

  #noteSent(hex: string, bytes: number | undefined): void {
    const sent = new Map(this.sentBytes$.value);
    if (bytes === undefined) sent.delete(hex);
    else sent.set(hex, bytes);
    this.sentBytes$.next(sent);
  }

  #countFailure({ hex }: KnownPhoto): void {
    this.#failures.set(hex, (this.#failures.get(hex) ?? 0) + 1);
  }

  /** Handles a failure. Resolves to true if other photos may fail in the same way. */
  async #onFailure(photo: KnownPhoto, failure: RequestFailure | undefined): Promise<boolean> {
    const { rows, files, clock } = this.#options;
    const hold = failure && holdAfter(failure);
    if (hold) {
      await rows.setHold({ by: hold.by, until: isoTime(clock.wallMs() + hold.ms) });
      return true;
    }
    this.#countFailure(photo);
    if (!failure || !isRefusal(failure)) return true;
    const { problem } = failure;
    const isIntact = (await hexOf(await files.read(photo.hex))) === photo.hex;
    // The server also refuses bytes that were damaged on the way, so send the photo once more if the file is intact.
    const mayTryAgain = problem.code === 'photo_corrupt' && isIntact && photo.problem === null;
    const state = mayTryAgain ? 'unsent' : isIntact ? 'refused' : 'lost';
    await rows.update(photo.hex, 'unsent', { state, problem });
    return false;
  }
}

const hexOf = async (content: Blob | undefined): Promise<string | undefined> =>
  content && sha256OfBytes(await content.arrayBuffer());
