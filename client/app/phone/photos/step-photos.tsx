/** The photos in the recorder: a button that takes one, and the photos of each step. */
import type { Recording } from '../../../client.ts';
import { useGemba, useValue } from '../../shell/engine.tsx';
import { photoTexts } from '../../text/phone-on-demand.ts';
import { PhotoStrip } from './photo-strip.tsx';
import { removePhoto, photoSaving$, takePhotos } from './take-photos.ts';

/** A button that opens the camera. An invisible file input covers the icon: some browsers need a tap on the input. */
export function TakePhotoButton({ recording }: { recording: Recording }) {
  const step = recording.steps.at(-1);
  if (!step) return null;
  const label = photoTexts.take(step.stage_name);
  const take = (input: HTMLInputElement) => {
    void takePhotos(recording, [...(input.files ?? [])]);
    // The browser reports the same picture again only if the input was cleared.
    input.value = '';
  };
  return (
    <span class="button button-quiet button-icon photo-take" title={label}>
      <CameraIcon />
      <input
        type="file"
        accept="image/*"
        capture="environment"
        multiple
        aria-label={label}
        onChange={(event) => take(event.currentTarget)}
      />
    </span>
  );
}

/** The icon of a camera. `Icon` lacks this icon, since every page loads all icons of `Icon` at its start. */
function CameraIcon() {
  return (
    <svg class="icon" width="28" height="28" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d="M4 7.5h3.5L9 5h6l1.5 2.5H20A1.5 1.5 0 0121.5 9v9a1.5 1.5 0 01-1.5 1.5H4A1.5 1.5 0 012.5 18V9A1.5 1.5 0 014 7.5z M12 9.5a3.7 3.7 0 100 7.4 3.7 3.7 0 000-7.4z" />
    </svg>
  );
}

/** Shows the photos of the current step, and says whether a photo just taken is being saved or is saved. */
export function CurrentPhotos({ recording }: { recording: Recording }) {
  const { count, saved } = useValue(photoSaving$) ?? photoSaving$.value;
  const index = recording.steps.length - 1;
  if (index < 0) return null;
  return (
    <div class="photo-current">
      <StepPhotos recording={recording} index={index} />
      <p class={count > 0 ? 'photo-saving' : 'visually-hidden'} role="status">
        {count > 0 ? photoTexts.saving(count) : saved}
      </p>
    </div>
  );
}

export function StepPhotos({ recording, index }: { recording: Recording; index: number }) {
  const gemba = useGemba();
  const { stage_name = '', photos = [] } = recording.steps[index] ?? {};
  return (
    <PhotoStrip
      stepName={stage_name}
      photoIds={photos}
      onRemove={(photoId) => void removePhoto(gemba, { recording, index, photoId })}
    />
  );
}
