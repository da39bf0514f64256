/**
 * Adds photos to the current step of a recording, and removes them. Other taps do not wait until a photo is encoded.
 */
import { BehaviorSubject, firstValueFrom } from 'rxjs';
import type { Gemba, Recording } from '../../../client.ts';
import { runWithVibration } from '../../recorder/run-with-vibration.ts';
import { undoWithToast } from '../../recorder/undo-with-toast.ts';
import { photoTexts, recordTexts } from '../../text/phone-on-demand.ts';
import { showToast } from '../../ui/toast.tsx';

/** How many photos are being saved, and a text about the photos that were saved last. */
export const photoSaving$ = new BehaviorSubject({ count: 0, saved: '' });

/** Adds all pictures at once, not one after another, so that each photo belongs to the step that is current now. */
export async function takePhotos(recording: Recording, pictures: readonly Blob[]): Promise<void> {
  const step = recording.steps.at(-1)?.stage_name ?? '';
  photoSaving$.next({ count: photoSaving$.value.count + pictures.length, saved: '' });
  const savedOnes = await Promise.all(
    pictures.map(async (picture) => {
      const isSaved = await runWithVibration(() => recording.photo(picture));
      photoSaving$.next({ ...photoSaving$.value, count: photoSaving$.value.count - 1 });
      return isSaved;
    }),
  );
  const count = savedOnes.filter(Boolean).length;
  if (count > 0) photoSaving$.next({ ...photoSaving$.value, saved: photoTexts.saved(count, step) });
}

/** Removes a photo from the step at `index`, and shows a toast with Undo. */
export async function removePhoto(
  gemba: Pick<Gemba, 'recording$'>,
  { recording, index, photoId }: { recording: Recording; index: number; photoId: string },
): Promise<void> {
  const step = recording.steps[index];
  if (!step) return;
  const { started_at, stage_name } = step;
  if (!(await runWithVibration(() => recording.removePhoto({ index, started_at }, photoId)))) return;
  const undo = async () => {
    const latest = await firstValueFrom(gemba.recording$);
    if (latest?.undoes?.kind === 'photo_removal') await undoWithToast(latest, recordTexts.undone);
    else showToast({ text: photoTexts.undoLater });
  };
  showToast({ text: photoTexts.removed(stage_name), undo: () => void undo() });
}
