/** A button that opens a menu of commands: https://www.w3.org/WAI/ARIA/apg/patterns/menu-button/ */
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { navigate } from '../shell/router.tsx';
import { IconButton } from '../ui/button.tsx';
import type { Command } from '../ui/pane.tsx';

interface MenuProps {
  label: string;
  commands: readonly Command[];
}

type MenuPlace = Record<'top' | 'right' | 'maxWidth' | 'maxHeight', string>;

/**
 * Returns a place for the menu: below the button, and aligned with the button's right edge. The place is relative to
 * the window, since a menu inside a pane would be cut off.
 */
function menuPlaceBelow(button: HTMLElement | null | undefined): MenuPlace {
  const { bottom, right } = button?.getBoundingClientRect() ?? new DOMRect();
  return {
    top: `${bottom}px`,
    right: `${innerWidth - right}px`,
    maxWidth: `min(22rem, ${right - windowMarginPx}px)`,
    maxHeight: `${innerHeight - bottom - windowMarginPx}px`,
  };
}

const windowMarginPx = 8;

export function Menu({ label, commands }: MenuProps) {
  const [place, setPlace] = useState<MenuPlace>();
  const isOpen = place !== undefined;
  const root = useRef<HTMLDivElement>(null);
  const id = useId();
  const button = () => root.current?.querySelector('button');
  const setOpen = (isWanted: boolean) => setPlace(isWanted ? menuPlaceBelow(button()) : undefined);
  // Focuses the first command before the paint. A later focus would undo a fast press of an arrow key.
  useLayoutEffect(() => {
    if (!isOpen) return undefined;
    menuItemsOf(root.current)[0]?.focus();
    const closeOutside = ({ target }: Event) => {
      if (target instanceof Node && !root.current?.contains(target)) setOpen(false);
    };
    // A pane may scroll late, for example after its list took the focus. The menu stays open below its button.
    const follow = () => setPlace(menuPlaceBelow(button()));
    addEventListener('pointerdown', closeOutside);
    addEventListener('resize', follow);
    addEventListener('scroll', follow, { capture: true });
    return () => {
      removeEventListener('pointerdown', closeOutside);
      removeEventListener('resize', follow);
      removeEventListener('scroll', follow, { capture: true });
    };
  }, [isOpen]);
  // Keep the focused command visible when the menu becomes less high.
  useLayoutEffect(() => {
    if (!root.current?.contains(document.activeElement)) return;
    document.activeElement?.scrollIntoView({ block: 'nearest' });
  }, [place?.maxHeight]);
  const run = (command: Command) => {
    setOpen(false);
    // Focuses the button first: if the command opens a dialog, the dialog later gives the focus back to the button.
    button()?.focus();
    if (command.run) command.run();
    else navigate(command.href);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isOpen) {
      if (event.key !== 'ArrowDown') return;
      event.preventDefault();
      return setOpen(true);
    }
    if (event.key === 'Tab') return setOpen(false);
    if (event.key === 'Escape') {
      event.stopPropagation();
      setOpen(false);
      button()?.focus();
      return;
    }
    const items = menuItemsOf(root.current);
    const at = items.findIndex((item) => item === document.activeElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    items.at(to % items.length)?.focus();
  };
  return (
    <div class="menu" ref={root} onKeyDown={onKeyDown}>
      <IconButton
        icon="dots"
        label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      />
      {isOpen && (
        <div class="menu-items" role="menu" id={id} aria-label={label} style={place}>
          {commands.map((command) => (
            <button
              key={command.label}
              type="button"
              role="menuitem"
              tabIndex={-1}
              class={`menu-item menu-item-${command.look ?? 'plain'}`}
              onClick={() => run(command)}
            >
              {command.label}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

const menuItemsOf = (root: HTMLElement | null): HTMLElement[] => [
  ...(root?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? []),
];
