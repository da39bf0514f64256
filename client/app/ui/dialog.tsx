import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { texts } from '../text/texts.ts';
import { IconButton } from './button.tsx';
import { ToastRegion } from './toast.tsx';

interface DialogProps {
  open: boolean;
  title: string;
  /** Called on Escape, the cross, the back gesture and a tap beside the dialog. */
  onClose(): void;
  children: ComponentChildren;
}

/** A modal `<dialog>`: the browser keeps the focus inside and restores it on closing. */
export function Dialog({ open, title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useLayoutEffect(() => {
    if (open) dialog.current?.showModal();
    else dialog.current?.close();
  }, [open]);
  return (
    <dialog
      ref={dialog}
      class="dialog"
      aria-labelledby={titleId}
      onClose={() => open && onClose()}
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      {open && (
        <>
          <ToastRegion />
          <div class="dialog-body stack">
            <div class="dialog-head">
              <h2 id={titleId}>{title}</h2>
              <IconButton icon="cross" label={texts.close} onClick={onClose} />
            </div>
            {children}
          </div>
        </>
      )}
    </dialog>
  );
}
