/** What was done, with a way back instead of a question beforehand: `toast({ text, undo })`. */
import { useEffect } from 'preact/hooks';
import { BehaviorSubject } from 'rxjs';
import { useValue } from '../shell/engine.tsx';
import { texts } from '../text/texts.ts';
import { Button } from './button.tsx';

interface ToastContent {
  text: string;
  undo?: () => void;
}

const shownMs = 4_000;
/** Long enough to find the button with a glove. */
const shownWithUndoMs = 10_000;

const toast$ = new BehaviorSubject<ToastContent | null>(null);

export const toast = (content: ToastContent): void => toast$.next(content);

/** On the page, and in each open dialog: what is outside of one can be neither tapped nor heard. */
export function ToastRegion() {
  const shown = useValue(toast$);
  useEffect(() => {
    if (!shown) return undefined;
    const timer = setTimeout(() => toast$.next(null), shown.undo ? shownWithUndoMs : shownMs);
    return () => clearTimeout(timer);
  }, [shown]);
  const undo = () => {
    toast$.next(null);
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
