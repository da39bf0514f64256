/**
 * Takes photos into recordings. A photo is encoded and stored before its tap is, and belongs to the step that was under way
 * when it was taken. A finish that comes meanwhile is stored at once, and moved into the outbox behind the photo.
 */
import { photosPerStepMax } from '../../shared/schema/limits.ts';
import type { TrustedClock } from '../core/clock.ts';
import { GembaError } from '../core/errors.ts';
import type { Locks } from '../core/locks.ts';
import { throwIfInvalid } from '../core/validate.ts';
import type { LaterTap } from '../storage/rows.ts';
import type { Draft } from './draft.ts';
import type { DraftStep } from './draft-step.ts';
import type { Drafts } from './drafts.ts';
import type { TakenPhoto } from './recording.ts';
import { tooManyPhotosRefusal } from './taps/tap-changes.ts';

/** Encodes a picture and stores it on the device. Rejects with `photo_unreadable` or `storage_full`. */
export type KeepPhoto = (picture: Blob, recordingSessionId: string) => Promise<TakenPhoto>;

interface PhotoTapsOptions {
  drafts: Drafts;
  locks: Locks;
  clock: TrustedClock;
  keepPhoto: KeepPhoto;
}

/** Stores a tap. `check` throws if the draft cannot accept the tap. */
type AppendTap = (session: string, tap: LaterTap, check: (draft: Draft) => void) => Promise<void>;

/** A finish waits no longer than this for photos: a picture takes about a second, and a decoder may hang. */
const encodingMsMax = 10_000;

export class PhotoTaps {
  readonly #options: PhotoTapsOptions;
  /** The photos that are being encoded or stored, by recording session. */
  readonly #underWay = new Map<string, Set<Promise<unknown>>>();

  constructor(options: PhotoTapsOptions) {
    this.#options = options;
  }

  async take(session: string, picture: Blob, append: AppendTap): Promise<TakenPhoto> {
    throwIfInvalid(picture instanceof Blob ? [] : [{ path: '/picture', message: 'must be a Blob' }]);
    const at = this.#options.clock.stamp();
    const { steps } = this.#options.drafts.requireDraft(session);
    const step = steps.at(-1);
    if (!step) throw new GembaError({ code: 'tap_refused', detail: 'A photo belongs to a step: begin one first.' });
    const taking = this.#underWay.get(session) ?? new Set();
    requireRoom(step, taking.size);
    const position = { index: steps.length - 1, startedAt: step.recorded.started_at };
    const storing = this.#options.keepPhoto(picture, session).then(async (photo) => {
      await this.#options.locks.exclusive('recording', () =>
        appendAtStep({ ...this.#options, session, append }, position, (index) => ({
          kind: 'photographed',
          at,
          index,
          photo: photo.id,
        })),
      );
      return photo;
    });
    this.#underWay.set(session, taking.add(storing));
    try {
      return await storing;
    } finally {
      taking.delete(storing);
    }
  }

  /** Resolves when the recording has the photos that were taken so far, or they take too long. */
  async untilStored(session: string): Promise<void> {
    const taking = this.#underWay.get(session);
    if (!taking?.size) return;
    let cancel = () => {};
    const timeout = new Promise<void>((resolve) => {
      cancel = this.#options.clock.schedule(encodingMsMax, resolve);
    });
    await Promise.race([Promise.allSettled(taking), timeout]);
    cancel();
  }
}

interface StepOfPhoto {
  index: number;
  startedAt: string;
}

/** Other taps may come meanwhile, also those of another tab, and move the step. */
async function appendAtStep(
  { drafts, session, append }: { drafts: Drafts; session: string; append: AppendTap },
  step: StepOfPhoto,
  makeTap: (index: number) => LaterTap,
): Promise<void> {
  for (;;) {
    const index = indexOfStep(drafts.requireDraft(session), step);
    let hasMoved = false;
    try {
      return await append(session, makeTap(index), (draft) => {
        hasMoved = indexOfStep(draft, step) !== index;
        if (hasMoved) throw new Error('the step has moved');
        const found = draft.steps[index];
        if (found) requireRoom(found, 0);
      });
    } catch (error) {
      if (!hasMoved) throw error;
    }
  }
}

/** Finds the step by its start. If an undo has taken it back, the photo belongs to the step before. */
function indexOfStep({ steps }: Draft, { index, startedAt }: StepOfPhoto): number {
  const isIt = (step: DraftStep | undefined) => step?.recorded.started_at === startedAt;
  // Two steps may begin in one millisecond.
  if (isIt(steps[index])) return index;
  const found = steps.findIndex(isIt);
  return found < 0 ? Math.max(0, Math.min(index, steps.length - 1)) : found;
}

function requireRoom({ photos }: DraftStep, taken: number): void {
  if (photos.length + taken < photosPerStepMax) return;
  throw new GembaError({ code: 'photo_limit', detail: tooManyPhotosRefusal });
}
