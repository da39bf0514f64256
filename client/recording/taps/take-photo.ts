/**
 * Adds a photo to the step that was under way at the tap. The tap is stored only after the photo is encoded and stored.
 * A tap thus waits in any case, so this code loads only with the first photo.
 */
import { photosPerStepMax } from '../../../shared/schema/limits.ts';
import { isoTime, type Clock, type Stamp } from '../../core/clock.ts';
import { GembaError } from '../../core/errors.ts';
import type { Locks } from '../../core/locks.ts';
import { throwIfInvalid } from '../../core/validate.ts';
import type { TapAfterStart } from '../../storage/rows.ts';
import type { Draft } from '../draft.ts';
import type { DraftStep } from '../draft-step.ts';
import { recordingEndedError, type Drafts } from '../drafts.ts';
import type { TakenPhoto } from '../recording.ts';
import { tooManyPhotosRefusal } from './tap-changes.ts';

/** Encodes a picture and stores it on the device. Rejects with `photo_unreadable` or `storage_full`. */
export type KeepPhoto = (picture: Blob, recordingSessionId: string) => Promise<TakenPhoto>;

/** Stores a tap. `check` throws if the draft cannot accept the tap. */
export interface TapAppender {
  append(session: string, tap: TapAfterStart, check: (draft: Draft) => void): Promise<void>;
}

/** Photos that are not stored yet, each with the draft in which it was taken. */
export type PhotosUnderWay = Map<Promise<unknown>, Draft>;

interface PhotoTapOptions {
  drafts: Drafts;
  locks: Locks;
  keepPhoto: KeepPhoto;
  taps: TapAppender;
  session: string;
  /** The moment of the tap. */
  at: Stamp;
  /** The draft at that moment. */
  draft: Draft;
  /** For each earlier photo of this recording that is not stored yet: the draft at the tap of that photo. */
  ahead: readonly Draft[];
}

export async function takePhoto(picture: Blob, tap: PhotoTapOptions): Promise<TakenPhoto> {
  throwIfInvalid(picture instanceof Blob ? [] : [{ path: '/picture', message: 'must be a Blob' }]);
  const { drafts, locks, keepPhoto, session, at, draft, ahead } = tap;
  if (draft.finished || draft.discarded) throw recordingEndedError();
  const { steps } = draft;
  const step = steps.at(-1);
  if (!step) throw new GembaError({ code: 'tap_refused', detail: 'A photo belongs to a step: begin one first.' });
  const isOfStep = ({ steps: others }: Draft) => others.at(-1)?.recorded.started_at === step.recorded.started_at;
  requireRoom(step, ahead.filter(isOfStep).length);
  const position = { index: steps.length - 1, startedAt: step.recorded.started_at, takenAt: isoTime(at.wall_ms) };
  const photo = await keepPhoto(picture, session);
  await locks.exclusive('recording', async () => {
    // Another tab may have moved the recording into the outbox, and the notification of that write may be late.
    await drafts.refresh();
    await appendAtStep(tap, position, (index) => ({ kind: 'photographed', at, index, photo: photo.id }));
  });
  return photo;
}

/** A finish waits at most this long for the next photo. Encoding takes about a second, but a decoder may hang. */
const encodingMsMax = 10_000;

/** Resolves when all photos are stored or refused, or when no photo was stored or refused for `encodingMsMax`. */
export async function untilSettled(taking: Iterable<Promise<unknown>>, clock: Pick<Clock, 'schedule'>): Promise<void> {
  const left = new Set(taking);
  for (const photo of left) void photo.catch(() => undefined).then(() => left.delete(photo));
  while (left.size > 0) if (!(await settlesInTime(left, clock))) return;
}

/** Resolves to whether at least one of the photos is stored or refused within `encodingMsMax`. */
async function settlesInTime(photos: Iterable<Promise<unknown>>, clock: Pick<Clock, 'schedule'>): Promise<boolean> {
  let cancel = () => {};
  const late = new Promise<false>((resolve) => {
    cancel = clock.schedule(encodingMsMax, () => resolve(false));
  });
  const settled = [...photos].map((photo) =>
    photo.then(
      () => true,
      () => true,
    ),
  );
  const isInTime = await Promise.race([...settled, late]);
  cancel();
  return isInTime;
}

interface StepOfPhoto {
  index: number;
  startedAt: string;
  takenAt: string;
}

/**
 * Appends the tap at the step's current index. Tries again whenever another tap, of this or another tab, has moved the
 * step meanwhile.
 */
async function appendAtStep(
  { drafts, session, taps }: Pick<PhotoTapOptions, 'drafts' | 'session' | 'taps'>,
  step: StepOfPhoto,
  makeTap: (index: number) => TapAfterStart,
): Promise<void> {
  for (;;) {
    const index = indexOfStep(drafts.requireDraft(session), step);
    let hasMoved = false;
    try {
      return await taps.append(session, makeTap(index), (draft) => {
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

/**
 * Finds the step by its start. If an undo has taken the step back, the photo belongs to the last step that began before
 * the photo.
 */
function indexOfStep({ steps }: Draft, { index, startedAt, takenAt }: StepOfPhoto): number {
  const isStepOfPhoto = (step: DraftStep | undefined) => step?.recorded.started_at === startedAt;
  // Prefer the step at this index, since two steps may begin in the same millisecond.
  if (isStepOfPhoto(steps[index])) return index;
  const found = steps.findIndex(isStepOfPhoto);
  return Math.max(0, found < 0 ? steps.findLastIndex(({ recorded }) => recorded.started_at <= takenAt) : found);
}

function requireRoom({ photos }: DraftStep, taken: number): void {
  if (photos.length + taken < photosPerStepMax) return;
  throw new GembaError({ code: 'photo_limit', detail: tooManyPhotosRefusal });
}
