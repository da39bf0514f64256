import { Button } from './ui/button.tsx';
import { useGemba, useValue } from './shell/engine.tsx';
import { updateTexts } from './text/update.ts';
import { update$, updateNow } from './shell/updates.ts';

export { keepEarlierStages } from './shell/earlier-stages.ts';
export { startBackgroundSync } from './shell/background-sync.ts';
export { startUpdates } from './shell/updates.ts';

/** Offers to update the app. There is no offer during a recording, when no update can run. */
export function UpdateOffer() {
  const update = useValue(update$);
  const recording = useValue(useGemba().recording$);
  if (update !== 'ready' || recording !== null) return null;
  return (
    <div class="update" role="status">
      <span>{updateTexts.ready}</span>
      <Button onClick={updateNow}>{updateTexts.now}</Button>
    </div>
  );
}
