/** Moves a row of a list by dragging it with a pointer. The other rows make room while it moves. */
import { useState } from 'preact/hooks';

interface RowDragOptions {
  /** The ids of the rows in their order. A new order ends the drag, since the dragged row may have moved. */
  order: string;
  count: number;
  /** The height of each row, in CSS pixels. */
  rowHeight: number;
  moveRow(fromIndex: number, toIndex: number): Promise<void>;
}

interface RowDrag {
  order: string;
  /** The index of the dragged row. */
  from: number;
  /** The index at which the row would be dropped. */
  to: number;
  /** The start position of the pointer, relative to the page, which may scroll during the drag. */
  startPageY: number;
  /** How far the dragged row is from its place, in CSS pixels. */
  offset: number;
}

/** The page scrolls while the pointer is this near to the top or the bottom of the window. */
const scrollZonePx = 96;
const scrollStepPx = 14;

export function useRowDrag({ order, count, rowHeight, moveRow }: RowDragOptions) {
  const [lastDrag, setDrag] = useState<RowDrag | null>(null);
  const drag = lastDrag?.order === order ? lastDrag : null;

  const follow = ({ clientY }: PointerEvent) => {
    if (!drag) return;
    if (clientY < scrollZonePx) scrollBy(0, -scrollStepPx);
    if (clientY > innerHeight - scrollZonePx) scrollBy(0, scrollStepPx);
    const offset = clientY + scrollY - drag.startPageY;
    const to = Math.max(0, Math.min(count - 1, drag.from + Math.round(offset / rowHeight)));
    setDrag({ ...drag, offset, to });
  };
  const release = async () => {
    if (!drag) return;
    // Keeps the row where it was dropped until the list has the new order.
    setDrag({ ...drag, offset: (drag.to - drag.from) * rowHeight });
    await moveRow(drag.from, drag.to);
    setDrag(null);
  };

  return {
    isHeld: (index: number) => drag?.from === index,
    styleOf: (index: number) => ({ transform: drag ? `translateY(${rowOffsetOf(drag, index, rowHeight)}px)` : '' }),
    handlersOf: (index: number) => ({
      onPointerDown: (event: PointerEvent & { currentTarget: HTMLElement }) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        setDrag({ order, from: index, to: index, startPageY: event.clientY + scrollY, offset: 0 });
      },
      onPointerMove: follow,
      onPointerUp: () => void release(),
      onPointerCancel: () => setDrag(null),
    }),
  };
}

function rowOffsetOf({ from, to, offset }: RowDrag, index: number, rowHeight: number): number {
  if (index === from) return offset;
  if (index > from && index <= to) return -rowHeight;
  return index < from && index >= to ? rowHeight : 0;
}
