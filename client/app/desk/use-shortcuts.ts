import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { readPageStorage, writePageStorage } from '../shell/page-storage.ts';
import { shortcutOf, type Shortcut } from './shortcut.ts';

/** Runs the handler of each shortcut, except while a dialog is open. While a menu is open, only keys with Ctrl work. */
export function useShortcuts(handlers: Record<Shortcut, () => void>, hasSingleKeys: boolean): void {
  const latest = useRef({ handlers, hasSingleKeys });
  useLayoutEffect(() => {
    latest.current = { handlers, hasSingleKeys };
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || document.querySelector('dialog[open]')) return;
      const shortcut = shortcutOf(event, {
        isTyping: isTyping() || document.querySelector('[role="menu"]') !== null,
        hasSingleKeys: latest.current.hasSingleKeys,
      });
      if (!shortcut) return;
      event.preventDefault();
      latest.current.handlers[shortcut]();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, []);
}

export const isTyping = (): boolean =>
  findFocusedElement()?.matches('textarea, select, input:not([type=checkbox], [type=radio])') ?? false;

/**
 * Looks for the focused element in shadow roots, too, such as the devtools' root. While the focus is inside a shadow
 * root, `document.activeElement` is only the element that has this root.
 */
function findFocusedElement(): Element | null {
  let focused = document.activeElement;
  while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
  return focused;
}

const singleKeysStorageKey = 'gemba-desk-single-keys';

/** The setting of this device: whether shortcuts of one key work. */
export function useSingleKeySetting() {
  const [hasSingleKeys, setSingleKeys] = useState(
    () => readPageStorage('localStorage', singleKeysStorageKey) !== 'off',
  );
  const store = (has: boolean) => {
    setSingleKeys(has);
    writePageStorage('localStorage', singleKeysStorageKey, has ? 'on' : 'off');
  };
  return [hasSingleKeys, store] as const;
}
