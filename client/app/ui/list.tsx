/** A list of rows of one height. Of a long one only those in sight, and some around them, are in the page. */
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';

interface ListProps<Item> {
  label: string;
  items: readonly Item[];
  /** CSS pixels. */
  rowHeight: number;
  keyOf(item: Item): string | number;
  row(item: Item, index: number): ComponentChildren;
}

/** Shorter lists are there whole. */
const windowedMin = 60;
/** Above and below what is in sight. */
const spareRows = 12;
/** So many come and go at once. */
const rowsAtOnce = 4;

export function List<Item>({ label, items, rowHeight, keyOf, row }: ListProps<Item>) {
  const list = useRef<HTMLUListElement>(null);
  const windowed = items.length >= windowedMin;
  const inSight = useRowsInSight(list, { rowHeight, windowed });
  const first = windowed ? Math.max(0, Math.min(inSight.first, items.length) - spareRows) : 0;
  const end = windowed ? Math.min(items.length, inSight.end + spareRows) : items.length;
  const drawn = useMemo(() => new Map<Item, JSX.Element>(), [items, row]);
  /** What is drawn already is not drawn again as others come into sight. */
  const made = (item: Item, index: number): JSX.Element => {
    const before = drawn.get(item);
    if (before) return before;
    const element = (
      <li
        key={keyOf(item)}
        style={{ height: `${rowHeight}px` }}
        aria-setsize={windowed ? items.length : undefined}
        aria-posinset={windowed ? index + 1 : undefined}
      >
        {row(item, index)}
      </li>
    );
    drawn.set(item, element);
    return element;
  };
  return (
    // Safari takes the meaning from lists without bullets, unless it is said again.
    <ul
      ref={list}
      class="list"
      role="list"
      aria-label={label}
      style={{ paddingTop: `${first * rowHeight}px`, paddingBottom: `${(items.length - end) * rowHeight}px` }}
    >
      {items.slice(first, end).map((item, offset) => made(item, first + offset))}
    </ul>
  );
}

interface RowsInSight {
  first: number;
  end: number;
}

function useRowsInSight(
  list: { current: HTMLElement | null },
  { rowHeight, windowed }: { rowHeight: number; windowed: boolean },
): RowsInSight {
  const [rows, setRows] = useState<RowsInSight>({ first: 0, end: Math.ceil(innerHeight / rowHeight) });
  useEffect(() => {
    if (!windowed) return undefined;
    let frame = 0;
    const look = () => {
      frame = 0;
      // Whoever goes elsewhere scrolls to the top; the list may be gone by the next frame.
      if (!list.current) return;
      const { top } = list.current.getBoundingClientRect();
      const batches = (px: number) => px / rowHeight / rowsAtOnce;
      const first = Math.max(0, Math.floor(batches(-top)) * rowsAtOnce);
      const end = Math.max(0, Math.ceil(batches(innerHeight - top)) * rowsAtOnce);
      setRows((now) => (now.first === first && now.end === end ? now : { first, end }));
    };
    const soon = () => {
      frame ||= requestAnimationFrame(look);
    };
    look();
    addEventListener('scroll', soon, { passive: true });
    addEventListener('resize', soon);
    return () => {
      cancelAnimationFrame(frame);
      removeEventListener('scroll', soon);
      removeEventListener('resize', soon);
    };
  }, [list, rowHeight, windowed]);
  return rows;
}
