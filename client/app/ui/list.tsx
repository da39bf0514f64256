/** A list of rows of equal height. A long list renders only the rows in view, and some around them. */
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';

interface ListProps<Item> {
  label: string;
  items: readonly Item[];
  /** The height of each row, in CSS pixels. */
  rowHeight: number;
  keyOf(item: Item): string | number;
  row(item: Item, index: number): ComponentChildren;
}

/** A list with at least this many rows renders only the rows in view; a shorter list renders all rows. */
const rowsOfLongListMin = 60;
/** The number of rows that are rendered above and below the view. */
const rowsAroundView = 12;
/** The range of rendered rows moves in steps of this many rows, so that scrolling renders less often. */
const rowsPerRangeStep = 4;

export function List<Item>({ label, items, rowHeight, keyOf, row }: ListProps<Item>) {
  const list = useRef<HTMLUListElement>(null);
  const isLong = items.length >= rowsOfLongListMin;
  const inView = useRowsInView(list, { rowHeight, isLong });
  const first = isLong ? Math.max(0, Math.min(inView.first, items.length) - rowsAroundView) : 0;
  const end = isLong ? Math.min(items.length, inView.end + rowsAroundView) : items.length;
  const rendered = useMemo(() => new Map<Item, JSX.Element>(), [items, row]);
  /** Reuses the element of an item, so that its row does not render again while the list scrolls. */
  const elementOf = (item: Item, index: number): JSX.Element => {
    const known = rendered.get(item);
    if (known) return known;
    const element = (
      <li
        key={keyOf(item)}
        style={{ height: `${rowHeight}px` }}
        aria-setsize={isLong ? items.length : undefined}
        aria-posinset={isLong ? index + 1 : undefined}
      >
        {row(item, index)}
      </li>
    );
    rendered.set(item, element);
    return element;
  };
  return (
    // Safari ignores the semantics of a list without bullets unless it has an explicit role.
    <ul
      ref={list}
      class="list"
      role="list"
      aria-label={label}
      style={{ paddingTop: `${first * rowHeight}px`, paddingBottom: `${(items.length - end) * rowHeight}px` }}
    >
      {items.slice(first, end).map((item, offset) => elementOf(item, first + offset))}
    </ul>
  );
}

interface RowsInView {
  first: number;
  end: number;
}

function useRowsInView(
  list: { current: HTMLElement | null },
  { rowHeight, isLong }: { rowHeight: number; isLong: boolean },
): RowsInView {
  const [rows, setRows] = useState<RowsInView>({ first: 0, end: Math.ceil(innerHeight / rowHeight) });
  useEffect(() => {
    if (!isLong) return undefined;
    let frame = 0;
    const measure = () => {
      frame = 0;
      // The list may be gone: a navigation scrolls the page too, and this runs one frame after the scroll.
      if (!list.current) return;
      const { top } = list.current.getBoundingClientRect();
      const batches = (px: number) => px / rowHeight / rowsPerRangeStep;
      const first = Math.max(0, Math.floor(batches(-top)) * rowsPerRangeStep);
      const end = Math.max(0, Math.ceil(batches(innerHeight - top)) * rowsPerRangeStep);
      setRows((now) => (now.first === first && now.end === end ? now : { first, end }));
    };
    const measureSoon = () => {
      frame ||= requestAnimationFrame(measure);
    };
    measure();
    addEventListener('scroll', measureSoon, { passive: true });
    addEventListener('resize', measureSoon);
    return () => {
      cancelAnimationFrame(frame);
      removeEventListener('scroll', measureSoon);
      removeEventListener('resize', measureSoon);
    };
  }, [list, rowHeight, isLong]);
  return rows;
}
