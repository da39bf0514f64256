/**
 * Adds photos to recordings. If a recording is finished while a photo is still encoded, the finish is stored at once,
 * and the recording moves into the outbox after the photo is stored.
 */
import type { TrustedClock } from '../core/clock.ts';
import type { Locks } from '../core/locks.ts';
import type { Drafts } from './drafts.ts';
import type { TakenPhoto } from './recording.ts';
import type { TapAppender, KeepPhoto, PhotosUnderWay } from './taps/take-photo.ts';

interface PhotoTapsOptions {
  drafts: Drafts;
  locks: Locks;
  clock: TrustedClock;
  keepPhoto: KeepPhoto;
}

const loadTakePhoto = () => import('./taps/take-photo.ts');

export class PhotoTaps {
  readonly #options: PhotoTapsOptions;
  /** The photos that are being encoded or stored, by recording session, each with the draft in which it was taken. */
  readonly #underWay = new Map<string, PhotosUnderWay>();

  constructor(options: PhotoTapsOptions) {
    this.#options = options;
  }

  /** Reads the clock and the steps before any `await`, since the photo belongs to the step of this moment. */
  async take(session: string, picture: Blob, taps: TapAppender): Promise<TakenPhoto> {
    const at = this.#options.clock.stamp();
    const draft = this.#options.drafts.requireDraft(session);
    const underWay: PhotosUnderWay = this.#underWay.get(session) ?? new Map();
    const tap = { ...this.#options, taps, session, at, draft, ahead: [...underWay.values()] };
    const storing = loadTakePhoto().then(({ takePhoto }) => takePhoto(picture, tap));
    this.#underWay.set(session, underWay.set(storing, draft));
    try {
      return await storing;
    } finally {
      underWay.delete(storing);
    }
  }

  isTaking(session: string): boolean {
    return (this.#underWay.get(session)?.size ?? 0) > 0;
  }

  /** Resolves when the recording has stored the photos taken so far, or when a photo takes too long. */
  async untilStored(session: string): Promise<void> {
    const taking = this.#underWay.get(session);
    if (taking?.size) await (await loadTakePhoto()).untilSettled(taking.keys(), this.#options.clock);
  }
}
