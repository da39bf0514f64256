/** Takes a photo into the current step, by the camera of the watch. Other taps do not wait for the encoding. */
import type { Recording } from '../../../client.ts';
import { runWithVibration } from '../../recorder/run-with-vibration.ts';
import { showToast } from '../../ui/toast.tsx';
import { WatchName } from '../watch-name.tsx';
import type { cameraTexts } from '../../text/en/watch-camera.ts';

interface TakePhotoRowProps {
  recording: Recording;
  texts: typeof cameraTexts;
  /** Called once a person has taken a photo. */
  onTaken(): void;
}

/** An invisible file input covers the row, so that a tap hits the input itself and opens the camera in each browser. */
export function TakePhotoRow({ recording, texts, onTaken }: TakePhotoRowProps) {
  const step = recording.steps.at(-1);
  if (!step) return null;
  const label = texts.take(step.stage_name);
  const take = async ([picture]: File[]) => {
    if (!picture) return;
    onTaken();
    showToast({ text: texts.saving });
    if (await runWithVibration(() => recording.photo(picture))) showToast({ text: texts.saved });
  };
  return (
    <li>
      <span class="button button-plain button-wide watch-photo">
        <span>
          <WatchName>{label}</WatchName>
        </span>
        <input
          type="file"
          accept="image/*"
          capture="environment"
          aria-label={label}
          onChange={(event) => void take([...(event.currentTarget.files ?? [])])}
        />
      </span>
    </li>
  );
}
