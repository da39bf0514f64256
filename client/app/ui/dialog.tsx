import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { texts } from '../text/texts.ts';
import { IconButton } from './button.tsx';
import { keepTexts, restoreTexts, textsOf } from './kept-texts.ts';
import { ToastRegion } from './toast.tsx';

interface DialogProps {
  open: boolean;
  title: string;
  /** Called on Escape, the cross, the back gesture and a tap beside the dialog. */
  onClose(): void;
  children: ComponentChildren;
}

/**
 * A modal `<dialog>`: the browser keeps the focus inside and restores the focus on closing. If Back, Escape or a tap
 * beside the dialog closes it, the next opening shows the typed texts again. The cross discards the typed texts.
 */
export function Dialog({ open, title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const initial = useRef<string[]>([]);
  const titleId = useId();
  const key = `${location.pathname} ${title}`;
  useLayoutEffect(() => {
    if (!dialog.current) return;
    if (!open) return dialog.current.close();
    dialog.current.showModal();
    initial.current = textsOf(dialog.current);
    restoreTexts(key, dialog.current);
    (firstField(dialog.current) ?? heading.current)?.focus();
  }, [open]);
  const keepAndClose = ({ target }: Event) => {
    if (!dialog.current || target !== dialog.current) return;
    keepTexts(key, { initial: initial.current, typed: textsOf(dialog.current) });
    onClose();
  };
  return (
    <dialog
      ref={dialog}
      class="dialog"
      aria-labelledby={titleId}
      // Call `onClose` at once: the `close` event comes a task later, when a tap may have opened the dialog again.
      onCancel={keepAndClose}
      onClose={() => open && !dialog.current?.open && onClose()}
      onClick={keepAndClose}
    >
      {open && (
        <>
          <ToastRegion />
          <div class="dialog-body stack">
            <div class="dialog-head">
              <h2 id={titleId} ref={heading} tabIndex={-1}>
                {title}
              </h2>
              <IconButton icon="cross" label={texts.close} onClick={onClose} />
            </div>
            {children}
          </div>
        </>
      )}
    </dialog>
  );
}

/** Returns the first field, unless a button other than the cross comes before the field. */
function firstField(dialog: HTMLElement): HTMLElement | undefined {
  const first = dialog.querySelector<HTMLElement>('.dialog-head ~ * :is(button, input, textarea, select)');
  return first?.matches('input:not([type=radio], [type=checkbox]), textarea') ? first : undefined;
}
