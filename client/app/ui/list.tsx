/** A list of rows of equal height. A long list renders only the rows in view, and some around them. */
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';

interface ListProps<Item> {
  label: string;
  items: readonly Item[];
  /**
   * The height of a row in pixels if the page's text has `referenceTextPx` pixels. The height grows with the text.
   */
  rowHeight: number;
  keyOf(item: Item): string | number;
  row(item: Item, index: number): ComponentChildren;
}

/** The size of a phone's text in pixels. Callers give the height that a row has with text of this size. */
const referenceTextPx = 17;

/** A list with at least this many rows renders only the rows in view. */
const longListRowsMin = 60;
const overscanRows = 12;
/** The rendered range moves in steps of this many rows, so that scrolling renders less often. */
const rowsPerRangeStep = 4;

export function List<Item>({ label, items, rowHeight, keyOf, row }: ListProps<Item>) {
  const list = useRef<HTMLUListElement>(null);
  const isLong = items.length >= longListRowsMin;
  const inView = useRowsInView(list, { rowHeight, isLong });
  const first = isLong ? Math.max(0, Math.min(inView.first, items.length) - overscanRows) : 0;
  const end = isLong ? Math.min(items.length, inView.end + overscanRows) : items.length;
  const heightOf = (rows: number): string => `calc(${rows * rowHeight}rem / ${referenceTextPx})`;
  const rendered = useMemo(() => new Map<Item, JSX.Element>(), [items, row]);
  /** Reuses the element of an item, so that scrolling does not render the item's row again. */
  const elementOf = (item: Item, index: number): JSX.Element => {
    const known = rendered.get(item);
    if (known) return known;
    const element = (
      <li
        key={keyOf(item)}
        style={{ height: heightOf(1) }}
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
    // In Safari, a list without bullets has no list semantics unless its role is explicit.
    <ul
      ref={list}
      class="list"
      role="list"
      aria-label={label}
      style={{ paddingTop: heightOf(first), paddingBottom: heightOf(items.length - end) }}
    >
      {items.slice(first, end).map((item, offset) => elementOf(item, first + offset))}
    </ul>
  );
}

const measureTextPx = (): number => Number.parseFloat(getComputedStyle(document.documentElement).fontSize);

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
    let isPrinting = false;
    const measure = () => {
      frame = 0;
      // `measure` runs one frame after a scroll. A navigation may have removed the list by then.
      if (!list.current || isPrinting) return;
      const { top } = list.current.getBoundingClientRect();
      const rowPx = (rowHeight * measureTextPx()) / referenceTextPx;
      const rangeSteps = (px: number) => px / rowPx / rowsPerRangeStep;
      const first = Math.max(0, Math.floor(rangeSteps(-top)) * rowsPerRangeStep);
      const end = Math.max(0, Math.ceil(rangeSteps(innerHeight - top)) * rowsPerRangeStep);
      setRows((now) => (now.first === first && now.end === end ? now : { first, end }));
    };
    const measureSoon = () => {
      frame ||= requestAnimationFrame(measure);
    };
    measure();
    // Shows all rows in a print. Preact renders the rows at the end of the `beforeprint` event, before the browser
    // prints.
    const showAll = () => {
      isPrinting = true;
      setRows({ first: 0, end: Infinity });
    };
    const showInView = () => {
      isPrinting = false;
      measure();
    };
    // Captures the event, since the scroll event of a pane does not bubble.
    addEventListener('scroll', measureSoon, { passive: true, capture: true });
    addEventListener('beforeprint', showAll);
    addEventListener('afterprint', showInView);
    addEventListener('resize', measureSoon);
    return () => {
      cancelAnimationFrame(frame);
      removeEventListener('scroll', measureSoon, { capture: true });
      removeEventListener('beforeprint', showAll);
      removeEventListener('afterprint', showInView);
      removeEventListener('resize', measureSoon);
    };
  }, [list, rowHeight, isLong]);
  return rows;
}
