/**
 * Takes a photo into the step that was under way at the tap. The photo is encoded and stored before its tap is, so the code
 * loads with the first photo.
 */
import { photosPerStepMax } from '../../../shared/schema/limits.ts';
import type { Stamp } from '../../core/clock.ts';
import { GembaError } from '../../core/errors.ts';
import type { Locks } from '../../core/locks.ts';
import { throwIfInvalid } from '../../core/validate.ts';
import type { LaterTap } from '../../storage/rows.ts';
import type { Draft } from '../draft.ts';
import type { DraftStep } from '../draft-step.ts';
import type { Drafts } from '../drafts.ts';
import type { TakenPhoto } from '../recording.ts';
import { tooManyPhotosRefusal } from './tap-changes.ts';

/** Encodes a picture and stores it on the device. Rejects with `photo_unreadable` or `storage_full`. */
export type KeepPhoto = (picture: Blob, recordingSessionId: string) => Promise<TakenPhoto>;

/** Stores a tap. `check` throws if the draft cannot accept the tap. */
export type AppendTap = (session: string, tap: LaterTap, check: (draft: Draft) => void) => Promise<void>;

interface PhotoTap {
  drafts: Drafts;
  locks: Locks;
  keepPhoto: KeepPhoto;
  append: AppendTap;
  session: string;
  /** The moment of the tap, and the steps at that moment. */
  at: Stamp;
  steps: readonly DraftStep[];
  /** How many photos of the step are not stored yet. */
  taking: number;
}

export async function takePhoto(picture: Blob, tap: PhotoTap): Promise<TakenPhoto> {
  throwIfInvalid(picture instanceof Blob ? [] : [{ path: '/picture', message: 'must be a Blob' }]);
  const { locks, keepPhoto, session, at, steps, taking } = tap;
  const step = steps.at(-1);
  if (!step) throw new GembaError({ code: 'tap_refused', detail: 'A photo belongs to a step: begin one first.' });
  requireRoom(step, taking);
  const position = { index: steps.length - 1, startedAt: step.recorded.started_at };
  const photo = await keepPhoto(picture, session);
  await locks.exclusive('recording', () =>
    appendAtStep(tap, position, (index) => ({ kind: 'photographed', at, index, photo: photo.id })),
  );
  return photo;
}

interface StepOfPhoto {
  index: number;
  startedAt: string;
}

/** Other taps may come meanwhile, also those of another tab, and move the step. */
async function appendAtStep(
  { drafts, session, append }: Pick<PhotoTap, 'drafts' | 'session' | 'append'>,
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
