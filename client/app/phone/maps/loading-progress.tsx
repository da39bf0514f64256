import { useGemba, useValue } from '../../shell/engine.tsx';
import { noMapsTexts } from '../../text/phone-maps.ts';

/**
 * The screen shows progress only from this many records on: fewer records load before a person could read the number.
 */
const recordsWithProgressMin = 200;

/** Shows how many records the first pull has loaded. */
export function LoadingProgress() {
  const progress = useValue(useGemba().status$)?.progress;
  if (!progress || progress.total !== null || progress.done < recordsWithProgressMin) return null;
  const text = noMapsTexts.loadingCount(progress.done);
  return (
    <div>
      <p class="soft small">{text}</p>
      <progress aria-label={text} />
    </div>
  );
}
