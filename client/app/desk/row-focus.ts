/**
 * Moves the focus through the rows of a list. Only one row of each list is in the tab order, so that the Tab key moves
 * from list to list: https://www.w3.org/WAI/ARIA/apg/practices/keyboard-interface/#kbd_roving_tabindex
 */
import { useEffect } from 'preact/hooks';

const controlSelector = 'a[href], button, input, select';

/** Keeps exactly one row of each list in the tab order, even after the list has changed. */
export function useRovingRows(container: { current: HTMLElement | null }): void {
  useEffect(() => {
    const root = container.current;
    if (!root) return undefined;
    const update = () => root.querySelectorAll<HTMLElement>('.list').forEach(setTabStop);
    const observer = new MutationObserver(update);
    observer.observe(root, { childList: true, subtree: true });
    const onFocus = ({ target }: FocusEvent) => {
      const list = target instanceof HTMLElement ? target.closest<HTMLElement>('.list') : null;
      if (list) setTabStop(list);
    };
    root.addEventListener('focusin', onFocus);
    update();
    return () => {
      observer.disconnect();
      root.removeEventListener('focusin', onFocus);
    };
  }, [container]);
}

function setTabStop(list: HTMLElement): void {
  const rows = rowsOf(list);
  const stop =
    rows.find((row) => row.contains(document.activeElement)) ??
    rows.find((row) => row.dataset['stop'] !== undefined) ??
    rows[0];
  for (const row of rows) {
    const isStop = row === stop;
    if (isStop) row.dataset['stop'] = '';
    else delete row.dataset['stop'];
    const own = row.querySelectorAll<HTMLElement>(controlSelector);
    for (const control of own) control.tabIndex = isStop ? 0 : -1;
    if (own.length === 0) row.tabIndex = isStop ? 0 : -1;
  }
}

const rowsOf = (root: ParentNode): HTMLElement[] => [
  ...root.querySelectorAll<HTMLElement>(
    root instanceof HTMLElement && root.matches('.list') ? ':scope > li' : '.list > li',
  ),
];

/** Focuses the next or previous row of the pane. Without a focused row, focuses the row in the tab order. */
export function focusRow(pane: HTMLElement, by: 1 | -1): void {
  const rows = rowsOf(pane).filter((row) => row.checkVisibility());
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  const start = rows.findIndex((row) => row.dataset['stop'] !== undefined);
  const row = rows[at < 0 ? Math.max(0, start) : at + by];
  if (row) mainControlOf(row).focus();
}

/** Returns the element that takes the focus for a row: the link that opens the row, or else the row's first control. */
const mainControlOf = (row: HTMLElement): HTMLElement =>
  row.querySelector<HTMLElement>('a[href], .row-button') ?? row.querySelector<HTMLElement>(controlSelector) ?? row;

/** Toggles the checkbox of the focused row. Returns false if no row has the focus, or if the row has no checkbox. */
export function toggleMark(): boolean {
  const checkbox = document.activeElement?.closest('.list > li')?.querySelector<HTMLInputElement>('[type=checkbox]');
  checkbox?.click();
  return checkbox !== null && checkbox !== undefined;
}
