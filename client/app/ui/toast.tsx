/** Short messages. A message can offer Undo after a change, so the app need not ask before the change. */
import { useEffect } from 'preact/hooks';
import { BehaviorSubject } from 'rxjs';
import { useValue } from '../shell/engine.tsx';
import { texts } from '../text/texts.ts';
import { Button } from './button.tsx';

interface ToastContent {
  text: string;
  undo?: () => void;
}

const toastDurationMs = 4_000;
/** How long the app shows Undo: longer than other toasts, since a person with gloves needs time to tap it. */
export const undoShownMs = 10_000;

const currentToast$ = new BehaviorSubject<ToastContent | null>(null);

/** Shows the toast instead of the current one. `null` hides the current toast. */
export const showToast = (content: ToastContent | null): void => currentToast$.next(content);

/**
 * Shows the current toast. Each open dialog has a region of its own, since a modal dialog makes the rest of the page
 * inert.
 */
export function ToastRegion() {
  const shown = useValue(currentToast$);
  useEffect(() => {
    if (!shown) return undefined;
    const timer = setTimeout(() => currentToast$.next(null), shown.undo ? undoShownMs : toastDurationMs);
    return () => clearTimeout(timer);
  }, [shown]);
  const undo = () => {
    currentToast$.next(null);
    shown?.undo?.();
  };
  return (
    <div class="toasts" role="status" aria-live="polite">
      {shown && (
        <div class="toast">
          <span>{shown.text}</span>
          {shown.undo && (
            <Button look="quiet" onClick={undo}>
              {texts.undo}
            </Button>
          )}
        </div>
      )}
    </div>
  );
}
