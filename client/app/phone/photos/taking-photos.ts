/** Takes photos into the step under way, and lets them be deleted. Other taps do not wait for the encoding. */
import { BehaviorSubject, firstValueFrom } from 'rxjs';
import type { Gemba, Recording } from '../../../client.ts';
import { runWithVibration } from '../../recorder/run-with-vibration.ts';
import { undoWithToast } from '../../recorder/undo-with-toast.ts';
import { photoTexts, recordTexts } from '../../text/phone-on-demand.ts';
import { showToast } from '../../ui/toast.tsx';

/** How many photos are being saved; null before the first one. */
export const savingCount$ = new BehaviorSubject<number | null>(null);

/** Takes all pictures at once, since each belongs to the step of this moment. */
export async function takePhotos(recording: Recording, pictures: readonly Blob[]): Promise<void> {
  await Promise.all(
    pictures.map(async (picture) => {
      addSaving(1);
      await runWithVibration(() => recording.photo(picture));
      addSaving(-1);
    }),
  );
}

const addSaving = (by: 1 | -1): void => savingCount$.next((savingCount$.value ?? 0) + by);

/** Removes a photo from the step with this index, and offers Undo. */
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
